"""Every EDA tool: whether it is there, which version, where, and what to do if it is not."""

from .platform import install_hint
from .tool import Tool, ToolStatus, parse_version
from .tools import (
    ALL_TOOLS,
    BWRAP,
    COCOTB,
    ICARUS,
    PYSLANG,
    PYVERILOG,
    VERIBLE,
    VERILATOR,
    VVP,
    YOSYS,
    status_of_all,
)

__all__ = [
    "ALL_TOOLS",
    "BWRAP",
    "COCOTB",
    "ICARUS",
    "PYSLANG",
    "PYVERILOG",
    "VERIBLE",
    "VERILATOR",
    "VVP",
    "YOSYS",
    "Tool",
    "ToolStatus",
    "install_hint",
    "parse_version",
    "status_of_all",
]
