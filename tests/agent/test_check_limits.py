"""`check` on what is missing, unreadable or large: one clear result each time, within limits."""

from __future__ import annotations

import json
import os
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest
from rtl_agent.agent.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path

WIRE = "module m(input [7:0] a, output [7:0] y); assign y = a; endmodule\n"
TABLE = "a,y\n1,1\n255,255\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.v").write_text(WIRE, encoding="utf-8")
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run(["check", *arguments, "--json", "-q"])
    return code, json.loads(capsys.readouterr().out)["results"][0]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and message; results are not printed."""
    code = run(["check", *arguments])
    shown = capsys.readouterr()
    assert not shown.out
    assert "Traceback" not in shown.err
    return code, shown.err


def test_files_that_cannot_be_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "folder.v").mkdir()
    (here / "binary.v").write_bytes(b"\x7fELF\0\0")
    (here / "latin.v").write_bytes("module m; // größe\nendmodule\n".encode("latin-1"))
    (here / "loop.v").symlink_to("loop.v")
    for name, says in (
        ("folder.v", "is a folder"),
        ("binary.v", "zero byte"),
        ("latin.v", "not UTF-8"),
        ("loop.v", "loop.v"),
        ("none.v", "no such file"),
        ("/dev/null", "not a regular file"),
    ):
        code, message = refused(capsys, name)
        assert code == 2
        assert says in message
        assert message.count("error:") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "m.v").chmod(0)
    code, message = refused(capsys, "m.v")
    assert code == 2
    assert "permissions" in message


def test_an_empty_file_and_one_of_comments(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty.v").write_text("")
    (here / "words.v").write_text("// nothing here\n")
    for name in ("empty.v", "words.v"):
        code, message = refused(capsys, name)
        assert code == 2
        assert "no module" in message


def test_without_the_simulator(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(here))
    code, message = refused(capsys, "m.v", "--vectors", "t.csv")
    assert code == 3
    assert "Icarus Verilog is not installed" in message
    assert "apt-get install iverilog" in message


def test_without_the_optional_tools_the_verdict_stands_and_says_who_did_not_look(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rtl_agent.tools.toolchain import tool

    monkeypatch.setattr(tool.Tool, "available", lambda self: self.name in {"iverilog", "vvp"})
    bin_ = here / "bin"
    bin_.mkdir()
    for name in ("iverilog", "vvp"):
        (bin_ / name).symlink_to(shutil.which(name) or "")
    code, result = checked(capsys, "m.v", "--vectors", "t.csv")
    assert code == 0
    assert result["verdict"] == "verified"


def hierarchy(count: int) -> str:
    """`count` modules, each in the next."""
    parts = ["module m0(input [7:0] a, output [7:0] y); assign y = a; endmodule"]
    parts += [
        f"module m{i}(input [7:0] a, output [7:0] y);\n  m{i - 1} u(.a(a), .y(y));\nendmodule"
        for i in range(1, count)
    ]
    return "\n".join(parts) + "\n"


def test_two_hundred_modules(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "many.v").write_text(hierarchy(200), encoding="utf-8")
    code, result = checked(capsys, "many.v", "--vectors", "t.csv")
    assert code == 0
    assert result["verdict"] == "verified"
    assert result["module"] == "m199"


def test_two_hundred_files(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, text in enumerate(hierarchy(200).split("\nmodule ")):
        whole = text if number == 0 else f"module {text}"
        (here / f"f{200 - number:03d}.v").write_text(whole + "\n", encoding="utf-8")
    code, result = checked(capsys, *sorted(p.name for p in here.glob("f*.v")))
    assert code == 0
    assert result["module"] == "m199"


def netlist(size: int) -> str:
    """Gates in a row, at least `size` bytes of text."""
    lines = ["module net(input a, input b, output y);", "  wire n0 = a;"]
    length, count = 0, 0
    while length < size:
        count += 1
        line = f"  wire n{count}; nand g{count}(n{count}, n{count - 1}, b);"
        lines.append(line)
        length += len(line) + 1
    return "\n".join([*lines, f"  assign y = n{count};", "endmodule", ""])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_netlist_of_five_megabytes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "net.v").write_text(netlist(5 * 1024 * 1024), encoding="utf-8")
    assert (here / "net.v").stat().st_size > 5 * 1024 * 1024
    started = time.monotonic()
    code, result = checked(capsys, "net.v")
    assert time.monotonic() - started < 600
    assert result["verdict"] in {"compiles", "failed"}
    assert result["reason"]
    assert code == (0 if result["verdict"] == "compiles" else 1)


def test_a_netlist_of_a_quarter_megabyte(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "net.v").write_text(netlist(256 * 1024), encoding="utf-8")
    code, result = checked(capsys, "net.v")
    assert code == 0
    assert result["verdict"] == "compiles"
