"""`check` without a spec, `mutate`, and `waves`, as users run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from rtl_agent.agent.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "module add1(input [3:0] a, output [3:0] y);\n  assign y = a + 4'd1;\nendmodule\n"
BAD = GOOD.replace("4'd1", "4'd2")
BENCH = """\
module tb; reg [3:0] a; wire [3:0] y; integer i, bad;
  add1 dut(a, y);
  initial begin
    bad = 0;
    for (i = 0; i < 16; i = i + 1) begin a = i; #1; if (y !== ((i + 1) & 15)) bad = bad + 1; end
    $display("RESULT %0d %0d", i, bad);
    $finish;
  end
endmodule
"""
MODEL = "def step(inputs):\n    return {'y': (inputs['a'] + 1) % 16}\n\n\ndef reset():\n    pass\n"
TABLE = "a,y\n0,1\n7,8\n15,0\n"
COCOTB = """\
import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def adds_one(dut):
    for a in range(16):
        dut.a.value = a
        await Timer(1, unit="ns")
        assert dut.y.value.to_unsigned() == (a + 1) % 16
"""
VCD = """\
$timescale 1ns $end
$scope module tb $end
$var wire 1 ! clk $end
$var wire 4 " state $end
$scope module dut $end
$var wire 4 # inner_ptr $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
b0000 "
b0001 #
#5
1!
b0011 "
#10
0!
#15
1!
b0100 "
b1010 #
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {
        "good.v": GOOD,
        "bad.v": BAD,
        "tb.v": BENCH,
        "golden.v": GOOD.replace("a + 4'd1", "a - 4'd15"),
        "model.py": MODEL,
        "table.csv": TABLE,
        "test_add1.py": COCOTB,
        "dump.vcd": VCD,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    data = json.loads(capsys.readouterr().out)
    assert data["schema_version"] == 1
    return data


KINDS = [
    ("--testbench", "tb.v", "testbench"),
    ("--reference", "golden.v", "reference-rtl"),
    ("--reference", "model.py", "reference-model"),
    ("--vectors", "table.csv", "vectors"),
    ("--test", "test_add1.py", "cocotb"),
]


@pytest.mark.parametrize(("option", "file", "kind"), KINDS)
def test_check_without_a_spec(
    here: Path, capsys: pytest.CaptureFixture[str], option: str, file: str, kind: str
) -> None:
    assert run(["check", "good.v", option, file, "-q", "--json"]) == 0
    (result,) = told(capsys)["results"]
    assert result["verdict"] == "verified"
    assert result["module"] == "add1"
    assert [c["kind"] for c in result["checks"]] == [kind]
    assert run(["check", "bad.v", option, file, "-q"]) == 1


def test_check_with_nothing_but_the_design_compiles(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "good.v", "-q", "--json"]) == 0
    assert told(capsys)["results"][0]["verdict"] == "compiles"
    assert run(["check", "good.v", "--require", "verified", "-q"]) == 1


def test_several_checks_must_all_pass(here: Path) -> None:
    (here / "weak.csv").write_text("a,y\n0,1\n")
    assert run(["check", "good.v", "--vectors", "weak.csv", "--testbench", "tb.v", "-q"]) == 0
    (here / "less.v").write_text(GOOD.replace("a + 4'd1", "4'd1"))
    assert run(["check", "less.v", "--vectors", "weak.csv", "--testbench", "tb.v", "-q"]) == 1


def test_the_module_to_judge(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "two.v").write_text(GOOD + "module other(input b, output c); assign c = b; endmodule\n")
    assert run(["check", "two.v", "-q"]) == 2
    assert "name one with --top" in capsys.readouterr().err
    assert run(["check", "two.v", "--top", "other", "-q"]) == 0
    assert run(["check", "two.v", "--top", "none", "-q"]) == 2
    assert "modules there: add1, other" in capsys.readouterr().err
    assert run(["check", "two.v", "--testbench", "tb.v", "-q"]) == 0  # the bench says which


MISUSED = {
    "spec and check": (["check", "good.v", "--spec", "s.md", "--test", "t.py"], "exclude"),
    "no rtl": (["check", "s.md"], "name the RTL files"),
    "no such check": (["check", "good.v", "--testbench", "none.v"], "none.v: no such file"),
    "a folder": (["check", "good.v", "--testbench", "."], "is a folder"),
    "no such file": (["check", "none.v"], "none.v: no such file"),
    "mutate without checks": (["mutate", "good.v"], "no check"),
    "unknown operator": (["mutate", "good.v", "--operator", "x"], "'x'"),
    "no such waves": (["waves", "none.vcd"], "no such file"),
    "not waves": (["waves", "good.v"], "name a VCD or FST file"),
    "a folder of waves": (["waves", "."], "name a file in it: dump.vcd"),
    "no such signal": (["waves", "dump.vcd", "nope"], "the first are tb.clk, tb.state"),
    "near a signal": (["waves", "dump.vcd", "inerptr"], "did you mean tb.dut.inner_ptr?"),
    "no window": (["waves", "dump.vcd", "--from", "9", "--to", "3"], "--from 9 is after --to 3"),
    "around what": (["waves", "dump.vcd", "--around", "9", "--to", "3"], "lies outside"),
    "clock of 4 bits": (["waves", "dump.vcd", "--clock", "state"], "has 4 bits; a clock has one"),
}


