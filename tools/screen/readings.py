"""Other readings of a design: what its `ifdef`s show when other macros are defined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parse.unit import SIMULATOR_MACROS, build_unit
from .directives import MAX_MACROS, tested_macros

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..parse.model import SourceModel
    from ..parse.unit import SlangUnit

__all__ = ["other_readings"]


def other_readings(model: SourceModel) -> Iterator[SlangUnit]:
    """The design with the macros that it asks for defined: none, each by itself, all.

    What is off in the reading that was parsed may be on in the simulation, where a testbench
    or a command line defines macros. A Verilog design is also read as SystemVerilog, if it
    can be: simulators are usually run that way.
    """
    macros = tested_macros(model)
    readings: list[tuple[str, ...]] = []
    if macros and len(macros) <= MAX_MACROS:
        readings = [(), *((name,) for name in macros), macros]
    usual = [m for m in SIMULATOR_MACROS if m.partition("=")[0] not in macros]
    for reading in dict.fromkeys(readings):
        defines = [*usual, *(f"{name}=1" for name in reading)]
        yield _read(model, model.language, defines)
    if not model.language.startswith("systemverilog"):
        for reading in dict.fromkeys([(), macros[:MAX_MACROS]]):
            later = _read(model, "systemverilog-2017", [*usual, *(f"{name}=1" for name in reading)])
            if not any(d.isError() for d in later.compilation.getParseDiagnostics()):
                yield later


def _read(model: SourceModel, language: str, defines: list[str]) -> SlangUnit:
    return build_unit(
        model.texts,
        language=language,
        shared_macros=len(model.unit.trees) < len(model.texts),
        defines=defines,
        includes=model.unit.includes,
    )
