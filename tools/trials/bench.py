"""The bench that plays a recording to many variants at once and counts their mismatches.

The cycle is that of the checks: inputs change one time unit after the falling edge, the clock
rises at five, the outputs are compared at ten, just before it falls.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..parse import written_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..interface import Interface, Port
    from .record import Recording

__all__ = ["TRIAL_TOP", "Bench", "coverage_top", "write_bench"]

TRIAL_TOP = "rtl_agent_trial"
_COVER = "bits_that_ran"

_TEMPLATE = """\
`timescale {timescale}
module {top};
    reg [{in_top}:0] stim [0:{last}];
    reg [{out_top}:0] want [0:{last}];
    reg [{out_top}:0] care [0:{last}];
    reg [{in_top}:0] ins;
    reg clock;
{cover}{declarations}
    integer k;
    initial begin
        $display("ROW -"); $fflush;
        $readmemb("stim.txt", stim);
        $readmemb("want.txt", want);
        $readmemb("care.txt", care);
{start}
        for (k = 0; k <= {last}; k = k + 1) begin
            ins = stim[k];
{cycle}
        end
{ending}
        $finish;
    end
{instances}
endmodule
"""


@dataclass(frozen=True, slots=True)
class Bench:
    """A written bench: its source and the tag that its result lines start with."""

    path: Path
    tag: str
    rows: int


def coverage_top() -> str:
    """The name under which an instrumented design reaches its coverage bits."""
    return f"{TRIAL_TOP}.{_COVER}"


def write_bench(  # noqa: PLR0913
    recording: Recording,
    interface: Interface,
    tops: Sequence[str],
    folder: Path,
    *,
    coverage: int = 0,
    trace: bool = False,
) -> Bench:
    """Write the bench for the variants whose top modules are `tops`.

    Each prints a line for every output: its number, that of the output, and a bit for each row
    in which that output was wrong, the last row first.
    With `coverage` bits (one variant only), or with `trace`, a line is printed for every row.
    """
    clock = recording.clocking.clock
    inputs = [p for p in interface.inputs() if p.name != clock]
    outputs = list(interface.outputs())
    tag = f"@{secrets.token_hex(8)}"
    last = len(recording.rows) - 1
    out_top = max(sum(map(_width, outputs)), 1) - 1
    in_top = max(sum(map(_width, inputs)), 1) - 1
    numbers = range(len(tops))
    text = _TEMPLATE.format(
        timescale=recording.timescale,
        top=TRIAL_TOP,
        in_top=in_top,
        out_top=out_top,
        last=last,
        cover=f"    reg [{coverage - 1}:0] {_COVER} = 0;\n" if coverage else "",
        declarations="\n".join(
            [f"    reg [{out_top}:0] w, c;"]
            + [f"    wire [{out_top}:0] o{i};" for i in numbers]
            # Wires of its own, for a variant that drives its inputs: it harms itself alone.
            + [f"    wire [{in_top}:0] i{i} = ins; wire c{i} = clock;" for i in numbers]
            + [f"    reg [{last}:0] f{i}_{j};" for i in numbers for j in range(len(outputs))]
        ),
        instances="\n".join(
            _instance(top, i, inputs, outputs, clock) for i, top in enumerate(tops)
        ),
        start="            clock = 1'b0; #1;" if clock is not None else "",
        cycle=_cycle(
            tag, numbers, outputs, clocked=clock is not None, coverage=coverage, trace=trace
        ),
        ending="\n".join(
            f'        $display("{tag}F {i} {j} %b", f{i}_{j});'
            for i in numbers
            for j in range(len(outputs))
        ),
    )
    path = folder / f"{TRIAL_TOP}.v"
    path.write_text(text, encoding="utf-8")
    _write_tables(recording, inputs, outputs, folder)
    return Bench(path, tag, last + 1)


def _cycle(  # noqa: PLR0913
    tag: str,
    numbers: range,
    outputs: Sequence[Port],
    *,
    clocked: bool,
    coverage: int,
    trace: bool,
) -> str:
    lines = ["#4 clock = 1'b1; #5;" if clocked else "#10;", "w = want[k]; c = care[k];"]
    high = sum(map(_width, outputs)) - 1
    for j, port in enumerate(outputs):
        part = f"[{high}:{high - _width(port) + 1}]"
        high -= _width(port)
        lines += [f"f{i}_{j}[k] = ((o{i}{part} ^ w{part}) & c{part}) !== 0;" for i in numbers]
    if coverage:
        lines.append(f'$display("{tag}C %b", {_COVER}); {_COVER} = 0;')
    if trace:
        lines += [f'$display("{tag}T {i} %b", o{i});' for i in numbers]
    lines.append('if (k % 32 == 0) begin $display("ROW %0d", k); $fflush; end')
    if clocked:
        lines.append("clock = 1'b0; #1;")
    return "\n".join(f"            {line}" for line in lines)


def _instance(
    top: str,
    number: int,
    inputs: Sequence[Port],
    outputs: Sequence[Port],
    clock: str | None,
) -> str:
    pins = [f".{written_name(clock)}(c{number})"] if clock is not None else []
    pins += _pins(inputs, f"i{number}") + _pins(outputs, f"o{number}")
    return f"    {written_name(top)} d{number} ({', '.join(pins)});"


def _pins(ports: Sequence[Port], bus: str) -> list[str]:
    """Connections to slices of `bus`, the first port in its highest bits."""
    high = sum(map(_width, ports)) - 1
    pins = []
    for port in ports:
        low = high - _width(port) + 1
        pins.append(f".{written_name(port.name)}({bus}[{high}:{low}])")
        high = low - 1
    return pins


def _write_tables(
    recording: Recording, inputs: Sequence[Port], outputs: Sequence[Port], folder: Path
) -> None:
    stim, want, care = [], [], []
    for row, expected in zip(recording.rows, recording.expected, strict=True):
        bits = (format(row[p.name] & ((1 << _width(p)) - 1), f"0{_width(p)}b") for p in inputs)
        stim.append("".join(bits) or "0")
        told = "".join(expected.get(p.name, "x" * _width(p)) for p in outputs) or "0"
        want.append(told.replace("x", "0"))
        care.append(re.sub("[01]", "1", told).replace("x", "0"))
    for name, lines in (("stim", stim), ("want", want), ("care", care)):
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="ascii")


def _width(port: Port) -> int:
    return port.width if isinstance(port.width, int) else 1
