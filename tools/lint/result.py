"""What a lint run returns, and what each linter is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..diagnostic import Severity

if TYPE_CHECKING:
    from pathlib import Path

    from ..diagnostic import Diagnostic
    from ..parse.model import SourceModel

__all__ = ["LintInput", "LintResult", "ToolReport"]


@dataclass(frozen=True, slots=True)
class LintResult:
    """Diagnostics of all tools, the worst first, each fact once.

    `tools_used` and `tools_missing` name the tools that ran and those that were asked for and
    are not installed. `seconds` is wall time. `cells` counts cells by type where Yosys ran.
    """

    diagnostics: tuple[Diagnostic, ...]
    tools_used: tuple[str, ...]
    tools_missing: tuple[str, ...]
    seconds: float
    cells: tuple[tuple[str, int], ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that make the design wrong."""
        return tuple(d for d in self.diagnostics if d.severity is Severity.ERROR)

    @property
    def ok(self) -> bool:
        """Whether nothing found is an error."""
        return not self.errors


@dataclass(frozen=True, slots=True)
class LintInput:
    """What a linter reads: files in compile order, all of them clean text on disk.

    `names` maps the path a tool sees to the name diagnostics use.
    """

    files: tuple[Path, ...]
    names: dict[str, str]
    include_dirs: tuple[Path, ...]
    workdir: Path
    top: str
    language: str
    model: SourceModel

    @property
    def systemverilog(self) -> bool:
        """Whether the design is compiled as SystemVerilog."""
        return self.language.startswith("systemverilog")


@dataclass(frozen=True, slots=True)
class ToolReport:
    """What one tool found; `cells` only from a synthesiser."""

    tool: str
    diagnostics: tuple[Diagnostic, ...]
    cells: tuple[tuple[str, int], ...] = ()
