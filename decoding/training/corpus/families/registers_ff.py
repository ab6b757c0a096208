"""Toggle, JK and set/reset flip-flops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_hold
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []


@family("t_flip_flop")
def t_flip_flop(rng: random.Random) -> Design:
    """Toggle flip-flops, one or several in parallel."""
    d = Draft(rng, "registers", "t_ff tff toggle_ff t_flop toggle_reg")
    w = d.bus(rng.choice((1, 1, 1, 2, 4, 8)))
    en = d.maybe(0.35, "enable", "en", "enable", "ce", "tick", "clk_en")
    t = d.input("toggle", "t", "toggle", "tog", "t_in", "flip", bus=w)
    out, q = d.registered("state", ("q", "q_o", "out", "state", "q_out"), ("q_r", "ff", "tq"), w)
    if w.width == 1 and rng.random() < 0.5:
        body = chain((f"{en} && {t}" if en else t, f"{q} <= ~{q};"))
    else:
        body = chain((en or None, f"{q} <= {q} ^ {t};"))
    d.clocked(f"{q} <= {w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            s["q"] ^= i[t]
        return {out: s["q"]}

    one = w.width == 1
    return d.finish(
        "t_flip_flop",
        {"width": w.width, "enable": bool(en)},
        lambda: Machine({"q": 0}, step),
        (
            ("a T flip-flop", "a toggle flip-flop", "a T-type flip-flop", "a toggling register bit")
            if one
            else (
                f"a {w.width}-bit toggle register",
                f"a bank of {w.width} T flip-flops",
                f"a {w.width} bit register of T-type flip-flops",
                f"a {w.width}-bit register with bitwise toggle inputs",
            )
        ),
        facts(
            (
                f"{out} inverts at each clock edge with {t} high and holds while {t} is low.",
                f"`{t}` = 1 toggles `{out}`, `{t}` = 0 keeps it.",
                f"The state changes to its opposite whenever {t} is 1, and stays when it is 0.",
            )
            if one
            else (
                f"Each bit of {out} inverts if the same bit of {t} is 1 and holds if it is 0.",
                f"`{out}` becomes `{out}` XOR `{t}` on the clock edge.",
                f"Bits set in {t} toggle the corresponding bits of {out}; the rest stay.",
            ),
            says_hold(en, "the state"),
        ),
    )


@family("jk_flip_flop")
def jk_flip_flop(rng: random.Random) -> Design:
    """JK or SR flip-flop, clocked."""
    jk = rng.random() < 0.55
    names = "jk_ff jkff jk_flop jk_flip_flop" if jk else "sr_ff srff set_reset_ff sr_flop flag_bit"
    d = Draft(rng, "registers", names)
    if jk:
        a = d.input("J, set", "j", "j_in", "j_i", "J")
        b = d.input("K, clear", "k", "k_in", "k_i", "K")
    else:
        a = d.input("set", "s", "set", "set_i", "start")
        b = d.input("clear", "r", "clr", "clear", "stop", "clr_i")
    both = "toggle" if jk else rng.choice(("set", "clear", "hold"))
    en = d.maybe(0.2, "enable", "en", "enable", "ce")
    out, q = d.registered("state", ("q", "q_o", "out", "state", "flag"), ("q_r", "ff", "st"))
    inverse = d.output("inverted state", "qn", "q_n", "qbar", "nq") if rng.random() < 0.35 else ""
    if inverse:
        d.tail(f"assign {inverse} = ~{q};")
    result = {"toggle": f"~{q}", "set": "1'b1", "clear": "1'b0", "hold": q}[both]
    style = d.one_of("case", "if", "logic")
    if style == "case":
        move = (
            f"case ({{{a}, {b}}})\n    2'b01: {q} <= 1'b0;\n    2'b10: {q} <= 1'b1;\n"
            f"    2'b11: {q} <= {result};\n    default: {q} <= {q};\nendcase"
        )
    elif style == "if":
        move = chain(
            (f"{a} && {b}", f"{q} <= {result};"), (a, f"{q} <= 1'b1;"), (b, f"{q} <= 1'b0;")
        )
    else:
        move = {
            "toggle": f"{q} <= ({a} & ~{q}) | (~{b} & {q});",
            "set": f"{q} <= {a} | ({q} & ~{b});",
            "clear": f"{q} <= ({a} | {q}) & ~{b};",
            "hold": f"{q} <= ({a} == {b}) ? {q} : {a};",
        }[both]
    d.clocked(f"{q} <= 1'b0;", chain((en or None, move)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            old = s["q"]
            pair = {"toggle": 1 - old, "set": 1, "clear": 0, "hold": old}[both]
            s["q"] = (old, 0, 1, pair)[2 * i[a] + i[b]]
        return {out: s["q"], inverse: 1 - s["q"]} if inverse else {out: s["q"]}

    effect = {
        "toggle": f"toggles {out}",
        "set": f"sets {out}: {a} dominates",
        "clear": f"clears {out}: {b} dominates",
        "hold": f"leaves {out} unchanged",
    }[both]
    return d.finish(
        "jk_flip_flop",
        {"jk": jk, "both": both, "enable": bool(en), "inverse": bool(inverse)},
        lambda: Machine({"q": 0}, step),
        (
            ("a JK flip-flop", "a clocked J-K flip-flop", "a JK-type flip-flop", "a J/K flip flop")
            if jk
            else (
                "a clocked SR flip-flop",
                "a synchronous set/reset flip-flop",
                "a flag bit with set and clear inputs",
                "an S-R flip-flop sampled by the clock",
            )
        ),
        facts(
            (
                f"{a} alone sets {out} to 1 and {b} alone clears it to 0.",
                f"`{a}` = 1, `{b}` = 0 sets; `{a}` = 0, `{b}` = 1 clears.",
                f"{out} becomes 1 on {a} and 0 on {b}.",
            ),
            ("With both low it holds.", f"{a} = {b} = 0 keeps the state.", "No input: no change."),
            (
                f"With both high the clock edge {effect}.",
                f"{a} = {b} = 1 {effect}.",
                f"Having {a} and {b} high together {effect}.",
            ),
            says_hold(en, "the state"),
            (
                f"{inverse} is always the complement of {out}.",
                f"`{inverse}` = NOT `{out}`.",
                f"The inverted state is available on {inverse}.",
            )
            if inverse
            else None,
        ),
    )
