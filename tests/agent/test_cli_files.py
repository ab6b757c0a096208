"""Files that are missing or damaged, numbers out of bounds, and what a report says of files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from add1_kit import GOOD, SPEC
from rtl_agent.agent.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "good.v": GOOD,
        "other.v": GOOD.replace("add1", "other"),
        "torn.v": GOOD.replace("endmodule", "").replace("add1", "torn"),
        "spec.md": SPEC,
        "bad.jsonl": '{"kind": "else", "prompt": "a", "answer": "b"}\n',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    """What a command that exits with `code` prints."""
    assert run(list(arguments)) == code
    shown = capsys.readouterr()
    assert "internal error" not in shown.err
    assert "Traceback" not in shown.err
    return shown.out + shown.err


def test_a_design_without_the_module_is_told_which_file(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, 1, "check", "spec.md", "other.v", "-q")
    assert f"{here / 'other.v'}:1: the top module must be called `add1`; found `other`" in text
    assert "name the file that defines `add1`, or correct the module of the spec (spec.md)" in text
    (report,) = here.glob("rtl-out/runs/*/report.md")
    assert f"{here / 'other.v'}:1: the top module" in report.read_text("utf-8")


def test_the_reason_names_the_file_of_a_design_of_several(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, 1, "check", "good.v", "torn.v", "--top", "add1", "-q")
    assert f"\n  {here / 'torn.v'}:" in text


def test_the_report_without_a_spec_names_none(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, 0, "check", "good.v", "-q")
    (report,) = here.glob("rtl-out/runs/*/report.md")
    text = report.read_text("utf-8")
    assert "standard input" not in text
    assert "- spec: none" in text
    assert f"rtl-agent check {here / 'good.v'} --top add1\n" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--cases", "no.jsonl"],
        ["bench", "--cases", "no.jsonl"],
        ["bench", "--cases", "."],
        ["verify", "--table", "no.bin"],
        ["bench", "--heads", "no.safetensors"],
        ["verify", "--keep", "no/such/keep.jsonl"],
        ["cases", "no.jsonl"],
        ["cases", "bad.jsonl"],
        ["cases", "bad.jsonl", "--out", "no/such/cases.jsonl"],
        ["table", "build", "no.v"],
        ["table", "build", "good.v", "--out", "no/such/table.bin"],
    ],
    ids=" ".join,
)
def test_a_missing_input_of_decode_is_wrong_usage(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    text = said(capsys, 2, "decode", *arguments)
    assert "  -> " in text or "cannot be written; name a file" in text


def test_a_missing_model_of_decode_is_missing(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no such folder" in said(capsys, 3, "decode", "verify", "--model", "./no")
    assert "no such folder" in said(
        capsys, 3, "decode", "verify", "--draft-model", str(here / "no")
    )


@pytest.mark.parametrize("value", ["inf", "nan", "1e400", "-1", "1e30"])
def test_a_duration_in_a_file_that_is_none(
    here: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    (here / ".rtl-agent.toml").write_text(f"\ntimeout = {value}\n")
    assert ".rtl-agent.toml:2: timeout: " in said(capsys, 2, "check", "good.v")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("check-timeout", "1e30h"),
        ("check-timeout", "99999999999h"),
        ("check-timeout", "nan"),
        ("seed", "9" * 30),
        ("jobs", "9" * 30),
    ],
)
def test_a_number_that_nothing_could_be_meant_by(
    here: Path, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    assert option in said(capsys, 2, "check", "good.v", f"--{option}", value)


HOSTILE = {
    "mark.v": "\ufeff",
    "word.v": GOOD.replace("add1", "reg"),
    "ring.v": "module a(input x); b u(x); endmodule\nmodule b(input x); a u(x); endmodule\n",
    "two.v": GOOD + GOOD.replace("add1", "other"),
    "line\nbreak.v": GOOD,
}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mark.v", "no module in mark.v"),
        ("word.v", "no module in word.v; the first error: word.v:1: expected identifier"),
        ("ring.v", "no module stands at the top: a, b are instantiated within each other"),
        ("two.v", "several modules could be meant: add1, other; name one with --top"),
        ("line\nbreak.v", "'line\\nbreak.v': a line break or control character in the path"),
        ("pipe.v", "pipe.v is not a regular file"),
        ("loop.v", "loop.v cannot be read: Too many levels of symbolic links"),
        ("/dev/null", "/dev/null is not a regular file"),
    ],
    ids=["mark", "keyword", "ring", "two", "break", "pipe", "loop", "null"],
)
@pytest.mark.parametrize("command", ["check", "mutate"])
def test_hostile_files(
    here: Path, capsys: pytest.CaptureFixture[str], command: str, name: str, message: str
) -> None:
    if name in HOSTILE:
        (here / name).write_text(HOSTILE[name], encoding="utf-8")
    os.mkfifo(here / "pipe.v")
    (here / "loop.v").symlink_to("loop.v")
    checks = [] if command == "check" else ["--reference", "good.v"]
    assert message in said(capsys, 2, command, name, *checks)


@pytest.mark.parametrize("command", [["check", "pipe.md", "good.v"], ["solve", "pipe.md"]])
def test_a_pipe_for_a_spec_does_not_wait(
    here: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    os.mkfifo(here / "pipe.md")
    assert "pipe.md: is not a regular file" in said(capsys, 2, *command)


def test_a_spec_may_come_through_a_pipe_of_the_shell(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside, outside = os.pipe()
    os.write(outside, SPEC.encode())
    os.close(outside)
    try:
        said(capsys, 0, "check", "good.v", "--spec", f"/dev/fd/{inside}", "-q")
    finally:
        os.close(inside)


def test_a_missing_include_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '`include "nope.vh"\n' + GOOD
    (here / "inc.v").write_text(text, encoding="utf-8")
    assert "nope.vh" in said(capsys, 1, "check", "inc.v", "-q")
    assert "nope.vh not found" in said(capsys, 2, "check", "good.v", "--reference", "inc.v", "-q")


def test_a_module_within_itself_is_not_called_legal(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "self.v").write_text("module s(input x); s u(x); endmodule\n", encoding="utf-8")
    text = said(capsys, 1, "check", "self.v", "-q")
    assert "within itself" in text
    assert "legal" not in text


def test_the_report_of_several_files_names_all_and_what_was_required(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, 0, "check", "spec.md", "good.v", "other.v", "-q", "--require", "compiles")
    (report,) = here.glob("rtl-out/runs/*/report.md")
    again = f"check spec.md {here / 'good.v'} {here / 'other.v'} --require compiles\n"
    assert again in report.read_text("utf-8")


def test_what_is_not_there_is_said_in_one_way(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, kind in (
        (["check", "no.v"], "file"),
        (["check", "good.v", "--vectors", "no.csv"], "file"),
        (["solve", "no.md"], "file"),
        (["ci", "--config", "no.yaml"], "file"),
        (["replay", "no"], "folder"),
        (["solve", "spec.md", "--library", "no"], "folder"),
    ):
        assert f"{arguments[-1]}: no such {kind}" in said(capsys, 2, *arguments)
    assert "good.v: is a file" in said(capsys, 2, "replay", "good.v")
