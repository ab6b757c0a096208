"""Edges and levels of slow signals: detection, synchronising, toggling."""

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

_SIG = ("sig", "din", "d", "in", "a", "level", "sig_in", "x", "signal")
_PULSE = ("pulse", "edge_o", "det", "strobe", "tick", "p", "hit", "event_o")
_WORD = {"rise": "rising", "fall": "falling", "both": "any"}
_TEST = {"rise": "{new} & ~{old}", "fall": "~{new} & {old}", "both": "{new} ^ {old}"}
_MEANING = {
    "rise": "from 0 to 1",
    "fall": "from 1 to 0",
    "both": "in either direction",
}


def _hit(kind: str, new: int, old: int) -> int:
    return {"rise": new & ~old, "fall": ~new & old, "both": new ^ old}[kind]


@family("edge_detector")
def edge_detector(rng: random.Random) -> Design:
    """Registered pulse on an edge, for one signal or a vector."""
    kind = rng.choice(("rise", "fall", "both"))
    short = {"rise": "posedge", "fall": "negedge", "both": "any_edge"}[kind]
    d = Draft(rng, "timing", f"edge_detect {short}_detect edge_det {kind}_detector edge_pulse")
    w = d.bus(rng.choice((1, 1, 1, 1, 4, 8)))
    sig = d.input("signal to watch", *_SIG, bus=w)
    test = _TEST[kind]
    if rng.random() < 0.55:
        out, q = d.registered(
            f"{_WORD[kind]}-edge pulse", _PULSE, ("pulse_r", "edge_r", "hit_r"), w
        )
        old = d.reg("prev", "last", "sig_q", "d1", "dly", "sig_d", bus=w)
        body = f"{old} <= {sig};\n{q} <= {test.format(new=sig, old=old)};"
        d.clocked(f"{old} <= {w.zero};\n{q} <= {w.zero};", body)
    else:
        out = d.output(f"{_WORD[kind]}-edge pulse", *_PULSE, bus=w)
        base = d.n.pick("s", "dly", "ff", "d_q", "hist")
        a, b = f"{base}1", f"{base}2"
        d.declare(f"reg {w.span + ' ' if w.span else ''}{a}, {b};")
        d.clocked(f"{a} <= {w.zero};\n{b} <= {w.zero};", f"{a} <= {sig};\n{b} <= {a};")
        d.tail(f"assign {out} = {test.format(new=a, old=b)};")

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        pulse = _hit(kind, i[sig], s["old"]) & w.top
        s["old"] = i[sig]
        return {out: pulse}

    many = w.width > 1
    bits = f"{w.width}-bit " if many else ""
    edge = "change (either direction)" if kind == "both" else f"{_WORD[kind]} edge"
    each = f"each bit of {sig}" if many else sig
    flag = f"that bit of {out}" if many else out
    return d.finish(
        "edge_detector",
        {"width": w.width, "kind": kind},
        lambda: Machine({"old": 0}, step),
        (
            f"a {bits}{edge} detector" if kind != "both" else f"a {bits}detector of both edges",
            f"a {bits}circuit that gives a pulse for every {edge}",
            f"a pulse generator triggered by a {edge}{f' of each of {w.width} bits' * many}",
            f"a synchronous detector of {'any change' if kind == 'both' else edge + 's'}"
            f"{f', {w.width} bits in parallel' * many}",
        ),
        facts(
            (
                f"When {each} changes {_MEANING[kind]} between two successive clock edges, {flag} "
                "is high for one clock cycle.",
                f"`{out}` pulses for exactly one clock at a {edge} of {each}"
                f"{', bit by bit' * many}.",
                f"{each} is sampled every clock; a change {_MEANING[kind]} gives a one-cycle "
                f"pulse on {flag}.",
            ),
            (
                "The pulse is registered: it begins at the clock edge that first samples the new "
                "level.",
                f"{out} is a registered output that goes high with the edge at which the new "
                f"value of {sig} is first seen.",
                "The pulse follows directly on the clock edge that samples the change, without "
                "further delay.",
            ),
            (
                f"After reset {sig} is taken to have been 0.",
                "The remembered previous value is 0 after reset.",
                f"Reset clears {out} and the stored sample.",
            ),
        ),
    )


