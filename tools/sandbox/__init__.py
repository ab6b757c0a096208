"""What encloses the programs that run somebody else's code."""

from __future__ import annotations

from .base import Sandbox
from .bubblewrap import Bubblewrap
from .limits_only import LimitsOnly

__all__ = ["Bubblewrap", "LimitsOnly", "Sandbox", "best_sandbox"]


def best_sandbox(*, off: bool = False) -> Sandbox:
    """Bubblewrap where it works, else limits alone; limits alone where it is to be `off`."""
    if off:
        return LimitsOnly()
    bubblewrap = Bubblewrap()
    return bubblewrap if bubblewrap.available() else LimitsOnly()
