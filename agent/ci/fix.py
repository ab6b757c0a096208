"""Repairs designs that fall short, on copies, and gives what became of them as one patch.

The files of the repository are never written. A fix counts only after the files as the patch
would leave them were judged again, with every other design that uses them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.graph.run import check_design
from rtl_agent.tools.checks.types import CheckStatus

from .check import judge, options_of
from .patch import read_exact, splice, unified

if TYPE_CHECKING:
    from rtl_agent.agent.graph.options import SolveOptions
    from rtl_agent.agent.report.result import SolveResult
    from rtl_agent.agent.spec.model import Spec

    from .check import DesignReport
    from .manifest import Design, Manifest

__all__ = ["Fix", "Fixer", "Solver"]

# Runs the loop on a spec from the design in these files.
Solver = Callable[["Spec", "SolveOptions", Sequence[Path]], "SolveResult"]


@dataclass(frozen=True, slots=True)
class Fix:
    """What became of the attempt to repair one design."""

    name: str
    fixed: bool
    reason: str


class Fixer:
    """Works on copies of all RTL files of a manifest below `scratch`, which is empty."""

    def __init__(
        self,
        manifest: Manifest,
        reports: Sequence[DesignReport],
        options: SolveOptions,
        solve: Solver,
        scratch: Path,
    ) -> None:
        self._root = manifest.root.resolve()
        self._reports = {report.design.name: report for report in reports}
        self._good = {report.design.name for report in reports if report.ok}
        self._options = options
        self._solve = solve
        self._scratch = scratch
        self._before: dict[str, str] = {}
        for report in reports:
            for path in report.design.rtl:
                if (name := self._name(path)) is not None:
                    self._before[name] = read_exact(path.read_bytes())
        self._now = dict(self._before)
        self._write(self._now)
        self._kept = self._untouchable()

    def patch(self) -> str:
        """All fixes so far as one diff, its paths relative to the manifest's folder."""
        return unified(self._before, self._now)

    def fix(self, name: str) -> Fix:
        """Try to repair the design called `name`."""
        report = self._reports[name]
        spec = report.spec
        why = self._hopeless(report)
        if why or spec is None:
            return Fix(name, False, why)
        options = options_of(report.design, self._options)
        result = self._solve(self._mapped(spec), options, self._copies(report.design))
        if not result.reached or result.rtl is None:
            return Fix(name, False, f"{result.reason} ({result.stop_reason.sentence})")
        if result.attempts[-1].phase == "given":
            self._good.add(name)
            return Fix(name, True, "repaired together with another design")
        files = {n: self._now[n] for p in report.design.rtl if (n := self._name(p)) is not None}
        changed = splice(files, result.rtl.read_text(encoding="utf-8"), spec.interface.module)
        why = self._adopt(report.design, changed)
        return Fix(name, not why, why or result.reason)

    def _hopeless(self, report: DesignReport) -> str:
        """Why nothing is to be tried; empty when a repair may help."""
        if report.result is None:
            return f"cannot be checked: {report.problem}"
        if any(c.status is CheckStatus.BROKEN for c in report.result.checks):
            return "a check of the spec cannot judge any design; correct the check"
        for path in report.design.rtl:
            name = self._name(path)
            if name is None:
                return f"{path} lies outside the manifest's folder"
            if name in self._kept:
                return f"{name} is also a spec or a check"
        return ""

    def _adopt(self, design: Design, changed: dict[str, str]) -> str:
        """Judge the design and all that share its files with the change; say what is against it."""
        before = dict(self._now)
        self._now.update(changed)
        self._write(changed)
        for name in (design.name, *sorted(self._good - {design.name})):
            other = self._reports[name]
            used = [*other.design.rtl, *(other.spec.context if other.spec else ())]
            if not {self._name(path) for path in used} & set(changed):
                continue
            copy = replace(other.design, rtl=self._copies(other.design))
            again = judge(copy, self._options, self._check)
            if not again.ok:
                self._now = before
                self._write({n: before[n] for n in changed})
                reason = again.result.reason if again.result else again.problem
                return f"with the fix in place, {name} fails: {reason}"
        self._good.add(design.name)
        return ""

    def _check(self, files: Sequence[Path], spec: Spec, options: SolveOptions) -> SolveResult:
        return check_design(files, self._mapped(spec), options)

    def _mapped(self, spec: Spec) -> Spec:
        """The spec with the copies of those context files that have one."""
        return replace(spec, context=tuple(self._copy(path) for path in spec.context))

    def _copies(self, design: Design) -> tuple[Path, ...]:
        return tuple(self._copy(path) for path in design.rtl)

    def _copy(self, path: Path) -> Path:
        name = self._name(path)
        return self._scratch / name if name in self._before else path

    def _name(self, path: Path) -> str | None:
        """`path` relative to the manifest's folder; None outside it."""
        full = path.resolve()
        return full.relative_to(self._root).as_posix() if full.is_relative_to(self._root) else None

    def _untouchable(self) -> set[str | None]:
        """Specs and the files of checks: what judges is never part of a fix."""
        kept: set[str | None] = set()
        for report in self._reports.values():
            kept.add(self._name(report.design.spec))
            for check in report.spec.checks if report.spec else ():
                named = [check.path] if check.path else []
                kept |= {self._name(path) for path in named}
        return kept - {None}

    def _write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self._scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
