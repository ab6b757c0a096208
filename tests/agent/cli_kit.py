"""What the tests of the command line share: a small spec, recorded answers, ways to run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.backends.replay import Recorder
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.config.build import solve_options
from rtl_agent.agent.config.schema import Settings
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.spec.read import read_spec
from rtl_agent.agent.styles.instruct import InstructStyle

if TYPE_CHECKING:
    from pathlib import Path

SPEC = """Implement a module named mux2.

- input a
- input b
- input sel
- output y

y is b when sel is 1, otherwise a.

| a | b | sel | y |
|---|---|-----|---|
| 0 | 1 | 0   | 0 |
| 0 | 1 | 1   | 1 |
| 1 | 0 | 0   | 1 |
| 1 | 0 | 1   | 0 |
"""
UNCHECKED = SPEC.split("| a |", maxsplit=1)[0]
GOOD = "module mux2(input a, input b, input sel, output y);\n  assign y = sel ? b : a;\nendmodule\n"
BAD = GOOD.replace("sel ? b : a", "sel ? a : b")
ONE = ("--attempts", "1", "--candidates", "1", "--no-library", "--no-search")


def fenced(code: str) -> str:
    return f"```verilog\n{code}```\n"


def record(spec: Path, answers: list[str], recording: Path, **changes: Any) -> Path:
    """Record a run on `spec` in which a model gives `answers`."""
    settings = Settings(
        attempts=len(answers), candidates=1, library=False, out=recording.parent / "made", **changes
    )
    backend = Recorder(ScriptedBackend([fenced(a) for a in answers]), recording)
    solve(read_spec(spec), solve_options(settings), backend, InstructStyle(prefill=False), None)
    return recording


def rtl_agent(
    *args: str, cwd: Path, stdin: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line as users do, in a process of its own."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("RTL_AGENT_")}
    clean["RTL_AGENT_CONFIG"] = os.devnull
    return subprocess.run(
        [sys.executable, "-m", "rtl_agent.agent.cli.main", *args],
        cwd=cwd,
        input=stdin,
        env={**clean, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def only(text: str) -> Any:
    """The one JSON object that `text` must be."""
    return json.loads(text)
