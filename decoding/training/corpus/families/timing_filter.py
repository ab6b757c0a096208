"""Noisy inputs: debouncing, glitch filtering, synchronising."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts
from ._seq import Bus, Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_RAW = ("raw", "noisy", "btn", "din", "sig_in", "key", "in", "d")
_CLEAN = ("clean", "stable", "q", "out", "filtered", "dout", "level")


@family("debouncer")
def debouncer(rng: random.Random) -> Design:
    """Output follows the input after it has differed for N samples in a row."""
    n = rng.choice((2, 3, 4, 4, 5, 6, 8))
    d = Draft(
        rng, "timing", "debounce debouncer btn_debounce key_filter debounce_unit contact_filter"
    )
    raw = d.input("bouncing input", *_RAW)
    tick = d.maybe(0.35, "sample tick", "tick", "sample_en", "ce", "tick_ms", "strobe")
    out, q = d.registered("debounced level", _CLEAN, ("state", "level_r", "q_r"))
    w = d.bus((n - 1).bit_length())
    count = d.reg("cnt", "count", "timer", "stable_cnt", "run_len", bus=w)
    idle = f"{count} <= {w.zero};"
    take = f"{count} <= {w.zero};\n{q} <= {d.one_of(raw, f'~{q}')};"
    move = f"{count} <= {count} + 1'b1;"
    full = f"{count} == {w.lit(n - 1)}"
    if rng.random() < 0.5:
        body = chain((f"{raw} == {q}", idle), (full, take), (None, move))
    else:
        body = chain((f"{raw} != {q}", chain((full, take), (None, move))), (None, idle))
    rise = ""
    if rng.random() < 0.2 and not tick:
        rise = d.output(
            "pulse when a press is accepted", "pressed", "press", "rise", "hit", reg=True
        )
        body = f"{rise} <= {raw} && !{q} && ({full});\n{body}"
    d.clocked(
        f"{q} <= 1'b0;\n{idle}" + (f"\n{rise} <= 1'b0;" if rise else ""),
        chain((tick or None, body)),
    )

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["rise"] = 0
        if i.get(tick, 1):
            s["n"] = s["n"] + 1 if i[raw] != s["q"] else 0
            if s["n"] == n:
                s["n"], s["q"], s["rise"] = 0, i[raw], i[raw]
        return {out: s["q"], rise: s["rise"]} if rise else {out: s["q"]}

    samples = "ticks" if tick else "clock edges"
    return d.finish(
        "debouncer",
        {"n": n, "tick": bool(tick), "rise": bool(rise)},
        lambda: Machine({"q": 0, "n": 0, "rise": 0}, step),
        (
            f"a debouncer that needs {n} equal samples",
            f"a button debounce circuit with a stability count of {n}",
            f"a contact-bounce filter of {n} samples",
            f"a switch debouncer, {n} consecutive samples to change",
        ),
        facts(
            (
                f"{out} changes only after {raw} has differed from it at {n} consecutive "
                f"{samples}; "
                f"it changes with the {n}{_th(n)} of them.",
                f"A counter counts successive {samples} at which `{raw}` != `{out}`; the "
                f"{n}{_th(n)} "
                f"makes `{out}` take the new level and clears the counter.",
                f"The new level of {raw} must be seen {n} times running ({samples}) before {out} "
                "follows, which it does at the last of them.",
            ),
            (
                f"A sample equal to {out} starts the count again from zero.",
                f"If {raw} falls back to the level of `{out}` in between, the count is cleared.",
                "Any return to the old level restarts the count.",
            ),
            (
                f"{raw} is sampled only at clock edges with {tick} high; in between nothing "
                "changes.",
                f"`{tick}` enables sampling; while it is low everything holds.",
                f"Without {tick} neither the counter nor {out} changes.",
            )
            if tick
            else None,
            (
                f"{rise} is high for one clock cycle when {out} goes from 0 to 1, starting with "
                "that "
                "same edge.",
                f"`{rise}` pulses for one cycle together with a rise of `{out}`.",
                f"In the first cycle of {out} = 1 the output {rise} is 1; else it is 0.",
            )
            if rise
            else None,
            (f"{out} is 0 after reset.", "It starts out low, with the count at zero.", ""),
        ),
    )


def _th(number: int) -> str:
    return {2: "nd", 3: "rd"}.get(number, "th")


@family("glitch_filter")
def glitch_filter(rng: random.Random) -> Design:
    """Filter over the last N samples: unanimous with memory, or majority."""
    majority = rng.random() < 0.45
    n = rng.choice((3, 3, 5)) if majority else rng.choice((2, 3, 3, 4, 5))
    names = (
        "majority_filter vote_filter median_bit"
        if majority
        else "glitch_filter deglitch spike_filter"
    )
    d = Draft(rng, "timing", names + " noise_filter input_filter")
    raw = d.input("noisy input", *_RAW)
    width = Bus(n)
    if majority:
        out = d.output("filtered output", *_CLEAN)
        h = d.reg("hist", "sr", "samples", "taps", bus=width)
        d.clocked(f"{h} <= {n}'b0;", f"{h} <= {{{h}[{n - 2}:0], {raw}}};")
        if n == 3:
            vote = f"({h}[0] & {h}[1]) | ({h}[0] & {h}[2]) | ({h}[1] & {h}[2])"
        else:
            ones = d.wire("ones", "votes", "sum", bus=Bus(3))
            d.tail(f"assign {ones} = {' + '.join(f'{h}[{k}]' for k in range(n))};")
            vote = f"({ones} >= 3'd3)"
        d.tail(f"assign {out} = {vote};")
    else:
        out, q = d.registered("filtered output", _CLEAN, ("level_r", "q_r", "state"))
        h = d.reg("hist", "sr", "samples", "taps", bus=width)
        inner = f"{h}[{n - 2}:0]" if n > 2 else f"{h}[0]"
        decide = chain(
            (d.one_of(f"&{h}", f"{h} == {n}'b{'1' * n}"), f"{q} <= 1'b1;"),
            (d.one_of(f"~|{h}", f"{h} == {n}'b{'0' * n}"), f"{q} <= 1'b0;"),
        )
        d.clocked(f"{h} <= {n}'b0;\n{q} <= 1'b0;", f"{h} <= {{{inner}, {raw}}};\n{decide}")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        before = s["h"]
        s["h"] = (before << 1 | i[raw]) & width.top
        if majority:
            return {out: int(2 * s["h"].bit_count() > n)}
        s["q"] = 1 if before == width.top else 0 if before == 0 else s["q"]
        return {out: s["q"]}

    title = f"{n}-sample majority filter" if majority else f"glitch filter over {n} samples"
    return d.finish(
        "glitch_filter",
        {"n": n, "majority": majority},
        lambda: Machine({"h": 0, "q": 0}, step),
        (
            f"a {title}",
            f"a digital {'majority-vote' if majority else 'noise'} filter, {n} samples deep",
            f"a {'voter over' if majority else 'spike suppressor with'} the last {n} samples of an "
            "input",
            f"an input filter that {'takes the majority of' if majority else 'compares'} {n} "
            "successive samples",
        ),
        facts(
            (
                f"The last {n} samples of {raw}, one per clock, are kept in a shift register.",
                f"`{raw}` is shifted into a {n}-bit history at every clock edge.",
                f"A history of {n} samples is kept, the newest taken at the latest clock edge.",
            ),
            (
                f"{out} is 1 while at least {n // 2 + 1} of them are 1, decoded combinationally.",
                f"`{out}` is the majority of the {n} stored bits (no register behind the vote).",
                f"The output is the combinational majority vote over the {n} bits.",
            )
            if majority
            else (
                f"At each edge {out} becomes 1 if the {n} samples stored before the edge are all "
                "1, "
                "0 if they are all 0, and holds otherwise.",
                f"`{out}` is a flip-flop: set when the old history is all ones, cleared when it is "
                "all zeros, else unchanged.",
                f"Only a unanimous history (as it stood before the edge) changes {out}: all ones "
                "set it, all zeros clear it.",
            ),
            ("Reset clears the history.", "Everything is 0 after reset.", ""),
        ),
    )


@family("synchroniser")
def synchroniser(rng: random.Random) -> Design:
    """Chain of flip-flops for an asynchronous level, with reset level."""
    n = rng.choice((2, 2, 2, 3, 3, 4))
    d = Draft(rng, "timing", f"synchronizer sync_{n}ff cdc_sync bit_sync level_sync sync_ff")
    w = d.bus(rng.choice((1, 1, 1, 2, 4)))
    one = rng.random() < 0.25
    sig = d.input("asynchronous input", "async_in", "d", "din", "async_i", "src", "raw", bus=w)
    out = d.output("synchronised output", "sync_out", "q", "dout", "sync_o", "dst", bus=w)
    level = w.ones if one else w.zero
    start = w.top if one else 0
    if w.width == 1 and rng.random() < 0.5:
        chain_reg = d.reg("sync", "ff", "chain", "sr", bus=Bus(n))
        inner = f"{chain_reg}[{n - 2}:0]" if n > 2 else f"{chain_reg}[0]"
        d.clocked(
            f"{chain_reg} <= {n}'b{str(int(one)) * n};", f"{chain_reg} <= {{{inner}, {sig}}};"
        )
        d.tail(f"assign {out} = {chain_reg}[{n - 1}];")
    else:
        base = d.n.pick("sync", "ff", "stage", "meta", "s")
        cells = [f"{base}{k}" for k in range(1, n + 1)]
        d.declare(f"reg {w.span + ' ' if w.span else ''}{', '.join(cells)};")
        d.clocked(
            "\n".join(f"{c} <= {level};" for c in cells),
            "\n".join(f"{c} <= {p};" for c, p in zip(cells, [sig, *cells], strict=False)),
        )
        d.tail(f"assign {out} = {cells[-1]};")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        for k in range(n - 1, 0, -1):
            s[str(k)] = s[str(k - 1)]
        s["0"] = i[sig]
        return {out: s[str(n - 1)]}

    bits = "single-bit" if w.width == 1 else f"{w.width}-bit"
    return d.finish(
        "synchroniser",
        {"stages": n, "width": w.width, "one": one},
        lambda: Machine({str(k): start for k in range(n)}, step),
        (
            f"a {n}-stage {bits} synchroniser",
            f"a {n} flip-flop synchronizer for {'an' if w.width == 8 else 'a'} {bits} "
            "asynchronous signal",
            f"a clock-domain-crossing synchroniser ({bits}) with {n} stages",
            f"a {bits} metastability filter of {n} registers in series",
        ),
        facts(
            (
                f"{sig} passes through {n} flip-flops in series to {out}.",
                f"`{out}` is `{sig}` after {n} successive registers.",
                f"A new value sampled from {sig} reaches {out} with the {n}{_th(n)} clock edge, "
                "the "
                "sampling edge included.",
            ),
            (
                f"The flip-flops reset to {'one' if one else 'zero'}.",
                f"All stages are {'1' if one else '0'} after reset.",
                f"Reset sets every stage {'high' if one else 'low'}.",
            ),
        ),
    )
