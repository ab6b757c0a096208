from pathlib import Path

import pytest
from checks_support import COUNTER, WIRE, dut, judge, source
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus

HEAD = "import cocotb\nfrom cocotb.triggers import Timer\n"
COPIES = (
    HEAD
    + "@cocotb.test()\nasync def copies(dut):\n    dut.a.value = 7\n    await Timer(1, 'ns')\n"
    + "    assert dut.y.value == 7\n"
)
CLOCKED = """\
import random
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

@cocotb.test()
async def counts(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.rst.value = 1
    dut.en.value = dut.load.value = dut.d.value = 0
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst.value, dut.en.value = 0, 1
    for i in range(1, 5):
        await FallingEdge(dut.clk)
        assert dut.q.value.to_unsigned() == i
    print("SEEDED", random.random())
"""


def test_of(body: str, decorator: str = "@cocotb.test()") -> str:
    return f"{HEAD}{decorator}\nasync def t(dut):\n    {body}\n"


test_of.__test__ = False  # type: ignore[attr-defined]


def check(folder: Path, design: str, top: str, text: str, path: Path | None = None) -> CheckResult:
    return judge(folder, dut(folder, design, top), source(CheckKind.COCOTB, text, path))[0]


def test_a_clock_in_nanoseconds_works_and_the_seed_is_fixed(tmp_path: Path) -> None:
    seeds = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        result = check(tmp_path / name, COUNTER, "cnt", CLOCKED)
        assert result.passed, result.reason
        assert result.samples == 1
        assert result.log is not None
        log = result.log.read_text()
        seeds.append(log[log.index("SEEDED") :].splitlines()[0])
    assert seeds[0] == seeds[1]


def test_a_wrong_design_fails_with_values_and_line(tmp_path: Path) -> None:
    path = tmp_path / "test_copies.py"
    path.write_text(COPIES)
    result = check(tmp_path, WIRE.replace("= a", "= ~a"), "m", COPIES, path)
    assert result.status is CheckStatus.FAILED
    assert "copies" in result.reason
    assert "11111000" in result.reason
    assert f"{path}:7" in result.reason


def test_one_of_two_is_not_enough(tmp_path: Path) -> None:
    text = COPIES + "@cocotb.test()\nasync def other(dut):\n    assert dut.y.value == 9\n"
    result = check(tmp_path, WIRE, "m", text)
    assert result.status is CheckStatus.FAILED
    assert (result.samples, result.mismatches) == (1, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (test_of("await Timer(1, 'ns')"), "spec.md:13: the test t never checks anything"),
        (test_of("assert True"), "never checks anything"),
        ("import cocotb\nasync def t(dut):\n    assert dut.y.value == 0\n", "no @cocotb.test"),
        ("import cocotb\n@cocotb.test(\nasync def t(dut): pass\n", "spec.md:11: syntax error"),
    ],
)
def test_what_can_be_told_without_running(tmp_path: Path, text: str, words: str) -> None:
    result = check(tmp_path, WIRE, "m", text)
    assert result.status is CheckStatus.BROKEN
    assert words in result.reason
    assert not (tmp_path / "work").exists()  # nothing was run


def test_skipped_tests_are_no_evidence(tmp_path: Path) -> None:
    text = test_of("assert dut.y.value == 0", "@cocotb.test(skip=True)")
    result = check(tmp_path, WIRE, "m", text)
    assert result.status is CheckStatus.BROKEN
    assert "no test ran" in result.reason


def test_a_test_that_cannot_be_loaded_is_broken(tmp_path: Path) -> None:
    result = check(tmp_path, WIRE, "m", "import nosuchmodule\n" + COPIES)
    assert result.status is CheckStatus.BROKEN
    assert "No module named 'nosuchmodule'" in result.reason
    assert "spec.md:10" in result.reason


def test_a_test_that_dies_is_no_pass(tmp_path: Path) -> None:
    result = check(
        tmp_path, WIRE, "m", "import os\n" + COPIES.replace("assert", "os._exit(0)\n    assert")
    )
    assert result.status is CheckStatus.CRASHED


def test_modules_and_data_beside_the_test_are_found(tmp_path: Path) -> None:
    (tmp_path / "golden_values.py").write_text("from more import SEVEN\n")
    (tmp_path / "more.py").write_text("SEVEN = 7\n")
    (tmp_path / "data.txt").write_text("7")
    path = tmp_path / "test_copies.py"
    text = COPIES.replace("import cocotb\n", "import cocotb\nfrom golden_values import SEVEN\n")
    text = text.replace("== 7", "== SEVEN == int(open('data.txt').read())")
    path.write_text(text)
    result = check(tmp_path, WIRE, "m", text, path)
    assert result.passed, result.reason


def test_a_design_that_ends_the_simulation_never_passes(tmp_path: Path) -> None:
    early = WIRE.replace("endmodule", "initial $finish; endmodule")
    result = check(tmp_path, early, "m", COPIES)
    assert result.status is CheckStatus.FAILED
    assert "ended the simulation while" in result.reason


def test_helpers_that_compare_count_as_checking(tmp_path: Path) -> None:
    text = COPIES.replace("assert dut.y.value == 7", "check(dut.y.value == 7)").replace(
        "from cocotb", "from helpers import check\nfrom cocotb"
    )
    (tmp_path / "helpers.py").write_text("def check(good):\n    assert good\n")
    result = check(tmp_path, WIRE, "m", text, tmp_path / "test_it.py")
    assert result.passed, result.reason
