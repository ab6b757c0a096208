"""Makes a known-good design of the library into a candidate for a spec, without a model.

Where every port of the design has its partner in the spec, the design under the names, widths,
reset style and header of the spec may already be what is asked for. It is judged like any other
candidate; whether it fits is for the checks to say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .align import align, pair_ports
from .header import plain_form, under_header
from .reset_style import in_style, prose_in_style, style_of

if TYPE_CHECKING:
    from rtl_agent.agent.spec.model import Spec

    from .types import Exemplar

__all__ = ["fit", "fitted_rtl"]


def fitted_rtl(exemplar: Exemplar, spec: Spec) -> tuple[str, Exemplar]:
    """RTL of `exemplar` in the names, widths and reset style of `spec`, plain header first.

    Returns it with the aligned exemplar it was made from.
    """
    target = spec.interface
    moved = align(exemplar, target) if target.ports else exemplar
    rtl = plain_form(moved.rtl, moved.interface)
    reset = style_of(spec.text, spec.clocking)
    if reset is None:
        return rtl, moved
    return in_style(rtl, reset), replace(moved, spec=prose_in_style(moved.spec, reset))


def fit(exemplar: Exemplar, spec: Spec) -> str | None:
    """`exemplar` under the header of `spec`; None where their ports do not pair one to one."""
    mine, target = exemplar.interface, spec.interface
    if not target.ports or target.parameters or mine.parameters:
        return None
    if not len(pair_ports(mine, target)) == len(mine.ports) == len(target.ports):
        return None
    rtl, _ = fitted_rtl(exemplar, spec)
    return under_header(rtl, target)
