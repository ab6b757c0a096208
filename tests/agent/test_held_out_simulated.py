"""Library designs with an example's ports, judged by that example's own check: none may pass."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from examples_kit import NAMES, example
from rtl_agent.agent import library
from rtl_agent.agent.library.records import LibraryRecord, read_records
from rtl_agent.tools.clocking import Clocking, infer_clocking
from rtl_agent.tools.interface import Direction, Interface

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rtl_agent.agent.spec.model import Spec

SHIPPED = Path(library.__file__).parent / "shipped.jsonl.gz"
CHECKED = tuple(name for name in NAMES if example(name).checks)


def data_ports(interface: Interface, clocking: Clocking, direction: Direction) -> dict[str, object]:
    """Ports of one direction and their widths, without clock and reset."""
    special = (clocking.clock, clocking.reset)
    return {
        p.name: p.width
        for p in interface.ports
        if p.direction is direction and p.name not in special
    }


def pairings(mine: dict[str, object], theirs: dict[str, object]) -> Iterator[dict[str, str]]:
    """Every way to connect ports of equal width, from my names to theirs."""
    if sorted(map(str, mine.values())) != sorted(map(str, theirs.values())):
        return
    for order in itertools.permutations(theirs):
        if all(mine[a] == theirs[b] for a, b in zip(mine, order, strict=True)):
            yield dict(zip(mine, order, strict=True))


def connections(spec: Spec, record: LibraryRecord) -> Iterator[dict[str, str]]:
    """Connections of a library design inside the example's module: port to expression."""
    clocking = infer_clocking(record.interface)
    if (clocking.clock is None) != (spec.clocking.clock is None):
        return
    if (clocking.reset is None) != (spec.clocking.reset is None):
        return
    fixed: dict[str, str] = {}
    if clocking.clock:
        fixed[clocking.clock] = str(spec.clocking.clock)
    if clocking.reset:
        invert = clocking.reset_active_low != spec.clocking.reset_active_low
        fixed[clocking.reset] = f"{'!' if invert else ''}{spec.clocking.reset}"
    both = (
        pairings(
            data_ports(spec.interface, spec.clocking, direction),
            data_ports(record.interface, clocking, direction),
        )
        for direction in (Direction.INPUT, Direction.OUTPUT)
    )
    for ins, outs in itertools.product(*both):
        yield fixed | {theirs: mine for mine, theirs in (ins | outs).items()}


def wrapped(spec: Spec, record: LibraryRecord, pins: dict[str, str]) -> str:
    """The library design as the example's module."""
    ports = ", ".join(
        f"{p.direction.value} [{int(p.width) - 1}:0] {p.name}" for p in spec.interface.ports
    )
    inner = f"library_{record.interface.module}"
    rtl = re.sub(
        rf"\bmodule\s+{re.escape(record.interface.module)}\b", f"module {inner}", record.rtl
    )
    joined = ", ".join(f".{port}({expression})" for port, expression in pins.items())
    return f"{rtl}\nmodule {spec.interface.module}({ports});\n  {inner} it({joined});\nendmodule\n"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", CHECKED)
def test_no_library_design_passes_an_examples_check(name: str, tmp_path: Path) -> None:
    shipped = example(name)
    passed = []
    for number, record in enumerate(tuple(read_records(SHIPPED))):
        for way, pins in enumerate(connections(shipped.spec, record)):
            folder = tmp_path / f"{number}-{way}"
            folder.mkdir()
            results = shipped.judge(wrapped(shipped.spec, record, pins), folder)
            if all(result.passed for result in results):
                passed.append((record.family, record.name, pins))
    assert passed == []


def test_the_wrapper_passes_a_right_design(tmp_path: Path) -> None:
    """Else the test above would prove nothing: under other names a reference is recognised."""
    shipped = example("uart_tx")
    rtl = shipped.reference.read_text(encoding="utf-8")
    names = {"uart_tx": "sender", "rst": "nreset", "tx": "line", "busy": "going"}
    for old, new in names.items():
        rtl = re.sub(rf"\b{old}\b", new, rtl)
    rtl = rtl.replace("if (nreset)", "if (!nreset)")
    ports = tuple(replace(p, name=names.get(p.name, p.name)) for p in shipped.spec.interface.ports)
    record = LibraryRecord("sender", "uart", "", rtl, Interface("sender", ports), "")
    verdicts = [
        all(result.passed for result in shipped.judge(wrapped(shipped.spec, record, pins), folder))
        for way, pins in enumerate(connections(shipped.spec, record))
        if not (folder := tmp_path / str(way)).mkdir()
    ]
    assert sorted(verdicts) == [False, True]  # the two outputs as they are, and exchanged
