"""What encloses the programs that run somebody else's code."""

from __future__ import annotations

from .base import Sandbox
from .bubblewrap import Bubblewrap
from .limits_only import LimitsOnly

__all__ = ["Bubblewrap", "LimitsOnly", "Sandbox", "best_sandbox"]


def best_sandbox() -> Sandbox:
    """Bubblewrap where it works, else limits alone."""
    bubblewrap = Bubblewrap()
    return bubblewrap if bubblewrap.available() else LimitsOnly()
