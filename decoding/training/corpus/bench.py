"""Self-checking Verilog benches: a design against its reference model, vector by vector.

Pure text; who compiles and runs the bench is no concern of this module. A cycle is ten time
units: inputs change one unit after the falling edge, the clock rises at five, and the outputs are
compared at nine; where the model is a `TransparentModel` they are compared at four as well, before
the edge. A design without a clock takes one vector every ten units.
"""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from .design import TransparentModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .design import Design, PortDecl

__all__ = ["random_stimulus", "vector_bench"]

_FIRST_RESET = 2  # cycles of reset at the start
_LONGEST_SEGMENT = 14  # cycles for which one input keeps its kind of stimulus
_EXHAUSTIVE_BITS = 12  # combinational inputs up to this many bits are enumerated

_TEMPLATE = """\
module tb;
    reg [{in_top}:0] stim [0:{last}];
    reg [{out_top}:0] want [0:{last}];
    reg [{out_top}:0] care [0:{last}];
    reg [{in_top}:0] ins;
    wire [{out_top}:0] outs;
{early_decl}{clock_decl}    integer i, samples, bad;

    {module} dut (
{connections}
    );

    initial begin
{table}
    end

    initial begin
        samples = 0;
        bad = 0;
        #1;
        for (i = 0; i <= {last}; i = i + 1) begin
            ins = stim[i];
            #4;
{early}            {rise}#4;
{late}            #1{fall};
            #1;
        end
        $display("RESULT %0d %0d", samples, bad);
        $finish;
    end
endmodule
"""

_EARLY_TABLES = """\
    reg [{out_top}:0] first [0:{last}];
    reg [{out_top}:0] heed [0:{last}];
"""

# The comparison: `want`/`care` after the clock edge, `first`/`heed` before it.
_COMPARE = """\
            if ({care}[i] != 0) begin
                samples = samples + 1;
                if ((outs & {care}[i]) !== ({want}[i] & {care}[i])) begin
                    bad = bad + 1;
                    if (bad <= 5)
                        $display("MISMATCH %0d in %h got %h want %h care %h",
                                 i, ins, outs, {want}[i], {care}[i]);
                end
            end
"""


def _segment(rng: random.Random, width: int, cycles: int) -> list[int]:
    """Values of one input for a few cycles: one kind of stimulus, kept."""
    top = (1 << width) - 1
    if width == 1:
        high = rng.choice((0.0, 0.1, 0.5, 0.5, 0.5, 0.9, 1.0))
        return [int(rng.random() < high) for _ in range(cycles)]
    kind = rng.choice(
        ("random", "random", "random", "ones", "zeros", "walk", "hold", "edge", "ramp")
    )
    if kind == "random":
        return [rng.getrandbits(width) for _ in range(cycles)]
    if kind == "walk":
        flip = rng.choice((0, 0, top))
        first = rng.randrange(width)
        return [(1 << (first + i) % width) ^ flip for i in range(cycles)]
    if kind == "edge":  # the values around which overflow, sign and wrap show
        corners = (0, 1, 2, top, top - 1, top >> 1, (top >> 1) + 1, 3 & top)
        return [rng.choice(corners) for _ in range(cycles)]
    first = {"ones": top, "zeros": 0}.get(kind, rng.getrandbits(width))
    step = 1 if kind == "ramp" else 0
    return [(first + step * i) & top for i in range(cycles)]


def _column(rng: random.Random, width: int, cycles: int) -> list[int]:
    """Values of one input over the whole run."""
    values: list[int] = []
    while len(values) < cycles:
        values += _segment(rng, width, rng.randint(1, _LONGEST_SEGMENT))
    return values[:cycles]


def random_stimulus(
    rng: random.Random, inputs: tuple[PortDecl, ...], cycles: int
) -> list[dict[str, int]]:
    """Biased random values for `inputs` over `cycles` cycles.

    Every input goes through segments of random, constant, walking, counting and corner values;
    now and then an input repeats (or almost repeats) another of the same width, so that equality
    occurs however wide the operands are.
    """
    columns = {port.name: _column(rng, port.width, cycles) for port in inputs}
    for a, b in itertools.pairwise(inputs):
        if a.width != b.width or a.width < 2:
            continue
        top = (1 << a.width) - 1
        for i in range(cycles):
            if rng.random() < 0.12:
                columns[b.name][i] = (columns[a.name][i] + rng.choice((0, 0, 1, -1))) & top
    return [{name: column[i] for name, column in columns.items()} for i in range(cycles)]


def _exhaustive(
    rng: random.Random, inputs: tuple[PortDecl, ...], bits: int
) -> list[dict[str, int]]:
    """Every combination of the inputs, in random order."""
    rows = []
    for value in rng.sample(range(1 << bits), 1 << bits):
        row, rest = {}, value
        for port in inputs:
            row[port.name] = rest & ((1 << port.width) - 1)
            rest >>= port.width
        rows.append(row)
    return rows


