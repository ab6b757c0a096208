"""Modules that take the place of the check's own, and modules nobody uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostic import Severity
from ..parse.place import Place
from .finding import finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ..diagnostic import Diagnostic
    from ..interface import Interface
    from ..parse.model import SourceModel

__all__ = ["module_findings"]


def module_findings(
    model: SourceModel, wanted: Interface | None, reserved: Collection[str]
) -> Iterator[Diagnostic]:
    """Findings for reserved module names, and for further tops beside the wanted one."""
    mine = wanted.module if wanted is not None else ""
    for module in model.modules:
        place = Place(module.file, module.line)
        if module.name in reserved and module.name != mine:
            message = f"`{module.name}` is a module of the check; the design must not define it"
            yield finding(place, "shadows-testbench", message, "rename the module, or remove it")
        elif mine and module.is_top and module.name != mine and model.module(mine) is not None:
            message = f"`{module.name}` is not used by `{mine}`"
            hint = "remove the module"
            yield finding(place, "unused-module", message, hint, severity=Severity.WARNING)
