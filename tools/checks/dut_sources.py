"""Put a DUT into a run folder: its files in the right order, and its ports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import CheckUnusable
from ..parse import parse_files
from ..simulate.sources import Staged, stage

if TYPE_CHECKING:
    from pathlib import Path

    from ..interface import Interface
    from .types import Dut

__all__ = ["PreparedDut", "prepare_dut"]


@dataclass(frozen=True, slots=True)
class PreparedDut:
    """A DUT ready to compile.

    `interface` is what its source says, `required` what it must have; widths are resolved.
    """

    staged: Staged
    interface: Interface
    required: Interface
    top: str


def prepare_dut(dut: Dut, folder: Path, *, timescale: str) -> PreparedDut:
    """Stage the files of `dut` in dependency order.

    Raises:
        SourceUnreadable: A file cannot be read.
        CheckUnusable: The DUT has no files.
    """
    if not dut.files:
        raise CheckUnusable("no RTL file to check", remedy="name at least one Verilog file")
    model = parse_files(dut.files, language=dut.language)
    found = model.module(dut.interface.module)
    ordered = list(model.order) or list(dut.files)
    ordered += [path for path in dut.files if path not in ordered]
    staged = stage(ordered, folder, timescale=timescale)
    interface = found.interface if found is not None else dut.interface
    required = _resolved(dut.interface, interface)
    return PreparedDut(staged, interface, required, dut.interface.module)


def _resolved(required: Interface, actual: Interface) -> Interface:
    """`required`, with the widths that it leaves to parameters taken from `actual`."""
    if not required.ports:
        return actual
    widths = {port.name: port.width for port in actual.ports}
    ports = tuple(
        port if isinstance(port.width, int) else replace(port, width=widths.get(port.name, 1))
        for port in required.ports
    )
    return replace(required, ports=ports)
