"""The shell around the commands: help, errors, exit codes, what is imported."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import click.testing
import pytest
from cli_kit import rtl_agent
from rtl_agent.agent.cli import main
from rtl_agent.agent.cli.registry import COMMANDS, LazyGroup
from rtl_agent.agent.errors import BackendError, MissingError, SpecError
from rtl_agent.decoding.errors import ModelMissing, PromptTooLong
from rtl_agent.tools.errors import CheckUnusable, ToolMissing

if TYPE_CHECKING:
    from pathlib import Path


def test_help_is_light(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from rtl_agent.agent.cli.main import run\n"
        "assert run(['--help']) == 0\n"
        "heavy = {'torch', 'transformers', 'langgraph', 'pyslang', 'pydantic', 'rich', 'numpy'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "print(time.process_time(), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "Commands:" in done.stdout
    assert float(done.stderr) < 0.3  # processor seconds: wall time depends on the machine's load


def test_help_lists_every_command_with_its_line() -> None:
    runner = click.testing.CliRunner()
    text = runner.invoke(main.cli, ["--help"]).output
    for name, entry in COMMANDS.items():
        assert re.search(rf"^  {name}\s+{re.escape(entry.summary[:20])}", text, re.MULTILINE)
    for code in ("0 the required verdict", "3 a required tool", "130 interrupted"):
        assert code in " ".join(text.split())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_teaches_with_examples(name: str) -> None:
    text = click.testing.CliRunner().invoke(main.cli, [name, "--help"]).output
    assert "Usage:" in text
    if name not in ("corpus", "train"):  # tools of this project's own making
        assert "Example" in text


def test_a_mistyped_command_is_told_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["sovle", "x"]) == 2
    assert "Did you mean 'solve'?" in capsys.readouterr().err


def test_no_command_shows_help() -> None:
    result = click.testing.CliRunner().invoke(main.cli, [])
    assert "Commands:" in result.output


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["--version"]) == 0
    assert re.match(r"rtl-agent, version \d", capsys.readouterr().out)


ERRORS = {
    "spec": (SpecError("s.md:3: bad", remedy="mend it"), 2),
    "missing": (MissingError("no tool", remedy="get it"), 3),
    "server": (BackendError("no answer", remedy="start it"), 3),
    "tool": (ToolMissing("no iverilog", remedy="apt-get"), 3),
    "check": (CheckUnusable("s.md:9: no test", remedy="write one"), 2),
    "model": (ModelMissing("no model", remedy="pull it"), 3),
    "prompt": (PromptTooLong("too long", remedy="shorten it"), 2),
    "bug": (ZeroDivisionError("oh"), 70),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_one_message_a_remedy_and_a_code(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error, code = ERRORS[name]

    @click.command()
    def boom() -> None:
        raise error

    monkeypatch.setattr(LazyGroup, "get_command", lambda *_: boom)
    monkeypatch.delenv("RTL_AGENT_DEBUG", raising=False)
    assert main.run(["solve"]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Traceback" not in shown.err
    assert shown.err.startswith("error: ")
    assert str(error) in shown.err
    assert "\n  -> " in shown.err


def test_a_bug_shows_its_place_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def boom() -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(LazyGroup, "get_command", lambda *_: boom)
    monkeypatch.setenv("RTL_AGENT_DEBUG", "1")
    assert main.run(["solve"]) == 70
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("kind", [KeyboardInterrupt, click.Abort])
def test_an_interrupt_is_130(
    kind: type[BaseException], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def stop() -> None:
        raise kind

    monkeypatch.setattr(LazyGroup, "get_command", lambda *_: stop)
    assert main.run(["solve"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m rtl_agent.agent.cli.main config show | true"
    env = {**os.environ, "RTL_AGENT_CONFIG": os.devnull, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path, env=env
    )
    assert "Traceback" not in done.stderr
    assert "error" not in done.stderr.lower()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    result = click.testing.CliRunner().invoke(main.cli, ["completion", shell])
    assert result.exit_code == 0
    assert "_RTL_AGENT_COMPLETE" in result.output


def test_completion_completes(tmp_path: Path) -> None:
    env = {"_RTL_AGENT_COMPLETE": "bash_complete", "COMP_WORDS": "rtl-agent so", "COMP_CWORD": "1"}
    assert "solve" in rtl_agent(cwd=tmp_path, env=env).stdout


def test_config_show_in_a_project(tmp_path: Path) -> None:
    (tmp_path / ".rtl-agent.toml").write_text("seed = 4\n")
    done = rtl_agent("config", "show", "seed", "attempts", cwd=tmp_path)
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["seed", "4", f"{tmp_path / '.rtl-agent.toml'}:1"]
    assert lines[1] == ["attempts", "4", "default"]


def test_config_with_an_unknown_key(tmp_path: Path) -> None:
    (tmp_path / ".rtl-agent.toml").write_text("sede = 4\n")
    done = rtl_agent("config", "show", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert ".rtl-agent.toml:1: unknown setting 'sede'" in done.stderr


def test_config_show_of_an_unknown_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["config", "show", "bogus"]) == 2
    assert "unknown setting 'bogus'" in capsys.readouterr().err
