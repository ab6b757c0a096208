"""What a spec says, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rtl_agent.tools.clocking import Clocking

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.tools.checks.types import CheckSource
    from rtl_agent.tools.interface import Interface

__all__ = ["Spec"]


@dataclass(frozen=True, slots=True)
class Spec:
    """A spec that was read without error.

    `text` is the Markdown without front matter and without the fences that carry checks: what a
    model may see. `interface.ports` is empty when no port could be read with confidence; ports
    that were read from loose prose have `inferred` set. `also` are further modules the text asks
    for, `notes` what the reader left to the model, in sentences for the report. `header` is the
    fenced module header as the user wrote it, if the spec has one. `context` are paths of RTL
    files the design may instantiate. `examples` are examples in the prose of a spec without
    checks, as vectors: a design that fails them has failed, and passing them proves nothing.
    """

    name: str
    path: Path | None
    text: str
    interface: Interface
    language: str = "verilog-2005"
    checks: tuple[CheckSource, ...] = ()
    clocking: Clocking = field(default_factory=Clocking)
    also: tuple[Interface, ...] = ()
    header: str = ""
    notes: tuple[str, ...] = ()
    context: tuple[Path, ...] = ()
    timescale: str = "1ns/1ps"
    examples: CheckSource | None = None
