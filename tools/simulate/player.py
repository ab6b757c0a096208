"""Play a recorded stimulus to a design, in Verilog alone: ten times faster than under cocotb.

The cycle is that of the harness under cocotb: inputs change one time unit after the falling edge,
the clock rises at five, the outputs are read at ten, just before it falls.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..parse import written_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..interface import Interface, Port

__all__ = ["CYCLE_UNITS", "PLAYER_TOP", "Player", "read_outputs", "write_player"]

PLAYER_TOP = "rtl_agent_player"
CYCLE_UNITS = 10
_STIMULUS = "stimulus.txt"

_CLOCKED = """\
            #4 {clock} = 1'b1;
            #5 $display("{tag}{format}"{values});
            {clock} = 1'b0; #1;"""
_SETTLING = """\
            #10 $display("{tag}{format}"{values});"""
_TEMPLATE = """\
`timescale {timescale}
module {top};
    reg [{last_bit}:0] stimulus [0:{last}];
{declarations}
    integer k;
    {module} dut (
{pins}
    );
    initial begin
        $readmemb("{stimulus}", stimulus);
{start}
        for (k = 0; k <= {last}; k = k + 1) begin
{drive}
{cycle}
        end
        $finish;
    end
endmodule
"""


@dataclass(frozen=True, slots=True)
class Player:
    """A written player: its source, and the tag that its output lines start with."""

    path: Path
    tag: str
    outputs: tuple[str, ...]


def write_player(  # noqa: PLR0913
    interface: Interface,
    rows: Sequence[Mapping[str, int]],
    *,
    clock: str | None,
    outputs: Sequence[str],
    timescale: str,
    folder: Path,
) -> Player:
    """Write the player of `rows` (a value for every input but the clock) into `folder`.

    The simulation has to run in `folder`, where the stimulus is.
    """
    inputs = [p for p in interface.inputs() if p.name != clock]
    names = {port.name: f"p{i}" for i, port in enumerate(interface.ports)}
    wanted = [port for port in interface.outputs() if port.name in outputs]
    tag = f"@{secrets.token_hex(8)}"  # a design cannot know what its own output would have to say
    cycle = _CLOCKED if clock is not None else _SETTLING
    text = _TEMPLATE.format(
        timescale=timescale,
        top=PLAYER_TOP,
        last_bit=max(sum(_width(p) for p in inputs), 1) - 1,
        last=max(len(rows), 1) - 1,
        declarations="\n".join(_declare(port, names[port.name]) for port in interface.ports),
        module=written_name(interface.module),
        pins=",\n".join(f"        .{written_name(n)}({local})" for n, local in names.items()),
        stimulus=_STIMULUS,
        start=f"        {names[clock]} = 1'b0; #1;" if clock is not None else "",
        drive=_drive([names[p.name] for p in inputs]),
        cycle=cycle.format(
            clock=names.get(clock or "", ""),
            tag=tag,
            format=" %b" * len(wanted),
            values="".join(f", {names[p.name]}" for p in wanted),
        ),
    )
    path = folder / f"{PLAYER_TOP}.v"
    path.write_text(text, encoding="utf-8")
    lines = "".join(f"{_bits(inputs, row)}\n" for row in rows)
    (folder / _STIMULUS).write_text(lines, encoding="ascii")
    return Player(path, tag, tuple(port.name for port in wanted))


def read_outputs(player: Player, printed: str) -> list[dict[str, str]]:
    """The outputs in each cycle, from what the simulation printed."""
    found = []
    for line in re.findall(rf"{player.tag}(.*)$", printed, re.MULTILINE):
        values = line.lower().split()
        if len(values) == len(player.outputs):
            found.append(dict(zip(player.outputs, values, strict=True)))
    return found


def _width(port: Port) -> int:
    return port.width if isinstance(port.width, int) else 1


def _declare(port: Port, local: str) -> str:
    kind = "reg" if port.direction.value == "input" else "wire"
    return f"    {kind} [{_width(port) - 1}:0] {local};"


def _drive(locals_: list[str]) -> str:
    return f"            {{{', '.join(locals_)}}} = stimulus[k];" if locals_ else ""


def _bits(inputs: Sequence[Port], row: Mapping[str, int]) -> str:
    """The inputs as one binary number, the first port leftmost."""
    bits = "".join(format(row[p.name] & ((1 << _width(p)) - 1), f"0{_width(p)}b") for p in inputs)
    return bits or "0"
