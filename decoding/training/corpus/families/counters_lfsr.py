"""Linear feedback shift registers, Fibonacci and Galois."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_hold, says_priority
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

# Taps of maximal-length polynomials, as exponents (the width comes first).
_TAPS = {
    3: ((3, 2),),
    4: ((4, 3),),
    5: ((5, 3), (5, 4, 3, 2)),
    6: ((6, 5), (6, 5, 3, 2)),
    7: ((7, 6), (7, 4)),
    8: ((8, 6, 5, 4), (8, 7, 6, 1)),
    9: ((9, 5),),
    10: ((10, 7),),
    12: ((12, 11, 10, 4),),
    15: ((15, 14),),
    16: ((16, 15, 13, 4), (16, 14, 13, 11)),
}
_EN = ("en", "enable", "ce", "step", "advance", "next", "shift_en")


def _polynomial(taps: tuple[int, ...]) -> str:
    return " + ".join(f"x^{t}" for t in taps) + " + 1"


def _listed(items: list[int]) -> str:
    words = [str(i) for i in items]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


@family("lfsr_fibonacci")
def lfsr_fibonacci(rng: random.Random) -> Design:
    """Shift register with the exclusive-or of its taps fed back."""
    width = rng.choice(tuple(_TAPS))
    taps = rng.choice(_TAPS[width])
    d = Draft(rng, "counters", f"lfsr lfsr{width} lfsr_fib prbs_gen random_gen prng")
    w = d.bus(width)
    seed = rng.choice((1, 1, w.top, rng.randrange(1, w.top)))
    xnor = rng.random() < 0.2
    seed = 0 if xnor else seed
    en = d.maybe(0.6, "shift enable", *_EN)
    out, q = d.registered(
        "LFSR state", ("q", "lfsr", "rnd", "state", "prbs", "data"), ("lfsr_r", "sr", "shreg"), w
    )
    bits = [t - 1 for t in taps]
    terms = [f"{q}[{b}]" for b in bits]
    feed = f"~({' ^ '.join(terms)})" if xnor else " ^ ".join(terms)
    if rng.random() < 0.5:
        fb = d.wire("feedback", "fb", "new_bit", "taps_xor")
        d.add(f"assign {fb} = {feed};")
    else:
        fb = feed
    first = f"{width}'b{seed:b}" if width < 7 else f"{width}'h{seed:x}"
    d.update(q, w, w.zero if seed == 0 else first, (en or None, f"{{{q}[{width - 2}:0], {fb}}}"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            bit = sum(s["q"] >> b & 1 for b in bits) & 1 ^ xnor
            s["q"] = (s["q"] << 1 | bit) & w.top
        return {out: s["q"]}

    gate = "XNOR" if xnor else "XOR"
    return d.finish(
        "lfsr_fibonacci",
        {
            "width": width,
            "taps": list(taps).__repr__(),
            "seed": seed,
            "xnor": xnor,
            "enable": bool(en),
        },
        lambda: Machine({"q": seed}, step),
        (
            f"a {width}-bit Fibonacci LFSR",
            f"a linear feedback shift register of {width} bits (Fibonacci form)",
            f"a {width} bit pseudo-random generator built as a shift register with {gate} feedback",
            f"a {width}-bit PRBS shift register with external feedback",
        ),
        facts(
            (
                f"{out} shifts left by one and the new bit 0 is the {gate} of bits "
                f"{_listed(bits)}.",
                f"Each step, bits {_listed(bits)} are {gate}ed together and shifted in at bit 0, "
                "all other bits moving up by one.",
                f"The feedback {gate}({', '.join(f'{out}[{b}]' for b in bits)}) enters at the "
                "least significant end of a left shift.",
                f"Left shift; bit 0 <= {gate} of bit positions {_listed(bits)} of the old state.",
            ),
            says_hold(en, "the state")
            or (
                "It shifts in every clock cycle.",
                "There is no enable; it steps each clock.",
                "A step is made on every rising edge.",
            ),
            (
                f"The reset value is {first} (decimal {seed}).",
                f"Reset seeds it with {first}.",
                f"It starts at {seed} (decimal) after reset.",
            )
            if seed
            else (
                "It starts from all zeros after reset.",
                "The reset state is 0, which is legal with XNOR feedback.",
                "Reset clears the register.",
            ),
        ),
    )


@family("lfsr_galois")
def lfsr_galois(rng: random.Random) -> Design:
    """Right-shifting LFSR that toggles the taps when a one falls out, with optional load."""
    width = rng.choice(tuple(_TAPS))
    taps = rng.choice(_TAPS[width])
    d = Draft(rng, "counters", f"galois_lfsr lfsr_galois{width} lfsr prng_galois scrambler_lfsr")
    w = d.bus(width)
    poly = sum(1 << (t - 1) for t in taps)
    seed = rng.choice((1, w.top, rng.randrange(1, w.top)))
    load = d.maybe(0.3, "load a seed", "load", "ld", "seed_en", "set_seed", "init")
    data = d.input("seed", "seed", "d", "seed_i", "din", bus=w) if load else ""
    en = d.maybe(0.6, "shift enable", *_EN)
    out, q = d.registered(
        "LFSR state", ("q", "lfsr", "rnd", "state", "value"), ("lfsr_r", "sr", "shreg"), w
    )
    hexed = f"{width}'h{poly:x}"
    if rng.random() < 0.4:
        name = d.n.pick("POLY", "TAPS", "MASK")
        d.declare(f"localparam {w.span} {name} = {hexed};")
        hexed = name
    shifted = f"{{1'b0, {q}[{width - 1}:1]}}"
    first = f"{width}'h{seed:x}"
    style = d.one_of("ternary", "mask", "if")
    if style == "if":
        move = chain((f"{q}[0]", f"{q} <= {shifted} ^ {hexed};"), (None, f"{q} <= {shifted};"))
        body = chain((load, f"{q} <= {data};"), (en or None, move))
        d.clocked(f"{q} <= {first};", body)
    else:
        expression = (
            f"{q}[0] ? ({q} >> 1) ^ {hexed} : ({q} >> 1)"
            if style == "ternary"
            else f"({q} >> 1) ^ ({{{width}{{{q}[0]}}}} & {hexed})"
        )
        body = chain((load, f"{q} <= {data};"), (en or None, f"{q} <= {expression};"))
        d.clocked(f"{q} <= {first};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(load):
            s["q"] = i[data]
        elif i.get(en, 1):
            s["q"] = s["q"] >> 1 ^ (poly if s["q"] & 1 else 0)
        return {out: s["q"]}

    return d.finish(
        "lfsr_galois",
        {"width": width, "poly": poly, "seed": seed, "load": bool(load), "enable": bool(en)},
        lambda: Machine({"q": seed}, step),
        (
            f"a {width}-bit Galois LFSR",
            f"a Galois-form linear feedback shift register, {width} bits",
            f"a {width} bit pseudo-random sequence generator with internal XOR taps",
            f"a {width}-bit LFSR in Galois configuration for {_polynomial(taps)}",
        ),
        facts(
            (
                f"{out} shifts right by one with a 0 entering at the top; if the bit shifted out "
                f"(old bit 0) is 1, the result is XORed with {width}'h{poly:x}.",
                f"Each step: next = {out} >> 1, and when {out}[0] was 1 also XOR the mask "
                f"{width}'h{poly:X}.",
                f"A right shift in which a 1 falling out of bit 0 toggles bits "
                f"{_listed([t - 1 for t in taps])} of the shifted value.",
            ),
            (
                f"A high {load} loads {data} as the new state.",
                f"`{load}` replaces the state by `{data}`.",
                f"When {load} = 1 the seed on {data} is taken.",
            )
            if load
            else None,
            says_hold(en, "the state")
            or (
                "It steps in every clock cycle.",
                "There is no enable; it shifts each clock.",
                "A step is made on every rising edge.",
            ),
            says_priority(load, en),
            (
                f"The reset value is {first}.",
                f"Reset seeds it with {first}.",
                f"After reset {out} is {seed} (decimal).",
            ),
        ),
    )
