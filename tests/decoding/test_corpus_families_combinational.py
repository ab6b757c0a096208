"""Combinational, arithmetic and code families: clean compilation and agreement with the models."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rtl_agent.decoding.training.corpus.bench import random_stimulus, vector_bench
from rtl_agent.decoding.training.corpus.design import Design, PortDecl
from rtl_agent.decoding.training.corpus.names import Names
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from pathlib import Path

GROUPS = ("combinational", "arithmetic", "codes")
FAMILIES = {
    name: make
    for name, make in all_families().items()
    if make.__module__.rsplit(".", maxsplit=1)[-1].startswith(GROUPS)
}
needs_icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="iverilog is not here")


def simulate(design: Design, folder: Path, *, cycles: int = 150, seed: int = 1) -> tuple[int, int]:
    """Samples and mismatches; any word from the compiler fails the test."""
    (folder / "dut.v").write_text(design.rtl)
    (folder / "tb.v").write_text(vector_bench(design, cycles, seed))
    binary = str(folder / "sim")
    compiled = subprocess.run(
        [
            "iverilog",
            "-g2005",
            "-Wall",
            "-s",
            "tb",
            "-o",
            binary,
            folder / "dut.v",
            folder / "tb.v",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert compiled.stdout + compiled.stderr == "", f"{compiled.stderr}\n{design.rtl}"
    ran = subprocess.run(
        ["vvp", "-n", binary], capture_output=True, text=True, timeout=60, check=True
    )
    word, samples, bad = ran.stdout.strip().splitlines()[-1].split()
    assert word == "RESULT", ran.stdout
    return int(samples), int(bad)


@needs_icarus
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_family_matches_its_model(name: str, tmp_path: Path) -> None:
    for seed in range(3):
        design = FAMILIES[name](random.Random(seed))
        samples, bad = simulate(design, tmp_path)
        assert samples >= 4
        assert bad == 0, f"seed {seed}\n{design.rtl}"


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_family_is_reproducible_and_well_formed(name: str) -> None:
    for seed in range(12):
        design = FAMILIES[name](random.Random(seed))
        again = FAMILIES[name](random.Random(seed))
        assert (design.rtl, design.params, design.titles, design.behaviour) == (
            again.rtl,
            again.params,
            again.titles,
            again.behaviour,
        )
        assert design.family == name
        assert design.group in GROUPS
        assert len(set(design.titles)) >= 4
        assert all(title.startswith(("a ", "an ")) for title in design.titles)
        assert all(len(fact) >= 3 for fact in design.behaviour)
        names = [port.name for port in design.ports]
        assert len(set(names)) == len(names)
        assert design.module not in names


def test_every_family_varies() -> None:
    for name, make in FAMILIES.items():
        designs = [make(random.Random(seed)) for seed in range(40)]
        assert len({d.rtl for d in designs}) >= 20, name
        assert len({tuple(p.name for p in d.ports) for d in designs}) >= 5, name
        assert len({d.style["body"] for d in designs}) >= 2, name


@needs_icarus
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("adder", "+", "-"),
        ("gray_code", "^", "|"),
        ("clamp", "<", ">"),
        ("bus_selector", "|", "&"),
        ("ascii_hex", "<", ">"),
        ("byte_lanes", "<<", ">>"),
        ("end_around_add", "+", "-"),
        ("round_shift", "+", "-"),
        ("sort_network", ">", "<"),
    ],
)
def test_bench_catches_a_mutation(name: str, old: str, new: str, tmp_path: Path) -> None:
    designs = (FAMILIES[name](random.Random(seed)) for seed in range(60))
    design = next(d for d in designs if f" {old} " in d.rtl and "for (" not in d.rtl)
    mutant = replace(design, rtl=design.rtl.replace(f" {old} ", f" {new} ", 1))
    assert simulate(design, tmp_path)[1] == 0
    assert simulate(mutant, tmp_path)[1] > 0


class _Register:
    def __init__(self) -> None:
        self.q = 0

    def reset(self) -> None:
        self.q = 5

    def step(self, inputs: dict[str, int]) -> dict[str, int | None]:
        self.q = inputs["d"]
        return {"q": self.q, "echo": inputs["d"]}


def _register(*, reset_value: int = 5, held: str = "q <= d;") -> Design:
    ports = (
        PortDecl("input", "clk", 1, ""),
        PortDecl("input", "rst_n", 1, ""),
        PortDecl("input", "d", 3, ""),
        PortDecl("output", "q", 3, ""),
        PortDecl("output", "echo", 3, ""),
    )
    rtl = (
        "module r (input clk, input rst_n, input [2:0] d, output reg [2:0] q, output [2:0] echo);\n"
        "assign echo = d;\nalways @(posedge clk or negedge rst_n)\n"
        f"if (!rst_n) q <= {reset_value};\n"
        f"else {held}\nendmodule\n"
    )
    return Design(
        family="r",
        group="x",
        params={},
        module="r",
        ports=ports,
        rtl=rtl,
        model=_Register,
        titles=(),
        behaviour=(),
        clock="clk",
        reset="rst_n",
        reset_kind="async",
        reset_active_low=True,
    )


@needs_icarus
def test_bench_compares_after_the_edge_and_not_in_reset(tmp_path: Path) -> None:
    assert simulate(_register(), tmp_path, cycles=60) == (57, 0)  # three cycles in reset
    late = _register(held="q <= ~d;")
    assert simulate(late, tmp_path, cycles=60)[1] == 57


@needs_icarus
def test_bench_counts_unknown_outputs_as_wrong(tmp_path: Path) -> None:
    silent = _register(held="q <= 3'bx;")
    assert simulate(silent, tmp_path, cycles=30)[1] == 27


def test_bench_refuses_a_model_that_overflows_a_port() -> None:
    class _Wide(_Register):
        def step(self, inputs: dict[str, int]) -> dict[str, int | None]:
            return {"q": 8}

    with pytest.raises(ValueError, match=r"q = 8, which does not fit 3 bits"):
        vector_bench(replace(_register(), model=_Wide), 10, 1)


def test_bench_takes_stimulus_from_the_design() -> None:
    rows = [{"d": 3}] * 6
    bench = vector_bench(replace(_register(), stimulus=lambda _rng, _cycles: rows), 100, 1)
    assert "stim[5]" in bench
    assert "stim[6]" not in bench


def test_stimulus_reaches_corners_and_equal_operands() -> None:
    ports = (PortDecl("input", "a", 16, ""), PortDecl("input", "b", 16, ""))
    rows = random_stimulus(random.Random(3), ports, 600)
    values = {row["a"] for row in rows}
    assert {0, 0xFFFF, 0x8000, 0x7FFF} <= values
    assert sum(row["a"] == row["b"] for row in rows) > 10
    assert sum(r["a"] == s["a"] for r, s in itertools.pairwise(rows)) > 50


def test_names_pass_over_reserved_words() -> None:
    for seed in range(20):
        names = Names(random.Random(seed))
        assert names.pick("inside", "within", "dist", "hit") == "hit"
        assert names.module("hit").lower() != "hit"
        assert names.module("join") not in ("join", "hit")
