"""How a generator is put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DRAFTERS", "Speculation"]

DRAFTERS = ("lookup", "corpus", "heads", "draft-model", "self")


@dataclass(frozen=True, slots=True)
class Speculation:
    """What proposes, what confirms, and what constrains.

    Attributes:
        drafters: names out of `DRAFTERS`; none decodes plainly. `corpus` is left out without
            complaint when no table is given and none ships with the model.
        table: n-gram table of the `corpus` drafter.
        heads: file of the `heads` drafter.
        draft_model: folder of the `draft-model` drafter.
        exit_layer: where the `self` drafter leaves the target; 0 takes a third of its layers.
        typical: typical acceptance instead of an exact mode.
        integrity: with `typical`, cut accepted tokens to whole fragments.
        shape: drop drafts that break Verilog's lexical structure.
        grammar: name of a grammar the output is constrained to; empty for none.
        max_nodes: nodes of the largest draft tree.
        adaptive: size trees by measured cost; False always takes the largest.
        rests: let drafters that run a model rest while they do not pay.
    """

    drafters: tuple[str, ...] = ("lookup", "corpus")
    table: Path | None = None
    heads: Path | None = None
    draft_model: Path | None = None
    exit_layer: int = 0
    typical: bool = False
    integrity: bool = False
    shape: bool = False
    grammar: str = ""
    max_nodes: int = 64
    adaptive: bool = True
    rests: bool = True
