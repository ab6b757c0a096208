"""Which ports are the clock and the reset, told from their names unless the spec says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .interface import Interface

__all__ = ["Clocking", "infer_clocking"]

_CLOCK = re.compile(r"^(i_)?(p|a|s|sys_?|core_?|m_?)?(clk|clock|ck)(_?i|_?in)?$", re.IGNORECASE)
_RESET = re.compile(
    r"^(i_)?(p|a|s|n_?|sys_?|core_?|m_?)?(rst|reset|clr_all|aclr|resetn|rstn)(_?ni|_?n|_?b|_?i|_?in|_?l)?$",
    re.IGNORECASE,
)
_ACTIVE_LOW = re.compile(r"(^n_?(rst|reset))|((rst|reset)(_?ni|_?n|_?b|_?l)$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clocking:
    """Clock and reset of a DUT; `clock` is None for combinational designs."""

    clock: str | None = None
    reset: str | None = None
    reset_active_low: bool = False


def infer_clocking(interface: Interface) -> Clocking:
    """Tell clock and reset from the input names of one bit.

    Names such as `clk`, `PCLK`, `clk_i` are clocks; `rst`, `areset`, `n_rst`, `PRESETn`,
    `rst_ni` are resets, active low where the name says so.
    """
    names = [p.name for p in interface.inputs() if p.width == 1]
    clock = next((n for n in names if _CLOCK.match(n)), None)
    reset = next((n for n in names if _RESET.match(n)), None)
    low = bool(reset and _ACTIVE_LOW.search(reset))
    return Clocking(clock, reset, low)
