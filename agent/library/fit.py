"""Makes a known-good design of the library into a candidate for a spec, without a model.

Where every port of the design has its partner in the spec, the design under the names, widths,
reset style and header of the spec may already be what is asked for. It is judged like any other
candidate; whether it fits is for the checks to say.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from .align import align, pair_parameters, pair_ports, pairs_fully
from .header import plain_form, under_header
from .reset_style import in_style, prose_in_style, style_of
from .retarget import likeliest, variants
from .verilog_text import split_module

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

    from .types import Exemplar

__all__ = ["fit", "fitted_rtl", "offers"]

_PARAMETER_RANGE = re.compile(r"\[\s*(?P<name>[A-Za-z_]\w*)\s*-\s*1\s*:\s*0\s*\]")
_MOST_FITS = 8
_MOST_VARIANTS = 3  # of one design
_MOST_OFFERS = 20


def fitted_rtl(exemplar: Exemplar, spec: Spec) -> tuple[str, Exemplar]:
    """RTL of `exemplar` in names, widths, reset style and numbers of `spec`, plain header first.

    Returns it with the aligned exemplar it was made from.
    """
    rtl, moved = _named(exemplar, spec)
    rtl, said = likeliest(rtl, moved.spec, spec.text)
    return rtl, replace(moved, spec=said)


def _named(exemplar: Exemplar, spec: Spec) -> tuple[str, Exemplar]:
    """As `fitted_rtl`, with the design's own numbers."""
    target = spec.interface
    moved = align(exemplar, target) if target.ports else exemplar
    rtl = plain_form(moved.rtl, moved.interface)
    reset = style_of(spec.text, spec.clocking)
    if reset is None:
        return rtl, moved
    return in_style(rtl, reset), replace(moved, spec=prose_in_style(moved.spec, reset))


def _fits(mine: Interface, target: Interface) -> bool:
    """Whether a design with the ports `mine` can stand under the header `target`."""
    if not pairs_fully(mine, target):
        return False
    paired = pair_parameters(mine, target, pair_ports(mine, target))
    return not target.parameters or len(paired) == len(mine.parameters) == len(target.parameters)


def _constants(mine: Interface, target: Interface) -> dict[str, str]:
    """What each parameter of `mine` is for `target`, by the widths that hang on it."""
    if target.parameters:  # then each is one of the spec's, and stays one
        return {}
    values = {p.name: p.default for p in mine.parameters}
    pairs = pair_ports(mine, target)
    for port in mine.ports:
        named = _PARAMETER_RANGE.fullmatch(str(port.width))
        other = target.port(pairs.get(port.name, ""))
        if named and named["name"] in values and other and isinstance(other.width, int):
            values[named["name"]] = str(other.width)
    return values


def _offered(exemplar: Exemplar, rtl: str, spec: Spec) -> str:
    """`rtl` under the header of `spec`; parameters become constants, which the checks judge."""
    target = spec.interface
    constants = _constants(exemplar.interface, target)
    parts = split_module(rtl, target.module)
    if constants and parts is not None:
        lines = "".join(f"\n    localparam {name} = {value};" for name, value in constants.items())
        rtl = f"{parts.before}{parts.header}{lines}{parts.body}"
    return under_header(rtl, target)


def fit(exemplar: Exemplar, spec: Spec) -> str | None:
    """`exemplar` under the header of `spec`; None where their ports do not pair one to one."""
    if not _fits(exemplar.interface, spec.interface):
        return None
    return _offered(exemplar, fitted_rtl(exemplar, spec)[0], spec)


Offer = tuple["Exemplar", str]


def offers(exemplars: Sequence[Exemplar], spec: Spec) -> tuple[list[Offer], list[Offer]]:
    """The first designs that fit, and their variants for the numbers of the task."""
    fitting = [e for e in exemplars if _fits(e.interface, spec.interface)][:_MOST_FITS]
    fits: list[Offer] = []
    rounds: list[list[Offer]] = [[] for _ in range(_MOST_VARIANTS)]
    for exemplar in fitting:
        rtl, moved = _named(exemplar, spec)
        likely, _ = likeliest(rtl, moved.spec, spec.text)
        fits.append((exemplar, _offered(exemplar, likely, spec)))
        others = [rtl, *variants(rtl, moved.spec, spec.text, _MOST_VARIANTS)]
        made = [other for other in dict.fromkeys(others) if other != likely]
        for turn, variant in zip(rounds, made, strict=False):
            turn.append((exemplar, _offered(exemplar, variant, spec)))
    # The first variant of every design before the second of any.
    varied = [offer for turn in rounds for offer in turn]
    return fits, varied[: _MOST_OFFERS - len(fits)]
