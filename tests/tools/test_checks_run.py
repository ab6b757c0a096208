from pathlib import Path

import pytest
from checks_support import COUNTER, COUNTER_MODEL, WIRE, dut, judge, source
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.errors import CheckUnusable

BENCH = """\
module tb;
  reg clk = 0, rst = 1, en = 0, load = 0; reg [7:0] d = 0; wire [7:0] q; integer n, bad;
  cnt dut(clk, rst, en, load, d, q);
  always #5 clk = ~clk;
  initial begin
    bad = 0; #12 rst = 0; en = 1;
    for (n = 1; n < 20; n = n + 1) begin #10; if (q !== n) bad = bad + 1; end
    $display("RESULT %0d %0d", n, bad); $finish;
  end
endmodule
"""


def facts(result: CheckResult) -> tuple[object, ...]:
    """What of a result must not depend on what runs beside it."""
    shortest = result.shortest and (result.shortest.inputs, result.shortest.actual)
    return (result.name, result.status, result.samples, result.mismatches, result.reason, shortest,
            result.first_mismatch)  # fmt: skip


@pytest.mark.slow
def test_several_at_once_give_the_same_results_and_leave_nothing(tmp_path: Path) -> None:
    work = tmp_path / "designs"
    work.mkdir()
    design = dut(work, COUNTER.replace("q + 1", "q + 2"), "cnt")
    sources = [
        source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL, cycles="60"),
        source(CheckKind.TESTBENCH, BENCH),
        source(CheckKind.VECTORS, "en,q\n1,1\n"),
        source(CheckKind.REFERENCE_RTL, COUNTER, cycles="60"),
    ]
    before = set(Path.cwd().iterdir())
    alone = judge(work / "alone", design, *sources)
    together = judge(work / "together", design, *sources, jobs=4)
    assert [facts(r) for r in alone] == [facts(r) for r in together]
    assert {r.status for r in alone} == {CheckStatus.FAILED}
    assert set(Path.cwd().iterdir()) == before
    assert {p.name for p in work.iterdir()} == {"dut.v", "alone", "together"}
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if str(work).encode() in _read(p)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_wrong_timescale_is_told_at_once() -> None:
    check = source(CheckKind.TESTBENCH, BENCH)
    with pytest.raises(CheckUnusable, match=r"spec\.md:10: not a timescale: '1 sec'"):
        make_check(check, clocking=Clocking(), timescale="1 sec")


def test_a_wrong_option_is_told(tmp_path: Path) -> None:
    with pytest.raises(CheckUnusable, match=r"spec\.md:10: cycles is 'many'"):
        judge(
            tmp_path,
            dut(tmp_path, WIRE, "m"),
            source(CheckKind.REFERENCE_MODEL, "def step(i): return {}\n", cycles="many"),
        )