def _stimulus(
    design: Design, data: tuple[PortDecl, ...], cycles: int, seed: int
) -> list[dict[str, int]]:
    rng = random.Random(seed)
    if design.stimulus is not None:
        return [dict(row) for row in design.stimulus(rng, cycles)]
    bits = sum(port.width for port in data)
    if design.clock is None and bits <= _EXHAUSTIVE_BITS and (1 << bits) <= cycles:
        return _exhaustive(rng, data, bits)
    return random_stimulus(rng, data, cycles)


def _pack(ports: tuple[PortDecl, ...], values: Mapping[str, int]) -> int:
    """Concatenate, the first port in the highest bits."""
    packed = 0
    for port in ports:
        packed = packed << port.width | (values[port.name] & ((1 << port.width) - 1))
    return packed


def _expected(
    design: Design, outputs: tuple[PortDecl, ...], got: Mapping[str, int | None]
) -> tuple[dict[str, int], dict[str, int]]:
    """Expected value and care mask by output name."""
    unknown = set(got) - {port.name for port in outputs}
    if unknown:
        raise ValueError(
            f"{design.family}: the model returns {sorted(unknown)}, which are no outputs"
        )
    want, care = {}, {}
    for port in outputs:
        value, top = got.get(port.name), (1 << port.width) - 1
        if value is not None and not 0 <= value <= top:
            raise ValueError(
                f"{design.family}: the model gives {port.name} = {value}, "
                f"which does not fit {port.width} bits"
            )
        want[port.name] = value or 0
        care[port.name] = 0 if value is None else top
    return want, care


def _table(
    design: Design,
    inputs: tuple[PortDecl, ...],
    outputs: tuple[PortDecl, ...],
    rows: list[dict[str, int]],
) -> str:
    """The assignments that fill the vector memories, after running the model over `rows`."""
    model = design.model()
    active = 0 if design.reset_active_low else 1
    in_bits, out_bits = sum(p.width for p in inputs), sum(p.width for p in outputs)
    lines = []
    for i, row in enumerate(rows):
        held = design.reset is not None and (i < _FIRST_RESET or i == len(rows) // 2)
        if design.reset is not None:
            row[design.reset] = active if held else 1 - active
        before: Mapping[str, int | None] = {}
        if isinstance(model, TransparentModel) and not held:
            before = model.peek(row)
        if held:
            model.reset()
            want, care = _expected(design, outputs, {})
        else:
            want, care = _expected(design, outputs, model.step(row))
        lines.append(
            f"        stim[{i}] = {in_bits}'h{_pack(inputs, row):x};"
            f" want[{i}] = {out_bits}'h{_pack(outputs, want):x};"
            f" care[{i}] = {out_bits}'h{_pack(outputs, care):x};"
        )
        if isinstance(model, TransparentModel):
            want, care = _expected(design, outputs, before)
            lines.append(
                f"        first[{i}] = {out_bits}'h{_pack(outputs, want):x};"
                f" heed[{i}] = {out_bits}'h{_pack(outputs, care):x};"
            )
    return "\n".join(lines)


def _connections(ports: tuple[PortDecl, ...], bus: str) -> list[str]:
    """Named connections to slices of `bus`, matching `_pack`."""
    top = sum(p.width for p in ports) - 1
    lines = []
    for port in ports:
        lines.append(f"        .{port.name}({bus}[{top}:{top - port.width + 1}])")
        top -= port.width
    return lines


def vector_bench(design: Design, cycles: int, seed: int) -> str:
    """Write a bench (module `tb`) that runs `design` for about `cycles` vectors.

    Reset is held in the first two cycles and once in mid-run; nothing is compared while it is.
    The bench prints at most five `MISMATCH` lines and at the end `RESULT <samples> <mismatches>`.
    Small combinational designs are tried exhaustively when that takes no more than `cycles`.

    Raises:
        ValueError: the model returns an unknown output or a value wider than its port.
    """
    inputs = tuple(p for p in design.ports if p.direction == "input" and p.name != design.clock)
    outputs = tuple(p for p in design.ports if p.direction == "output")
    data = tuple(p for p in inputs if p.name != design.reset)
    rows = _stimulus(design, data, cycles, seed)
    clock = [f"        .{design.clock}(tb_clk)"] if design.clock is not None else []
    out_top = sum(p.width for p in outputs) - 1
    early = isinstance(design.model(), TransparentModel)
    connections = clock + _connections(inputs, "ins") + _connections(outputs, "outs")
    return _TEMPLATE.format(
        in_top=sum(p.width for p in inputs) - 1,
        out_top=out_top,
        last=len(rows) - 1,
        early_decl=_EARLY_TABLES.format(out_top=out_top, last=len(rows) - 1) if early else "",
        early=_COMPARE.format(want="first", care="heed") if early else "",
        late=_COMPARE.format(want="want", care="care"),
        clock_decl="    reg tb_clk = 1'b0;\n" if clock else "",
        module=design.module,
        connections=",\n".join(connections),
        table=_table(design, inputs, outputs, rows),
        rise="tb_clk = 1'b1; " if clock else "",
        fall=" tb_clk = 1'b0" if clock else "",
    )