@family("edge_flags")
def edge_flags(rng: random.Random) -> Design:
    """Separate rise and fall pulses, optionally behind a synchroniser."""
    d = Draft(rng, "timing", "edge_flags sync_edge edge_sync async_edge rise_fall input_cond")
    stages = rng.choice((0, 2, 2, 3))
    pool = ("async_in", "din", "btn", "sig_a", "raw", "ext", "pin") if stages else _SIG
    sig = d.input("asynchronous input" if stages else "input", *pool)
    rise = d.output("rising edge pulse", "rise", "rose", "pos", "up_edge", "rise_o")
    fall = ""
    if rng.random() < 0.6 or stages == 0:
        fall = d.output("falling edge pulse", "fall", "fell", "neg", "down_edge", "fall_o")
    level = ""
    if rng.random() < 0.4 and stages:
        level = d.output("synchronised level", "level", "sync_out", "sig_s", "dout")
    total = stages + 1 if stages else 2
    q = d.reg("sync", "sr", "ff", "chain", "sync_q", bus=Bus(total))
    d.clocked(f"{q} <= {total}'b0;", f"{q} <= {{{q}[{total - 2}:0], {sig}}};")
    if total == 2:
        new, old = f"{q}[0]", f"{q}[1]"
    else:
        new, old = f"{q}[{total - 2}]", f"{q}[{total - 1}]"
    d.tail(f"assign {rise} = {new} & ~{old};")
    if fall:
        d.tail(f"assign {fall} = ~{new} & {old};")
    if level:
        d.tail(f"assign {level} = {new};")
    lag = max(stages, 1)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        s["h"] = (s["h"] << 1 | i[sig]) & ((1 << total) - 1)
        now, before = s["h"] >> (total - 2) & 1, s["h"] >> (total - 1)
        result: dict[str, int | None] = {rise: now & ~before}
        if fall:
            result[fall] = ~now & before & 1
        if level:
            result[level] = now
        return result

    what = "rising and falling edges" if fall else "rising edges"
    behind = f" behind a {stages}-stage synchroniser" if stages else ""
    return d.finish(
        "edge_flags",
        {"stages": stages, "fall": bool(fall), "level": bool(level)},
        lambda: Machine({"h": 0}, step),
        (
            f"a detector of {what}{behind}",
            f"a circuit that pulses at {what} of an input{behind}",
            f"an edge detector ({what}){behind}",
            f"an input conditioner flagging {what}{behind}",
        ),
        facts(
            (
                f"{sig} first passes {stages} flip-flops; the edges are detected on the "
                "synchronised signal by comparing it with its value one clock earlier.",
                f"A chain of {stages} flip-flops synchronises `{sig}`, and one more holds the "
                "previous synchronised value.",
                f"The input is synchronised with {stages} registers and then compared with "
                "itself one clock ago.",
            )
            if stages
            else (
                f"{sig} is sampled into a flip-flop at each clock and compared with the sample "
                "before.",
                f"Two successive registered samples of `{sig}` are compared.",
                "Two flip-flops keep the last two samples, which are compared.",
            ),
            (
                f"{rise} is high for one cycle after a 0-to-1 change.",
                f"`{rise}` pulses for one clock on a rising edge.",
                f"A rising edge makes {rise} 1 for exactly one cycle.",
            ),
            (
                f"{fall} does the same for a 1-to-0 change.",
                f"`{fall}` pulses for one clock on a falling edge.",
                f"A falling edge makes {fall} 1 for exactly one cycle.",
            )
            if fall
            else None,
            (
                f"The pulse begins at the {_nth(lag)} clock edge that samples the new level.",
                f"Counting the edge that first samples the new level as the first, the pulse "
                f"starts with the {_nth(lag)} clock edge.",
                f"A change appears at the output with the {_nth(lag)} edge after it.",
            ),
            (
                f"{level} is the synchronised value of {sig} ({stages} flip-flops).",
                f"`{level}` gives the level after the {stages} synchronising registers.",
                f"The level itself, delayed by the {stages} flip-flops, is on {level}.",
            )
            if level
            else None,
            (
                "All flip-flops are 0 after reset.",
                "Reset clears the chain.",
                "",
            ),
        ),
    )


