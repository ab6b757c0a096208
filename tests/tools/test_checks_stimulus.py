import asyncio
from itertools import pairwise

from rtl_agent.tools.checks.harness.job import Row
from rtl_agent.tools.checks.harness.shrink import shrink
from rtl_agent.tools.checks.harness.stimulus import make_stimulus

WIDTHS = {"en": 1, "load": 1, "a": 8, "b": 8}


def rows(cycles: int = 1000, seed: int = 1) -> list[Row]:
    return make_stimulus(WIDTHS, cycles, seed, lambda asserted: {"rst_n": int(not asserted)})


def test_a_seed_fixes_the_stimulus() -> None:
    assert rows() == rows()
    assert rows() != rows(seed=2)
    assert len(rows(cycles=37)) == 37


def test_corners_occur() -> None:
    values = [row.values for row in rows()]
    assert any(v["a"] == 255 and v["b"] == 255 and v["en"] and v["load"] for v in values)
    assert any(v["a"] == 0 and v["b"] == 0 and not v["en"] for v in values)
    for bit in range(8):  # walking ones
        assert any(v["a"] == 1 << bit for v in values)
    assert any(v["a"] == v["b"] != 0 for v in values)


def test_back_to_back_enables_and_long_holds_occur() -> None:
    enables = "".join(str(row.values["en"]) for row in rows())
    assert "1" * 16 in enables
    assert "0" * 16 in enables
    same = "".join("=" if a.values["a"] == b.values["a"] else "#" for a, b in pairwise(rows()))
    assert "=" * 8 in same
    assert "#" * 8 in same


def test_reset_comes_in_mid_run_and_leaves_long_stretches_alone() -> None:
    resets = [i for i, row in enumerate(rows()) if row.in_reset]
    assert any(i > 100 for i in resets)
    assert all(rows()[i].values["rst_n"] == 0 for i in resets)
    assert max(b - a for a, b in pairwise([*resets, 1000])) >= 300


def test_small_combinational_inputs_are_exhausted() -> None:
    stimulus = make_stimulus({"a": 4, "b": 4}, 300, 1, lambda _: {})
    assert len({(r.values["a"], r.values["b"]) for r in stimulus}) == 256


def test_a_failure_is_shrunk() -> None:
    """A machine that fails at the third 7 on `a` since reset, whatever else happens."""

    async def run(stimulus: list[Row]) -> int | None:
        sevens = 0
        for index, row in enumerate(stimulus):
            sevens += row.values["a"] == 7
            if sevens == 3:
                return index
        return None

    noise = [Row({"a": i % 50, "b": i, "rst": 0}) for i in range(200)]
    found = asyncio.run(shrink(noise, run, 5000, "rst"))
    assert found is not None
    assert [row.values for row in found] == [{"a": 7, "b": 0, "rst": 0}] * 3


def test_what_does_not_fail_from_reset_is_not_shrunk() -> None:
    async def run(stimulus: list[Row]) -> int | None:
        return None

    assert asyncio.run(shrink([Row({"a": 1})], run, 5000, None)) is None
