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
from .retarget import variants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

    from .types import Exemplar

__all__ = ["fit", "fitted_rtl", "offers"]

_MOST_FITS = 4
_MOST_VARIANTS = 3  # of one design


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


def _pairs_fully(mine: Interface, target: Interface) -> bool:
    """Whether every port of either has its partner; parameters are left to the model."""
    if not target.ports or target.parameters or mine.parameters:
        return False
    return len(pair_ports(mine, target)) == len(mine.ports) == len(target.ports)


def fit(exemplar: Exemplar, spec: Spec) -> str | None:
    """`exemplar` under the header of `spec`; None where their ports do not pair one to one."""
    if not _pairs_fully(exemplar.interface, spec.interface):
        return None
    return under_header(fitted_rtl(exemplar, spec)[0], spec.interface)


Offer = tuple["Exemplar", str]


def offers(exemplars: Sequence[Exemplar], spec: Spec) -> tuple[list[Offer], list[Offer]]:
    """The first designs that fit, and their variants for the numbers of the task."""
    fitting = [e for e in exemplars if _pairs_fully(e.interface, spec.interface)][:_MOST_FITS]
    fits, varied = [], []
    for exemplar in fitting:
        rtl, moved = fitted_rtl(exemplar, spec)
        fits.append((exemplar, under_header(rtl, spec.interface)))
        for variant in variants(rtl, moved.spec, spec.text, _MOST_VARIANTS):
            varied.append((exemplar, under_header(variant, spec.interface)))
    return fits, varied
