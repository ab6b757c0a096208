"""A plain-named module around a design whose own name the simulator interface cannot take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..parse import written_name

if TYPE_CHECKING:
    from pathlib import Path

    from ..interface import Interface

__all__ = ["needs_wrapper", "write_wrapper"]

_PLAIN = re.compile(r"^[A-Za-z_][A-Za-z0-9_$]*$")
_NAME = "rtl_agent_wrapper"


def needs_wrapper(name: str) -> bool:
    """Whether `name` is written with a backslash in Verilog."""
    return _PLAIN.match(name) is None


def write_wrapper(interface: Interface, folder: Path) -> str:
    """Write a module with the ports of `interface` that does nothing but hold it."""
    ports = ",\n".join(
        f"    {p.direction} {p.range} {written_name(p.name)}" for p in interface.ports
    )
    pins = ",\n".join(
        f"        .{written_name(p.name)}({written_name(p.name)})" for p in interface.ports
    )
    text = (
        f"module {_NAME} (\n{ports}\n);\n"
        f"    {written_name(interface.module)} dut (\n{pins}\n    );\nendmodule\n"
    )
    (folder / f"{_NAME}.v").write_text(text, encoding="utf-8")
    return _NAME
