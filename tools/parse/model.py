"""What is known of a set of source files after parsing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..diagnostic import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..diagnostic import Diagnostic
    from ..interface import Interface
    from .unit import SlangUnit

__all__ = ["Instance", "ModuleInfo", "SourceModel"]


@dataclass(frozen=True, slots=True)
class Instance:
    """One instantiation inside a module: `module name (…)`, with the line it stands on."""

    module: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class ModuleInfo:
    """One module definition.

    `interface` has widths in bits for the default parameter values; `interface_as_written`
    keeps the range of the source (`[N-1:0]`) where it depends on a parameter. `kind` is
    `module`, `interface` or `program`.
    """

    name: str
    file: str
    line: int
    interface: Interface
    interface_as_written: Interface
    instances: tuple[Instance, ...] = ()
    is_top: bool = False
    kind: str = "module"


@dataclass(frozen=True, slots=True)
class SourceModel:
    """A parsed set of files.

    `order` lists the files so that each stands after what it uses (packages first).
    `truncated` says that the last file to be read stops in the middle of a module.
    `texts` is the normalised text of each file, by name, and `included` that of the files they
    include. `unit` holds the syntax trees for
    the other modules of this package; it cannot be pickled.
    """

    modules: tuple[ModuleInfo, ...]
    order: tuple[Path, ...]
    diagnostics: tuple[Diagnostic, ...]
    truncated: bool
    language: str
    texts: Mapping[str, str] = field(compare=False, repr=False)
    included: Mapping[str, str] = field(compare=False, repr=False)
    unit: SlangUnit = field(compare=False, repr=False)

    @property
    def tops(self) -> tuple[ModuleInfo, ...]:
        """Modules that no other module instantiates."""
        return tuple(m for m in self.modules if m.is_top)

    @property
    def ok(self) -> bool:
        """Whether the sources are complete and without errors."""
        return not self.truncated and all(
            d.severity is not Severity.ERROR for d in self.diagnostics
        )

    def module(self, name: str) -> ModuleInfo | None:
        """The module of that name, or None."""
        return next((m for m in self.modules if m.name == name), None)
