"""Which module of a golden design is the one to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..parse import SourceModel
    from .types import CheckSource

__all__ = ["golden_module"]


def golden_module(source: CheckSource, model: SourceModel, dut: str) -> str:
    """The module that `top` names, else the one called like the DUT, else the only top module.

    Empty where that cannot be told.
    """
    wanted = source.options.get("top", "")
    if model.module(wanted or dut) is not None:
        return wanted or dut
    tops = [module.name for module in model.tops]
    return tops[0] if len(tops) == 1 and "top" not in source.options else ""
