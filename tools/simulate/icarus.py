"""Icarus Verilog: compile, and run what was compiled."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity
from ..errors import ToolMissing
from ..process import Limits, ProcessResult, Silence, run
from .timescale import DEFAULT_TIMESCALE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ..sandbox.base import Sandbox

__all__ = ["CompileResult", "compile_icarus", "require_icarus", "run_vvp"]

_LINE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+): (?P<rest>.*)$")
_GENERATIONS = ("-g2012", "-g2005")
_CODES = (
    ("sorry", "unsupported-by-icarus"),
    ("syntax error", "syntax"),
    ("implicit definition", "implicit-net"),
    ("Unknown module type", "unknown-module"),
    ("Unable to bind", "undeclared"),
)
_UNMARKED = ("syntax error", "Syntax in", "Include file")  # errors that do not call themselves so
# The exit code counts errors, so it says nothing of a crash of the compiler behind the driver.
_CRASH = re.compile(
    r"^(Aborted|Segmentation fault|Floating point exception|Killed)\b|failed assertion|"
    r"Assertion [`'].*' failed|internal error",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class CompileResult:
    """What came of one compilation; `image` is None unless it succeeded."""

    image: Path | None
    diagnostics: tuple[Diagnostic, ...]
    log: str
    crashed: bool
    timed_out: bool
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether there is something to simulate."""
        return self.image is not None


def require_icarus() -> None:
    """Raise `ToolMissing` unless `iverilog` and `vvp` are installed."""
    for program in ("iverilog", "vvp"):
        if shutil.which(program) is None:
            raise ToolMissing(
                f"Icarus Verilog is not installed ({program} not found)",
                remedy="install it: apt-get install iverilog (Fedora: dnf install iverilog, "
                "macOS: brew install icarus-verilog)",
            )


def compile_icarus(  # noqa: PLR0913
    files: Sequence[Path],
    *,
    tops: Sequence[str],
    workdir: Path,
    limits: Limits,
    sandbox: Sandbox | None = None,
    timescale: str = DEFAULT_TIMESCALE,
    includes: Sequence[Path] = (),
    warnings: bool = False,
    image: str = "sim.vvp",
    origin: Callable[[str], str] = str,
    generations: Sequence[str] = _GENERATIONS,
) -> CompileResult:
    """Compile `files` in the order given into `workdir/image`.

    SystemVerilog is on; if that fails, Verilog-2005 is tried, where words such as `bit` or `do`
    are still names. `tops` are the root modules (none: Icarus picks). `timescale` holds for
    files that set none. `origin` turns a file name that Icarus prints into the user's.
    `generations` are the languages tried, in order.
    """
    require_icarus()
    (workdir / "cmds.f").write_text(f"+timescale+{timescale}\n")
    first: CompileResult | None = None
    for generation in generations:
        argv = ["iverilog", generation, "-o", str(workdir / image), "-c", str(workdir / "cmds.f")]
        argv += ["-Wall", "-Wno-timescale"] if warnings else ["-Wimplicit"]
        argv += [part for top in tops for part in ("-s", top)]
        argv += [part for folder in includes for part in ("-I", str(folder))]
        result = run([*argv, *map(str, files)], cwd=workdir, limits=limits, sandbox=sandbox)
        outcome = _outcome(result, workdir / image, origin)
        if outcome.ok or outcome.crashed or outcome.timed_out:
            return outcome if first is None or outcome.ok else first
        first = first or outcome
    assert first is not None
    return first


def run_vvp(  # noqa: PLR0913
    image: Path,
    *,
    workdir: Path,
    limits: Limits,
    sandbox: Sandbox | None = None,
    cwd: Path | None = None,
    waves: str = "none",
    plusargs: Sequence[str] = (),
    silence: Silence | None = None,
) -> ProcessResult:
    """Simulate `image`.

    Standard input is empty, so `$stop` prints `** VVP Stop` and the simulation goes on; with
    `-n` it would end the run without a word, as if by `$finish`.

    `cwd` is where the simulation stands and may write, `workdir` unless given. `waves` is the
    format of what the sources dump: `none` drops it, `fst` and `vcd` keep it.
    """
    argv = ["vvp", str(image), f"-{waves}", *plusargs]
    if sandbox is not None and cwd is not None and cwd != workdir:
        sandbox = sandbox.with_readable(workdir)
    return run(argv, cwd=cwd or workdir, limits=limits, sandbox=sandbox, silence=silence)


def _outcome(result: ProcessResult, image: Path, origin: Callable[[str], str]) -> CompileResult:
    crashed = result.stopped is None and (
        result.exit_code < 0 or bool(_CRASH.search(result.stderr))
    )
    good = result.ok and image.is_file()
    if not good:
        image.unlink(missing_ok=True)
    return CompileResult(
        image if good else None,
        _diagnostics(result.output, origin),
        result.output,
        crashed and not good,
        result.timed_out,
        result.seconds,
    )


def _diagnostics(log: str, origin: Callable[[str], str]) -> tuple[Diagnostic, ...]:
    found: list[Diagnostic] = []
    for line in log.splitlines():
        match = _LINE.match(line)
        if match is None:
            if line.startswith("error:") or "No top level modules" in line:
                found.append(_make("", 0, Severity.ERROR, line.removeprefix("error:").strip()))
            continue
        severity, message = _severity(match["rest"])
        if message and not (found and message.startswith(":")):
            found.append(_make(origin(match["file"]), int(match["line"]), severity, message))
    return tuple(dict.fromkeys(found))


def _severity(rest: str) -> tuple[Severity, str]:
    for word, severity in (
        ("error: ", Severity.ERROR),
        ("warning: ", Severity.WARNING),
        ("sorry: ", Severity.WARNING),
    ):
        if rest.startswith(word):
            return severity, rest if word == "sorry: " else rest.removeprefix(word)
    if any(said in rest for said in _UNMARKED):
        return Severity.ERROR, rest
    return Severity.NOTE, rest.lstrip(": ")


def _make(file: str, line: int, severity: Severity, message: str) -> Diagnostic:
    code = next((code for text, code in _CODES if text in message), "icarus")
    return Diagnostic(file, line, 0, severity, code, message, "", "icarus")
