"""The screen: every rule over every reading of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from ..diagnostic import Diagnostic
    from ..interface import Interface
    from ..parse.model import SourceModel

__all__ = ["DEFAULT_RESERVED", "screen"]

# Module names of the benches people use; a design that brings its own would be judged by it.
DEFAULT_RESERVED = frozenset({"RefModule", "stimulus_gen", "tb", "testbench"})


def screen(
    model: SourceModel,
    wanted: Interface | None,
    *,
    workdir: Path | None = None,
    reserved: Collection[str] = DEFAULT_RESERVED,
) -> tuple[Diagnostic, ...]:
    """Find what lets a design cheat or reach outside, and where its interface is wrong.

    Args:
        model: The parsed design, without any testbench.
        wanted: The interface the top module must have; None skips that part.
        workdir: The folder that the design may read; by default the folders of its files.
        reserved: Module names that belong to the check and must not be defined here.

    Returns:
        Findings in source order. An error rejects the design; a warning does not.
    """
    from .modules import module_findings
    from .ports import interface_findings

    roots = [workdir] if workdir is not None else [p.absolute().parent for p in model.order]
    found = list(_rules(model, roots))
    if wanted is not None:
        found += interface_findings(model, wanted)
    found += module_findings(model, wanted, reserved)
    return _sorted(model, found)


def _rules(model: SourceModel, roots: Sequence[Path]) -> Iterator[Diagnostic]:
    from .constructs import construct_findings
    from .directives import directive_findings
    from .drives import drive_findings
    from .finding import Context
    from .readings import other_readings
    from .references import reference_findings
    from .system_tasks import system_task_findings

    parses = not any(d.code == "syntax" for d in model.diagnostics)
    yield from directive_findings(model, roots)
    for unit in (model.unit, *other_readings(model)):
        context = Context(unit, unit.defined_names(), roots)
        yield from system_task_findings(context)
        yield from construct_findings(context)
        # In a text that does not parse every name after the error seems to lead elsewhere; such a
        # text is refused by the lint for what is really wrong with it and is never simulated.
        if parses:
            yield from reference_findings(context)
        yield from drive_findings(context)


def _sorted(model: SourceModel, found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    files = {str(path): index for index, path in enumerate(model.order)}
    unique = dict.fromkeys(found)
    return tuple(
        sorted(unique, key=lambda d: (files.get(d.file, len(files)), d.line, d.column, d.code))
    )