def _nth(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}[number]


@family("toggle_on_pulse")
def toggle_on_pulse(rng: random.Random) -> Design:
    """Output that changes state at each rising edge or each pulse of an input."""
    d = Draft(rng, "timing", "toggle_switch push_toggle led_toggle toggler press_toggle")
    edge = rng.random() < 0.6
    press = d.input(
        "button" if edge else "toggle pulse", "btn", "press", "trig", "key", "push", "tap"
    )
    clr = d.maybe(0.35, "switch off", "off", "clr", "clear", "kill")
    out, q = d.registered("state", ("led", "q", "on", "state", "lamp"), ("on_r", "q_r", "led_q"))
    if edge:
        old = d.reg("prev", "last", "btn_q", "press_d", "seen")
        fire = f"{press} && !{old}"
        flip = chain((clr, f"{q} <= 1'b0;"), (fire, f"{q} <= ~{q};"))
        d.clocked(f"{old} <= 1'b0;\n{q} <= 1'b0;", f"{old} <= {press};\n{flip}")
    else:
        d.update(q, Bus(1), "1'b0", (clr, "1'b0"), (press, f"~{q}"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        fire = i[press] and not (edge and s["old"])
        s["q"] = 0 if i.get(clr) else s["q"] ^ int(fire)
        s["old"] = i[press]
        return {out: s["q"]}

    return d.finish(
        "toggle_on_pulse",
        {"edge": edge, "clear": bool(clr)},
        lambda: Machine({"q": 0, "old": 0}, step),
        (
            "a push-on push-off switch" if edge else "a pulse-driven toggle",
            f"a toggle controlled by {'button presses' if edge else 'pulses'}",
            f"a latching switch flipped by {'rising edges' if edge else 'high cycles'} of an input",
            f"an on/off state that changes with each {'press' if edge else 'pulse'}",
        ),
        facts(
            (
                f"Each rising edge of {press} inverts {out}; holding {press} high has no further "
                "effect.",
                f"`{out}` toggles when `{press}` is 1 and was 0 at the clock edge before.",
                f"A new press (0 then 1 on {press} in successive samples) flips {out} once, "
                "however long it lasts.",
            )
            if edge
            else (
                f"{out} inverts at every clock edge at which {press} is high.",
                f"`{out}` toggles once per clock cycle with `{press}` = 1.",
                f"Each cycle of {press} high flips {out}.",
            ),
            (
                f"{clr} high forces {out} to 0 and wins over toggling.",
                f"`{clr}` switches `{out}` off at the clock edge, with priority.",
                f"With {clr} asserted, {out} becomes 0 whatever {press} does.",
            )
            if clr
            else None,
            (
                f"It starts at 0, and {press} is taken to have been 0 before.",
                f"Reset turns {out} off and forgets the previous {press}.",
                f"After reset {out} is 0 and the stored sample of {press} is 0.",
            )
            if edge
            else ("It starts at 0.", f"Reset turns {out} off.", ""),
            (
                f"The previous sample of {press} is updated even while {clr} is high.",
                f"`{clr}` does not stop the tracking of `{press}`.",
                f"A {press} that rises during {clr} is used up.",
            )
            if clr and edge
            else None,
        ),
    )
