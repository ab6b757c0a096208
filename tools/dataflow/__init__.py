"""Dataflow: fan-in cones, combinational loops, and who drives what.

pyverilog is used where it can read a design, and is never a gate: it refuses valid code and
accepts wrong code.
"""

from .cone import fan_in_cone, pyslang_cone
from .model import Bits, Cone, Process, ProcessKind

__all__ = ["Bits", "Cone", "Process", "ProcessKind", "fan_in_cone", "pyslang_cone"]
