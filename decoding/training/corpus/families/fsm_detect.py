"""Serial pattern detectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset, indent
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import State, Transparent, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _next_match(pattern: str, matched: int, bit: str) -> int:
    """Length of the longest prefix of `pattern` that ends the bits seen so far plus `bit`."""
    seen = pattern[:matched] + bit
    for length in range(min(len(seen), len(pattern)), 0, -1):
        if seen.endswith(pattern[:length]):
            return length
    return 0


def _table(pattern: str, overlap: bool, moore: bool) -> list[tuple[int, int]]:
    """Next state for a 0 and a 1, by number of matched bits; Moore has a state for the match."""
    size = len(pattern)
    rows = []
    for state in range(size + 1 if moore else size):
        base = 0 if state == size and not overlap else state
        row = []
        for bit in "01":
            after = _next_match(pattern, base, bit)
            if after == size and not moore:
                border = [k for k in range(size) if pattern.endswith(pattern[:k])]
                after = max(border) if overlap else 0
            row.append(after)
        rows.append((row[0], row[1]))
    return rows


def _model(
    *, pattern: str, overlap: bool, moore: bool, din: str, valid: str | None, out: str
) -> Transparent:
    table, size = _table(pattern, overlap, moore), len(pattern)

    def move(s: State, inputs: Mapping[str, int]) -> None:
        if not valid or inputs[valid]:
            s["n"] = table[s["n"]][inputs[din]]

    def show(s: State, inputs: Mapping[str, int]) -> dict[str, int | None]:
        if moore:
            return {out: int(s["n"] == size)}
        present = (not valid or inputs[valid]) and inputs[din] == int(pattern[-1])
        return {out: int(s["n"] == size - 1 and present)}

    return Transparent({"n": 0}, move, show)


def _stimulus(
    pattern: str, din: str, valid: str | None
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        stream: list[int] = []
        while len(stream) < cycles:
            if rng.random() < 0.5:
                start = rng.randrange(len(pattern))
                stream += [int(c) for c in pattern[start:] + pattern[: rng.randint(1, 5)]]
            else:
                stream.append(rng.getrandbits(1))
        rows: list[dict[str, int]] = []
        position = 0
        for _ in range(cycles):
            row = {din: stream[position]}
            if valid:
                row[valid] = int(rng.random() < 0.75)
            position += row.get(valid, 1) if valid else 1
            rows.append(row)
        return rows

    return generate


def _fsm(
    n: Names,
    cr: ClockReset,
    names: tuple[str, str | None, str],
    *,
    pattern: str,
    overlap: bool,
    moore: bool,
    style: str,
) -> tuple[str, ...]:
    table = _table(pattern, overlap, moore)
    din, valid, out = names
    width = max(1, (len(table) - 1).bit_length())
    state, nxt = n.pick("state", "cs", "st", "current_state"), n.pick("next", "ns", "next_state")
    label = n.choose(("S{}", "ST{}", "GOT{}", "M{}"))
    labels = [label.format(k) for k in range(len(table))]
    local = ", ".join(f"{name} = {width}'d{k}" for k, name in enumerate(labels))
    target, assign = (state, "<=") if style == "one" else (nxt, "=")
    rows = [
        f"    {labels[k]}: {target} {assign} "
        + (labels[a] if a == b else f"{din} ? {labels[b]} : {labels[a]}")
        + ";"
        for k, (a, b) in enumerate(table)
    ]
    rows.append(f"    default: {target} {assign} {labels[0]};")
    case = f"case ({state})\n" + "\n".join(rows) + "\nendcase"
    if moore:
        hit = f"({state} == {labels[-1]})"
    else:
        last = din if pattern[-1] == "1" else f"!{din}"
        gate = f"{valid} && " if valid else ""
        hit = f"{gate}({state} == {labels[-1]}) && {last}"
    final = f"assign {out} = {hit};"
    head = f"localparam [{width - 1}:0] {local};" if width > 1 else f"localparam {local};"
    span = f"[{width - 1}:0] " if width > 1 else ""
    if style == "one":
        body = f"if ({valid})\n{indent(case)}" if valid else case
        return (
            head,
            f"reg {span}{state};",
            cr.process(f"{state} <= {labels[0]};", body),
            final,
        )
    load = f"{state} <= {nxt};"
    return (
        head,
        f"reg {span}{state}, {nxt};",
        f"always @(*) begin\n{indent(case)}\nend",
        cr.process(f"{state} <= {labels[0]};", f"if ({valid})\n    {load}" if valid else load),
        final,
    )


def _shift(
    n: Names, cr: ClockReset, pattern: str, moore: bool, names: tuple[str, str | None, str]
) -> tuple[str, ...]:
    din, valid, out = names
    size = len(pattern)
    width = size if moore else size - 1
    hist = n.pick("hist", "shreg", "window", "last_bits", "sr")
    filler = "0" if pattern[0] == "1" else "1"
    kept = f"{hist}[0]" if width == 2 else f"{hist}[{width - 2}:0]"
    load = f"{hist} <= {{{kept}, {din}}};"
    seen = hist if moore else f"{{{hist}, {din}}}"
    gate = f"{valid} && " if valid and not moore else ""
    return (
        f"reg [{width - 1}:0] {hist};",
        cr.process(
            f"{hist} <= {width}'b{filler * width};", f"if ({valid})\n    {load}" if valid else load
        ),
        f"assign {out} = {gate}({seen} == {size}'b{pattern});",
    )


def _facts(
    pattern: str, overlap: bool, moore: bool, names: tuple[str, str | None, str]
) -> tuple[Behaviour, ...]:
    din, valid, out = names
    when: Behaviour = (
        (
            f"{out} is a Moore output: it is high for the cycle that follows the last bit of the pattern.",
            f"`{out}` depends on the state alone and goes high in the clock cycle after the final bit has been sampled.",
            f"Moore machine, so {out} rises one clock after the last pattern bit is taken in and lasts until the next bit is taken.",
        )
        if moore
        else (
            f"{out} is a Mealy output: it is high combinationally while the last bit of the pattern is present on {din}.",
            f"`{out}` goes high in the same cycle in which the final bit is on `{din}`, without waiting for the clock edge (Mealy).",
            f"Mealy machine: {out} is asserted as soon as {din} carries the bit that completes the pattern.",
        )
    )
    how: Behaviour = (
        (
            "Overlapping occurrences are detected as well.",
            "Matches may overlap: the tail of one occurrence can be the start of the next.",
            "Overlap is allowed, the bits of a match may be reused for the following one.",
        )
        if overlap
        else (
            "Occurrences do not overlap: after a match the search starts afresh with the next bit.",
            "Non-overlapping detection, the bits of a match are not reused for the next one.",
            "After a hit the detector begins again from nothing, so matches cannot overlap.",
        )
    )
    facts: list[Behaviour] = [
        (
            f"{out} reports the bit sequence {pattern} on the serial input {din}, leftmost bit first.",
            f"It watches `{din}`, one bit per clock, and flags the sequence {pattern} (first bit received is the leftmost) on `{out}`.",
            f"The pattern looked for on {din} is {pattern}, arriving left to right, and {out} signals that it was found.",
        ),
        how,
        when,
    ]
    if valid:
        extra = "" if moore else f" and {out} is low"
        facts.append(
            (
                f"Bits count only in cycles with {valid} high; otherwise the state is kept{extra}.",
                f"`{valid}` qualifies the input: while it is low the bit is ignored, the state holds{extra}.",
                f"With {valid} = 0 nothing is sampled, the detector stays where it is{extra}.",
            )
        )
    return tuple(facts)


@family("sequence_detector")
def sequence_detector(rng: random.Random) -> Design:
    """Detector of a random bit pattern, Mealy or Moore, overlapping or not."""
    n = Names(rng)
    size = rng.choice((3, 3, 4, 4, 4, 5, 5))
    pattern = format(rng.randrange(1 << size), f"0{size}b")
    moore, overlap = rng.random() < 0.5, rng.random() < 0.5
    module = n.module(
        "seq_detect", "pattern_detector", "seq_det", "detector", "fsm", "sequence_fsm"
    )
    cr = clock_reset(rng, n)
    din = n.pick("din", "x", "in", "serial_in", "data_in", "d", "bit_in", "w", "a")
    valid = n.pick("valid", "en", "din_valid", "bit_valid", "ena") if rng.random() < 0.25 else None
    out = n.pick("found", "z", "detected", "match", "out", "hit", "y", "det")
    names = (din, valid, out)
    style = n.choose(("one", "two", "shift") if overlap else ("one", "two"))
    if style == "shift":
        parts = _shift(n, cr, pattern, moore, names)
    else:
        parts = _fsm(n, cr, names, pattern=pattern, overlap=overlap, moore=moore, style=style)
    ports = (
        *cr.ports,
        PortDecl("input", din, 1, "serial data"),
        *([PortDecl("input", valid, 1, "input bit is valid")] if valid else []),
        PortDecl("output", out, 1, "pattern found"),
    )
    kind = "Moore" if moore else "Mealy"
    lap = "overlapping" if overlap else "non-overlapping"
    return clocked(
        cr,
        Design(
            family="sequence_detector",
            group="fsm",
            params={
                "pattern": pattern,
                "moore": moore,
                "overlap": overlap,
                "qualified": bool(valid),
            },
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: _model(
                pattern=pattern, overlap=overlap, moore=moore, din=din, valid=valid, out=out
            ),
            titles=(
                f"a {kind} sequence detector for {pattern}",
                f"an {lap} {pattern} pattern detector"
                if overlap
                else f"a {lap} {pattern} detector",
                f"a {kind} finite state machine that recognises the bit string {pattern}",
                f"a serial recogniser that spots {pattern} in a bit stream",
                f"an FSM that detects the sequence {pattern}",
            ),
            behaviour=_facts(pattern, overlap, moore, names),
            clock=cr.clock,
            style={"body": style},
            stimulus=_stimulus(pattern, din, valid),
        ),
    )
