from pathlib import Path

import pytest
from checks_support import COUNTER, WIRE, dut, judge, source
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus
from rtl_agent.tools.errors import CheckUnusable


def golden(folder: Path, design: str, module: str, text: str, **options: str) -> CheckResult:
    check = source(CheckKind.REFERENCE_RTL, text, **options)
    return judge(folder, dut(folder, design, module), check)[0]


def test_equal_names_do_not_clash(tmp_path: Path) -> None:
    """Golden design and DUT have the same top and the same submodule with different contents."""
    good = "module inner(input [7:0] x, output [7:0] z); assign z = x; endmodule\n"
    good += "module m(input [7:0] a, output [7:0] y); inner i(a, y); endmodule\n"
    other = "module inner(input [7:0] p, output [7:0] q); assign q = ~p; endmodule\n"
    other += "module m(input [7:0] a, output [7:0] y); inner i(~a, y); endmodule\n"
    result = golden(tmp_path, other, "m", good, cycles="50")
    assert result.passed, result.reason
    assert result.samples == 50


def test_a_difference_is_found(tmp_path: Path) -> None:
    wrong = COUNTER.replace("if (en)", "if (en & q != 8'hff)")
    result = golden(tmp_path, wrong, "cnt", COUNTER)
    assert result.status is CheckStatus.FAILED
    assert result.first_mismatch is not None
    assert result.first_mismatch.expected == {"q": "00000000"}


def test_unknown_values_of_the_golden_design_are_dont_cares(tmp_path: Path) -> None:
    text = "module g(input a, output [1:0] q); assign q = {1'bx, a}; endmodule\n"
    design = "module t(input a, output [1:0] q); assign q = {a, a}; endmodule\n"
    assert golden(tmp_path, design, "t", text, cycles="10").passed
    result = golden(tmp_path, text.replace("module g", "module t"), "t", design, cycles="10")
    assert result.status is CheckStatus.FAILED  # an x in the DUT is a mismatch


def test_the_golden_design_runs_once(tmp_path: Path) -> None:
    check = source(CheckKind.REFERENCE_RTL, WIRE, cycles="10")
    from rtl_agent.tools.checks.factory import make_check
    from rtl_agent.tools.checks.types import Limits
    from rtl_agent.tools.clocking import Clocking

    made = make_check(check, clocking=Clocking(), timescale="1ns/1ps")
    design = dut(tmp_path, WIRE, "m")
    for name in ("one", "two"):
        assert made.run(design, tmp_path / name, limits=Limits(), seed=1).passed
    assert (tmp_path / "one" / "golden").exists()
    assert not (tmp_path / "two" / "golden").exists()


def test_golden_designs_that_cannot_serve(tmp_path: Path) -> None:
    result = golden(tmp_path, WIRE, "m", "module m(input a, output y); assign = ; endmodule\n")
    assert result.status is CheckStatus.BROKEN
    assert "spec.md:10" in result.reason
    two = "module a; endmodule\nmodule b; endmodule\n"
    with pytest.raises(CheckUnusable, match="no module m"):
        golden(tmp_path, WIRE, "m", two)
    with pytest.raises(CheckUnusable, match="no module nowhere"):
        golden(tmp_path, WIRE, "m", WIRE, top="nowhere")


def test_a_design_with_other_ports_does_not_spoil_the_check_for_the_next(tmp_path: Path) -> None:
    from dataclasses import replace

    from rtl_agent.tools.checks.factory import make_check
    from rtl_agent.tools.checks.types import Limits
    from rtl_agent.tools.clocking import Clocking
    from rtl_agent.tools.interface import Direction, Interface, Port

    check = source(CheckKind.REFERENCE_RTL, WIRE, cycles="10")
    made = make_check(check, clocking=Clocking(), timescale="1ns/1ps")
    design = dut(tmp_path, WIRE, "m")
    stray = Interface("m", (Port(Direction.INPUT, "stray"),))
    other = replace(design, interface=stray)
    assert not made.run(other, tmp_path / "one", limits=Limits(), seed=1).passed
    assert made.run(design, tmp_path / "two", limits=Limits(), seed=1).passed
