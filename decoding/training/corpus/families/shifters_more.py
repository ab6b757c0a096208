"""Universal, rotating and variable-distance shift registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_hold, says_priority
from ._seq import Bus, Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_R = ("sr", "shreg", "shift_r", "shift_reg", "q_r", "regs")
_Q = ("q", "dout", "data_out", "q_o", "out", "word")
_D = ("d", "din", "data_in", "pin", "par_in", "data")
_EN = ("en", "enable", "ce", "rot", "step", "shift_en")
# What the four modes do, in the order in which the tables below index them.
_ACTIONS = ("hold", "right", "left", "load")


@family("universal_shift_register")
def universal_shift_register(rng: random.Random) -> Design:
    """Hold, shift right, shift left or load, by a two-bit mode."""
    d = Draft(rng, "shifters", "universal_shift usr univ_shift_reg shift_universal usr_reg")
    width = rng.choice((3, 4, 4, 4, 6, 8, 8, 16))
    w = d.bus(width)
    order = list(_ACTIONS)
    if rng.random() < 0.35:
        rng.shuffle(order)
    mode = d.input("operation", "mode", "sel", "s", "op", "ctrl", "func", bus=Bus(2))
    shared = rng.random() < 0.3
    left_in = d.input("serial in for left shifts", "sil", "sl_in", "lsi", "ser_left")
    right_in = (
        left_in if shared else d.input("serial in for right shifts", "sir", "sr_in", "rsi", "ser_r")
    )
    data = d.input("parallel in", *_D, bus=w)
    out, q = d.registered("register content", _Q, _R, w)
    code = {
        "hold": q,
        "right": f"{{{right_in}, {q}[{width - 1}:1]}}",
        "left": f"{{{q}[{width - 2}:0], {left_in}}}",
        "load": data,
    }
    if rng.random() < 0.7:
        arms = "\n".join(f"2'b{k:02b}: {q} <= {code[a]};" for k, a in enumerate(order[:3]))
        last = f"default: {q} <= {code[order[3]]};"
        lines = f"{arms}\n{last}".replace("\n", "\n    ")
        body = f"case ({mode})\n    {lines}\nendcase"
    else:
        body = chain(
            *((f"{mode} == 2'b{k:02b}", f"{q} <= {code[a]};") for k, a in enumerate(order)
              if a != "hold")
        )  # fmt: skip
    d.clocked(f"{q} <= {w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        action = order[i[mode]]
        if action == "left":
            s["q"] = (s["q"] << 1 | i[left_in]) & w.top
        elif action == "right":
            s["q"] = s["q"] >> 1 | i[right_in] << (width - 1)
        elif action == "load":
            s["q"] = i[data]
        return {out: s["q"]}

    terse = {"hold": "hold", "right": "shift right", "left": "shift left", "load": f"load {data}"}
    table = ", ".join(f"{k:02b} {terse[a]}" for k, a in enumerate(order))
    table2 = "; ".join(f"{k} = {terse[a]}" for k, a in enumerate(order))
    return d.finish(
        "universal_shift_register",
        {"width": width, "order": " ".join(order), "shared": shared},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit universal shift register",
            f"a universal register of {width} bits (hold, shift both ways, load)",
            f"a {width} bit shift register with parallel load and four modes",
            f"a multi-mode shift register, {width} bits wide",
        ),
        facts(
            (
                f"{mode} selects the operation: {table}.",
                f"The action at each clock edge depends on `{mode}`: {table2}.",
                f"Modes ({mode}): {table2}.",
            ),
            (
                f"In a left shift {left_in} enters at bit 0, in a right shift {right_in} enters "
                f"at bit {width - 1}.",
                f"`{left_in}` fills bit 0 on left shifts and `{right_in}` fills bit {width - 1} on "
                "right shifts.",
                f"Shifting left takes {left_in} into the LSB; shifting right takes {right_in} "
                "into the MSB.",
            ),
        ),
    )


@family("rotating_register")
def rotating_register(rng: random.Random) -> Design:
    """Loadable register that rotates by a fixed distance."""
    d = Draft(rng, "shifters", "rotator rotate_reg rot_reg ring_shift circular_shift rotator_reg")
    width = rng.choice((3, 4, 4, 6, 8, 8, 8, 12, 16, 32))
    w = d.bus(width)
    by = rng.choice((1, 1, 1, 2, 3)) if width > 4 else 1
    left = rng.random() < 0.5
    load = d.input("load", "load", "ld", "wr", "set", "load_en")
    data = d.input("value to load", *_D, bus=w)
    en = d.maybe(0.6, "rotate enable", *_EN)
    out, q = d.registered("register content", _Q, _R, w)
    cut = width - by if left else by
    low = f"{q}[{cut - 1}:0]" if cut > 1 else f"{q}[0]"
    high = f"{q}[{width - 1}:{cut}]" if cut < width - 1 else f"{q}[{width - 1}]"
    d.update(q, w, w.zero, (load, data), (en or None, f"{{{low}, {high}}}"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i[load]:
            s["q"] = i[data]
        elif i.get(en, 1):
            s["q"] = (s["q"] << (width - cut) | s["q"] >> cut) & w.top
        return {out: s["q"]}

    way, end = ("left", "top") if left else ("right", "bottom")
    other = "bottom" if left else "top"
    places = "one place" if by == 1 else f"{by} places"
    return d.finish(
        "rotating_register",
        {"width": width, "by": by, "left": left, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit register that rotates {way} by {by}",
            f"a loadable circular shift register, {width} bits, {places} to the {way}",
            f"a {width} bit {way}-rotating register",
            f"a rotate-{way} register of {width} bits with parallel load",
        ),
        facts(
            (
                f"A high {load} loads {data}.",
                f"`{load}` = 1 copies `{data}` into `{out}`.",
                f"The value on {data} is taken when {load} is asserted.",
            ),
            (
                f"Otherwise {out} rotates {way} by {places}; bits leaving at the {end} come back "
                f"at the {other}.",
                f"Without a load the content is rotated {way} {places} per "
                f"{'enabled ' if en else ''}clock, nothing is lost.",
                f"A step rotates `{out}` {places} to the {way}.",
            ),
            (
                f"It rotates only while {en} is high and else holds.",
                f"`{en}` enables rotation; with it low the value stays.",
                f"No rotation without {en}.",
            )
            if en
            else (
                "It rotates in every clock cycle without a load.",
                f"As long as {load} is low it keeps rotating, once per clock.",
                "There is no enable.",
            ),
            says_priority(load, en),
        ),
    )


@family("barrel_register")
def barrel_register(rng: random.Random) -> Design:
    """Registered variable shift or rotation of an input."""
    d = Draft(rng, "shifters", "barrel_shifter barrel_reg var_shift shift_unit shifter barrel")
    width = rng.choice((4, 8, 8, 8, 16, 16, 32))
    w, a = d.bus(width), d.bus((width - 1).bit_length())
    kind = rng.choice(("sll", "srl", "sra", "rol", "ror"))
    en = d.maybe(0.5, "enable", "en", "enable", "valid", "ce", "start")
    data = d.input("operand", *_D, "a", "x", bus=w)
    amount = d.input("distance", "amt", "shamt", "sh", "amount", "n", "dist", bus=a)
    out, q = d.registered("result", ("q", "y", "result", "dout", "out"), ("y_r", "res_r"), w)
    if kind in ("rol", "ror"):
        double = d.wire("twice", "dbl", "wrapped", bus=Bus(2 * width))
        op = "<<" if kind == "rol" else ">>"
        d.add(f"assign {double} = {{{data}, {data}}} {op} {amount};")
        half = f"[{2 * width - 1}:{width}]" if kind == "rol" else f"[{width - 1}:0]"
        value = double + half
    else:
        value = {
            "sll": f"{data} << {amount}",
            "srl": f"{data} >> {amount}",
            "sra": f"$signed({data}) >>> {amount}",
        }[kind]
    d.clocked(f"{q} <= {w.zero};", chain((en or None, f"{q} <= {value};")))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        n, x = i[amount], i[data]
        if i.get(en, 1):
            fill = (w.top << (width - n) if x >> (width - 1) else 0) & w.top
            s["q"] = {
                "sll": x << n,
                "srl": x >> n,
                "sra": x >> n | fill,
                "rol": x << n | x >> (width - n),
                "ror": x >> n | x << (width - n),
            }[kind] & w.top
        return {out: s["q"]}

    name, how = {
        "sll": ("logical left shift", "shifted left, with zeros filled in at the bottom"),
        "srl": ("logical right shift", "shifted right, with zeros filled in at the top"),
        "sra": ("arithmetic right shift", "shifted right, with copies of its top bit filled in"),
        "rol": ("left rotation", "rotated left, bits from the top re-entering at the bottom"),
        "ror": ("right rotation", "rotated right, bits from the bottom re-entering at the top"),
    }[kind]
    return d.finish(
        "barrel_register",
        {"width": width, "kind": kind, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            f"a registered {width}-bit barrel shifter ({name})",
            f"a {width} bit variable {name} with registered output",
            f"a barrel shifter for {width}-bit words performing a {name}, with output register",
            f"a clocked {width}-bit {name} by a variable distance",
        ),
        facts(
            (
                f"At the clock edge {out} becomes {data} {how}, by {amount} places.",
                f"`{out}` is registered: `{data}` {how}; the distance is `{amount}`.",
                f"{amount} gives the number of places by which {data} is {how}; the result "
                f"appears on {out} after the clock edge.",
            ),
            says_hold(en, "the result")
            or ("A new result is stored every clock.", "It works in every clock cycle.", ""),
        ),
    )
