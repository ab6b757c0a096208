"""Designs that do nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dataflow import pyslang_cone
from ..parse import parse_files

if TYPE_CHECKING:
    from .types import Dut

__all__ = ["ignores_its_inputs"]


_LARGE_BYTES = 200_000  # nobody writes that much to do nothing, and it takes long to follow


def ignores_its_inputs(dut: Dut) -> bool:
    """Whether the design has inputs and no output depends on any of them."""
    if sum(path.stat().st_size for path in dut.files) > _LARGE_BYTES:
        return False
    model = parse_files(dut.files, language=dut.language)
    module = model.module(dut.interface.module)
    if module is None:
        return False
    inputs = {port.name for port in module.interface.inputs()}
    cones = (pyslang_cone(model, p.name, top=module.name) for p in module.interface.outputs())
    return bool(inputs) and not any(inputs & set(cone.signals) for cone in cones)