@pytest.mark.parametrize("what", sorted(MISUSED))
def test_misuse_is_one_clear_message(
    here: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    arguments, message = MISUSED[what]
    assert run(arguments) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err


def test_a_sandbox_that_is_off_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["check", "good.v", "--vectors", "table.csv", "-q", "--json"]
    assert run([*command, "--sandbox", "off"]) == 0
    (result,) = told(capsys)["results"]
    assert result["checks"][0]["sandboxed"] is False
    assert any("without a sandbox" in note for note in result["notes"])


def test_mutate_reports_a_score(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["mutate", "good.v", "--testbench", "tb.v", "--count", "12", "--jobs", "2"]
    assert run([*command, "--json", "-q", "--fail-under", "0.9"]) == 0
    data = told(capsys)
    assert data["score"] >= 0.9
    assert 8 <= sum(data["counts"].values()) <= 12  # a small design has few places
    assert data["sound"]


def test_mutate_shows_what_a_weak_check_misses(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "weak.csv").write_text("a,y\n0,1\n")
    command = ["mutate", "good.v", "--vectors", "weak.csv", "--count", "12", "--fail-under", "0.95"]
    assert run(command) == 1
    shown = capsys.readouterr()
    assert "mutation score" in shown.out
    assert "not noticed: " in shown.out
    assert "+  assign y = " in shown.out
    assert " faults tried" in shown.err


def test_mutate_of_a_design_that_fails(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mutate", "bad.v", "--vectors", "table.csv", "--count", "3", "-q"]) == 1
    assert "does not pass its own checks" in capsys.readouterr().out
    assert run(["mutate", "--list-operators"]) == 0
    assert "off-by-one" in capsys.readouterr().out


def test_waves_as_a_table(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["waves", "dump.vcd"]) == 0
    head, clk, state = capsys.readouterr().out.splitlines()
    assert head.split() == ["ns", "0", "5", "10", "15"]
    assert clk.split() == ["tb.clk", "0", "1", "0", "1"]
    assert state.split() == ["tb.state", "0000", "0011", "0011", "0100"]


def test_waves_by_pattern_clock_and_window(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["waves", "dump.vcd", "*_ptr", "--clock", "clk"]) == 0
    head, pointer = capsys.readouterr().out.splitlines()
    assert head.split() == ["ns", "5", "15"]
    assert pointer.split() == ["tb.dut.inner_ptr", "0001", "1010"]
    assert run(["waves", "dump.vcd", "state", "--around", "14", "--columns", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["ns", "15"]
    assert run(["waves", "dump.vcd", "state", "--from", "100"]) == 0
    told = "nothing was recorded in this window; there are changes from 0 to 15 ns"
    assert told in capsys.readouterr().out


def test_waves_that_were_cut_off_are_shown_and_told(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "torn.vcd").write_text(VCD[: VCD.index("b0100")] + "b01")
    assert run(["waves", "torn.vcd", "state"]) == 0
    shown = capsys.readouterr()
    assert "torn.vcd: cut off within a line" in shown.err
    assert shown.out.splitlines()[1].split() == ["tb.state", "0000", "0011"]


def test_waves_as_wavedrom(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["waves", "dump.vcd", "clk", "state", "--json"]) == 0
    data = told(capsys)
    lanes = {lane["name"]: lane for lane in data["signal"][0][1:]}
    assert lanes["tb.clk"]["wave"] == "0101"
    assert lanes["tb.state"]["data"] == ["0000", "0011", "0100"]
    assert data["times_ns"] == [0, 5, 10, 15]
    assert run(["waves", "dump.vcd", "--list", "--json"]) == 0
    listed = told(capsys)
    assert {s["name"]: s["width"] for s in listed["signals"]}["tb.dut.inner_ptr"] == 4


def test_a_module_defined_twice_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.v").write_text("module twice(input a, output b); assign b = a; endmodule\n")
    (here / "b.v").write_text((here / "a.v").read_text())
    assert run(["check", "a.v", "b.v"]) == 2
    assert "module twice is defined 2 times" in capsys.readouterr().err


def test_a_reader_that_went_away_is_no_verdict(here: Path) -> None:
    program = "from rtl_agent.agent.cli.main import main; main()"
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", program, "waves", "dump.vcd", "--list"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")
