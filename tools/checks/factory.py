"""From a check as the user wrote it to one that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import CheckUnusable
from ..simulate.timescale import DEFAULT_TIMESCALE, split_timescale
from .types import CheckKind

if TYPE_CHECKING:
    from ..clocking import Clocking
    from .types import Check, CheckSource

__all__ = ["make_check"]


def make_check(
    source: CheckSource, *, clocking: Clocking, timescale: str = DEFAULT_TIMESCALE
) -> Check:
    """Make the check that `source` describes; nothing of it is run here.

    Raises:
        CheckUnusable: The timescale is no timescale, or the source cannot be a check whatever
            the design is (an unknown option, a table that cannot be read).
    """
    try:
        split_timescale(timescale)
    except ValueError as error:
        raise CheckUnusable(f"{source.origin}: {error}") from error
    if source.kind is CheckKind.COCOTB:
        from .cocotb_test import CocotbCheck

        return CocotbCheck(source, timescale)
    if source.kind is CheckKind.TESTBENCH:
        from .testbench import TestbenchCheck

        return TestbenchCheck(source, timescale)
    if source.kind is CheckKind.REFERENCE_MODEL:
        from .reference_model import ReferenceModelCheck

        return ReferenceModelCheck(source, clocking, timescale)
    if source.kind is CheckKind.REFERENCE_RTL:
        from .reference_rtl import ReferenceRtlCheck

        return ReferenceRtlCheck(source, clocking, timescale)
    from .vectors import VectorsCheck

    return VectorsCheck(source, clocking, timescale)
