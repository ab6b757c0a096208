"""The loop's tools as they really are: parser, screen, Icarus, linters, checks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import MissingError
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.prepared import open_bench
from rtl_agent.tools.checks.syntax import never_checks, syntax_problem
from rtl_agent.tools.checks.types import CheckKind, Dut, Limits
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.errors import CheckUnusable
from rtl_agent.tools.lint import lint
from rtl_agent.tools.parse import parse_files
from rtl_agent.tools.sandbox import best_sandbox
from rtl_agent.tools.screen import screen
from rtl_agent.tools.simulate.icarus import require_icarus

from .options import SandboxPolicy
from .toolbox import Linted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import Check, CheckResult, CheckSource

__all__ = ["RealToolbox"]

_COMPILE_LIMITS = Limits(wall_s=30.0)


class RealToolbox:
    """Implements `Toolbox` with `rtl_agent.tools`."""

    def __init__(self, sandbox: SandboxPolicy = SandboxPolicy.AUTO) -> None:
        self._sandbox = sandbox

    def prepare(self, spec: Spec) -> tuple[Check, ...]:
        """Make the spec's checks ready.

        Raises:
            CheckUnusable: one of them can never run.
            ToolMissing: Icarus is not installed.
            MissingError: a sandbox is required and none works.
        """
        require_icarus()
        if self._sandbox is SandboxPolicy.REQUIRE and not best_sandbox().isolates:
            raise MissingError(
                "a sandbox is required and none works here",
                remedy="install bubblewrap (apt-get install bubblewrap), or drop the requirement",
            )
        for source in spec.checks:
            _require_sound(source)
        return tuple(
            make_check(source, clocking=spec.clocking, timescale=spec.timescale)
            for source in spec.checks
        )

    def screen(self, files: Sequence[Path], spec: Spec) -> tuple[Diagnostic, ...]:
        """Find what lets a DUT cheat or reach outside, and a wrong interface.

        Of source that cannot be parsed the interface is not compared: it would be reported as
        missing, where the compiler has the real reason.
        """
        model = parse_files([*spec.context, *files], language=spec.language)
        wanted = spec.interface if model.ok and spec.interface.ports else None
        given = {str(path) for path in spec.context}
        found = screen(model, wanted)
        return tuple(d for d in found if d.file not in given)

    def lint(self, files: Sequence[Path], spec: Spec, workdir: Path) -> Linted:
        """Compile with Icarus as a check would, and lint with every tool there is.

        Whether it compiles is Icarus' own word; the linters' errors come beside it.
        """
        paths = (*spec.context, *files)
        dut = Dut(paths, spec.interface, spec.language)
        limits = self._limits(_COMPILE_LIMITS)
        bench = open_bench(dut, workdir / "compile", limits=limits, timescale=spec.timescale)
        scratch = workdir / "lint"
        scratch.mkdir()
        linted = lint(paths, scratch, top=spec.interface.module, language=spec.language)
        given = {str(path) for path in spec.context}
        found = tuple(d for d in linted.diagnostics if d.file not in given)
        if not bench.compiled.ok and not any(d.severity is Severity.ERROR for d in found):
            found = (*bench.compiled.diagnostics, *found)
        if bench.compiled.crashed:
            found = (_crash(paths[-1], bench.compiled.log), *found)
        return Linted(bench.compiled.ok, found, linted.tools_used, linted.tools_missing)

    def check(
        self, check: Check, dut: Dut, workdir: Path, *, limits: Limits, seed: int
    ) -> CheckResult:
        """Judge `dut` by one check."""
        return check.run(dut, workdir, limits=self._limits(limits), seed=seed)

    def _limits(self, limits: Limits) -> Limits:
        """`limits`, without a sandbox where the user turned it off by name."""
        return replace(limits, unsandboxed=self._sandbox is SandboxPolicy.OFF)


def _crash(path: Path, log: str) -> Diagnostic:
    """The simulator's compiler died: a fault of the tool, whatever the design is."""
    last = (log.strip().splitlines() or ["no message"])[-1]
    message = f"Icarus crashed on this design, which may be right ({last})"
    hint = "write the construct in another way, or use a newer Icarus"
    return Diagnostic(str(path), 0, 0, Severity.ERROR, "tool-crash", message, hint, "icarus")


def _require_sound(source: CheckSource) -> None:
    """Raise `CheckUnusable` for a Python check that is wrong on its face."""
    problem, remedy = "", ""
    if source.kind in {CheckKind.COCOTB, CheckKind.REFERENCE_MODEL}:
        problem, remedy = syntax_problem(source), "correct the check"
    if not problem and source.kind is CheckKind.COCOTB:
        problem = never_checks(source)
        remedy = "let it assert what the design must do"
    if problem:
        raise CheckUnusable(problem, remedy=remedy)
