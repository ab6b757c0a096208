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
    or a command line defines macros.
    """
    macros = tested_macros(model)
    if not macros or len(macros) > MAX_MACROS:
        return
    readings = [(), *((name,) for name in macros), macros]
    for reading in dict.fromkeys(readings):
        usual = [m for m in SIMULATOR_MACROS if m.partition("=")[0] not in macros]
        yield build_unit(
            model.texts,
            language=model.language,
            shared_macros=len(model.unit.trees) < len(model.texts),
            defines=[*usual, *(f"{name}=1" for name in reading)],
            includes=model.unit.includes,
        )
