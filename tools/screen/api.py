"""The screen: every rule over every reading of the design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from ..interface import Interface
    from ..parse.model import SourceModel
    from ..parse.unit import SlangUnit

__all__ = ["DEFAULT_RESERVED", "screen"]

# Module names of the benches people use; a design that brings its own would be judged by it.
DEFAULT_RESERVED = frozenset({"RefModule", "stimulus_gen", "tb", "testbench"})

_MAX_MACROS = 12


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
    roots = [workdir] if workdir is not None else _folders(model)
    found = [*_directives(model, roots), *_rules(model, roots, wanted)]
    if wanted is not None:
        from .ports import interface_findings  # noqa: PLC0415  pyslang is loaded only if used

        found += interface_findings(model, wanted)
    found += _shadowing(model, wanted, reserved)
    return _sorted(model, found)


def _folders(model: SourceModel) -> list[Path]:
    return [path.absolute().parent for path in model.order]


def _directives(model: SourceModel, roots: Sequence[Path]) -> Iterator[Diagnostic]:
    from .directives import directive_findings  # noqa: PLC0415

    yield from directive_findings(model.texts, roots)


def _rules(
    model: SourceModel, roots: Sequence[Path], wanted: Interface | None
) -> Iterator[Diagnostic]:
    from .constructs import construct_findings  # noqa: PLC0415
    from .drives import drive_findings  # noqa: PLC0415
    from .finding import Context  # noqa: PLC0415
    from .references import reference_findings  # noqa: PLC0415
    from .system_tasks import system_task_findings  # noqa: PLC0415

    for unit in (model.unit, *_other_readings(model)):
        context = Context(unit, unit.defined_names(), roots)
        yield from system_task_findings(context)
        yield from construct_findings(context)
        yield from reference_findings(context)
    context = Context(model.unit, frozenset(), roots)
    yield from drive_findings(context, wanted.module if wanted else None)


def _other_readings(model: SourceModel) -> Iterator[SlangUnit]:
    """The design with the macros that its `ifdef`s ask for defined: all, and one by one.

    What is off in one reading may be on in the simulation, where others define macros.
    """
    from ..parse.unit import SIMULATOR_MACROS, build_unit  # noqa: PLC0415
    from .directives import tested_macros  # noqa: PLC0415

    macros = tested_macros(model.texts)[:_MAX_MACROS]
    if not macros:
        return
    readings = [list(macros), *([one] for one in macros)] if len(macros) > 1 else [list(macros)]
    for reading in [[], *readings]:
        defines = [f"{name}=1" for name in reading]
        if not reading or reading != list(macros):
            defines += [m for m in SIMULATOR_MACROS if m.partition("=")[0] not in reading]
        yield build_unit(
            model.texts,
            language=model.language,
            shared_macros=len(model.unit.trees) < len(model.texts),
            defines=defines,
            includes=model.unit.includes,
        )


def _shadowing(
    model: SourceModel, wanted: Interface | None, reserved: Collection[str]
) -> Iterator[Diagnostic]:
    from .finding import finding  # noqa: PLC0415

    mine = wanted.module if wanted is not None else ""
    for module in model.modules:
        if module.name in reserved and module.name != mine:
            yield finding(
                module.file,
                module.line,
                0,
                "shadows-testbench",
                f"`{module.name}` is a module of the check; the design must not define it",
                "rename the module, or remove it",
            )
        elif mine and module.is_top and module.name != mine and model.module(mine) is not None:
            yield finding(
                module.file,
                module.line,
                0,
                "unused-module",
                f"`{module.name}` is not used by `{mine}`",
                "remove the module",
                Severity.WARNING,
            )


def _sorted(model: SourceModel, found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    files = {str(path): index for index, path in enumerate(model.order)}
    unique = dict.fromkeys(found)
    return tuple(
        sorted(unique, key=lambda d: (files.get(d.file, len(files)), d.line, d.column, d.code))
    )
