"""Files in the wrong place, numbers that are none, and checks that are at fault themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from add1_kit import GOOD, SPEC
from rtl_agent.agent.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path

LAZY = 'module tb; initial begin $display("PASS"); $finish; end endmodule\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {
        "good.v": GOOD,
        "spec.md": SPEC,
        "other.md": SPEC,
        "inc.md": SPEC.replace("add1", "inc"),
        "syntax.v": GOOD.replace("4'd1", ""),
        "ports.v": GOOD.replace("a", "x").replace("xdd1", "add1").replace("xssign", "assign"),
        "wide.v": GOOD.replace("[3:0]", "[7:0]"),
        "turned.v": "module add1(output [3:0] a, input [3:0] y); assign a = y; endmodule\n",
        "more.v": GOOD.replace("add1(", "add1(input b, "),
        "empty.v": "",
        "two.v": GOOD.replace("add1", "p") + GOOD.replace("add1", "q"),
        "stepless.py": "x = 1\n",
        "lazy.v": LAZY,
        "torn.v": LAZY.replace("initial", "add1 d(, initial"),
        "t.csv": "a,y\n0,1\n",
        "d.vcd": "$end\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    """The message of a usage error."""
    assert run(arguments) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert "Traceback" not in shown.err
    assert "internal error" not in shown.err
    return shown.err


WRONG_PLACE = {
    "mutate s r": (["mutate", "spec.md", "good.v"], "spec.md: is Markdown, not RTL", "--spec"),
    "mutate r s": (["mutate", "good.v", "spec.md"], "spec.md: is Markdown", "--spec spec.md"),
    "mutate s": (["mutate", "spec.md"], "spec.md: is Markdown", "--spec spec.md"),
    "check r s": (["check", "good.v", "spec.md"], "spec.md: is Markdown", "--spec spec.md"),
    "check s s": (["check", "spec.md", "other.md"], "other.md: is Markdown", "the spec is spec.md"),
    "check r py": (["check", "good.v", "stepless.py"], "is Python", "--reference stepless.py"),
    "check r csv": (["check", "good.v", "t.csv"], "t.csv: is a table", "--vectors t.csv"),
    "check vcd": (["check", "d.vcd"], "d.vcd: is a recording", "rtl-agent waves d.vcd"),
    "check spec r": (["check", "good.v", "--spec", "good.v"], "good.v: is Verilog", "Markdown"),
    "mutate spec r": (["mutate", "good.v", "--spec", "good.v"], "good.v: is Verilog", "(.md)"),
    "solve r": (["solve", "good.v"], "good.v: is Verilog", "rtl-agent check good.v"),
    "test": (["check", "good.v", "--test", "lazy.v"], "--test lazy.v: is Verilog", ".py"),
    "bench": (["check", "good.v", "--testbench", "t.csv"], "is a table", "Verilog bench"),
    "reference": (["check", "good.v", "--reference", "spec.md"], "is Markdown", "golden"),
    "vectors": (["check", "good.v", "--vectors", "good.v"], "is Verilog", ".csv"),
    "top": (["check", "good.v", "--spec", "spec.md", "--top", "b"], "--top b", "module add1"),
}


@pytest.mark.parametrize("what", sorted(WRONG_PLACE))
def test_a_file_in_the_place_of_another(
    here: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    arguments, message, remedy = WRONG_PLACE[what]
    said = refused(capsys, arguments)
    assert message in said
    assert remedy in said


NO_NUMBERS = [
    *([*"mutate good.v --spec spec.md --fail-under".split(), n] for n in ("nan", "inf", "-1")),
    *(
        [*"waves d.vcd".split(), o, n]
        for o in ("--from", "--to", "--around")
        for n in ("nan", "-5")
    ),
    *(["decode", "verify", "--minutes", n] for n in ("nan", "inf", "0", "-1")),
    ["decode", "verify", "--self", "-1"],
    ["decode", "bench", "--disturbed", "nan"],
    ["decode", "table", "build", "good.v", "--max-mb", "nan"],
    ["decode", "cases", "x.jsonl", "--each", "-1"],
    ["corpus", "pairs", "x.jsonl", "--repairs", "nan"],
    *(["train", "x.jsonl", "--out", "o", "--minutes", n] for n in ("nan", "inf", "-1")),
    ["train", "heads", "x.jsonl", "--out", "o", "--minutes", "nan"],
]


@pytest.mark.parametrize("arguments", NO_NUMBERS, ids=" ".join)
def test_a_number_that_is_none(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    said = refused(capsys, arguments)
    assert arguments[-2] in said
    assert arguments[-1] in said


def test_a_percentage_is_told_how_it_is_written(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for given in ("95", "95%"):
        said = refused(capsys, ["mutate", "good.v", "--spec", "spec.md", "--fail-under", given])
        assert "Write 95 % as 0.95" in said
    assert "Write" not in refused(
        capsys, ["mutate", "good.v", "--spec", "spec.md", "--fail-under", "many"]
    )


def test_a_setting_that_is_no_number(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "x.jsonl", "--out", "o", "--set"]
    assert "finite" in refused(capsys, [*command, "learning_rate=nan"])
    assert "is on or off" in refused(capsys, [*command, "tensorboard=maybe"])


def test_a_module_that_is_not_there(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, ["mutate", "good.v", "--spec", "inc.md", "-q"])
    assert "good.v: no module inc, which inc.md asks for; modules there: add1" in said
    assert run(["check", "good.v", "--spec", "inc.md", "-q"]) == 1  # a verdict on the design
    assert "must be called `inc`; found `add1`" in capsys.readouterr().out


FAULTY = {
    "syntax": ("--reference", "syntax.v", "syntax.v:1: the golden design cannot be simulated"),
    "ports": ("--reference", "ports.v", "ports.v:1: the golden design has no port a (its ports: x"),
    "wide": ("--reference", "wide.v", "wide.v:1: the golden design has port a of 8 bits"),
    "turned": ("--reference", "turned.v", "turned.v:1: the golden design has port a as output"),
    "stepless": ("--reference", "stepless.py", "the model has neither"),
    "bench unused": ("--testbench", "lazy.v", "the bench does not instantiate add1"),
    "bench torn": ("--testbench", "torn.v", "torn.v:1: error: syntax error"),
}


@pytest.mark.parametrize("what", sorted(FAULTY))
def test_a_faulty_check_is_not_the_fault_of_the_design(
    here: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    option, file, message = FAULTY[what]
    assert run(["check", "good.v", option, file, "-q", "--json"]) == 2
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["verdict"], result["stop_reason"]) == ("failed", "check-broken")
    assert message in result["reason"]


def test_a_reference_that_defines_no_such_module(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, ["check", "good.v", "--reference", "two.v", "-q"])
    assert "two.v:1: no module add1 in the golden design (modules there: p, q)" in said
    said = refused(capsys, ["check", "good.v", "--reference", "empty.v", "-q"])
    assert "has to define module add1" in said


def test_a_design_that_lacks_an_input_of_the_reference(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "good.v", "--reference", "more.v", "-q"]) == 1
    assert "no input b, which the golden design has" in capsys.readouterr().out


def test_mutate_with_a_faulty_reference(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mutate", "good.v", "--reference", "ports.v", "-q"]) == 2
    assert "a check cannot judge any design" in capsys.readouterr().out
