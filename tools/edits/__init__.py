"""Small edits of Verilog source, found in the syntax tree: faults to inject, and fixes to try."""

from .find import OPERATORS, find_edits
from .types import Edit, apply

__all__ = ["OPERATORS", "Edit", "apply", "find_edits"]
