"""Machines that walk through phases: traffic light, stepper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, bits, clocked, count_width, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _phase_rows(
    labels: list[str], dwell: list[int], *, state: str, cnt: str, width: int, order: list[int]
) -> str:
    """`case` items that count each phase down or move on."""
    rows = []
    for k, label in enumerate(labels):
        follow = labels[order[k]]
        rows.append(
            f"    {label}: if ({cnt} == {width}'d{dwell[k] - 1}) begin\n"
            f"        {state} <= {follow};\n        {cnt} <= {width}'d0;\n"
            f"    end else\n        {cnt} <= {cnt} + 1'b1;"
        )
    return "\n".join(rows)


@family("traffic_light")
def traffic_light(rng: random.Random) -> Design:
    """Three lamps with a dwell time each, in the order green, yellow, red."""
    n = Names(rng)
    dwell = [rng.randint(3, 14), rng.randint(2, 5), rng.randint(3, 14)]  # green, yellow, red
    first = rng.choice((2, 2, 0))
    module = n.module("traffic_light", "traffic_ctrl", "lights", "signal_head", "tl_fsm", "traffic")
    cr = clock_reset(rng, n)
    tick = n.pick("tick", "en", "sec_tick", "step", "ena") if rng.random() < 0.4 else None
    suffix = n.choose(("", "_o", "_light", "_led", "_on"))
    lamps = [n.pick(f"{c}{suffix}") for c in n.choose(("green yellow red", "green amber red", "grn yel red")).split()]  # fmt: skip
    state, cnt = n.pick("state", "phase", "st"), n.pick("cnt", "timer", "t", "dwell")
    labels = ["GO", "WARN", "STOP"] if rng.random() < 0.4 else ["GREEN", "YELLOW", "RED"]
    if suffix == "":
        labels = ["S_GO", "S_WARN", "S_STOP"]
    width = count_width(max(dwell) - 1)
    style = n.choose(("case", "limit"))
    local = ", ".join(f"{a} = 2'd{k}" for k, a in enumerate(labels))
    reset = f"{state} <= {labels[first]};\n{cnt} <= {width}'d0;"
    parts = [f"localparam [1:0] {local};", f"reg [1:0] {state};", verilog_reg(width, cnt)]
    if style == "case":
        body = (
            f"case ({state})\n"
            + _phase_rows(labels, dwell, state=state, cnt=cnt, width=width, order=[1, 2, 0])
            + f"\n    default: {state} <= {labels[first]};\nendcase"
        )
    else:
        last = n.pick("last", "limit", "last_cnt")
        parts.append(
            f"wire {bits(width)}{last} = ({state} == {labels[0]}) ? {width}'d{dwell[0] - 1} :\n"
            f"    ({state} == {labels[1]}) ? {width}'d{dwell[1] - 1} : {width}'d{dwell[2] - 1};"
        )
        body = (
            f"if ({cnt} == {last}) begin\n    {cnt} <= {width}'d0;\n"
            f"    {state} <= ({state} == {labels[2]}) ? {labels[0]} : {state} + 1'b1;\n"
            f"end else begin\n    {cnt} <= {cnt} + 1'b1;\nend"
        )
    if tick:
        body = f"if ({tick}) begin\n{indent(body)}\nend"
    parts.append(cr.process(reset, body))
    parts += [f"assign {lamp} = ({state} == {a});" for lamp, a in zip(lamps, labels, strict=True)]
    shown = lamps[:]
    rng.shuffle(shown)
    ports = (
        *cr.ports,
        *([PortDecl("input", tick, 1, "time base")] if tick else []),
        *(PortDecl("output", lamp, 1, f"{lamp.split('_')[0]} lamp") for lamp in shown),
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if not tick or i[tick]:
            s["t"] += 1
            if s["t"] == dwell[s["k"]]:
                s["t"], s["k"] = 0, (s["k"] + 1) % 3
        return {lamp: int(s["k"] == k) for k, lamp in enumerate(lamps)}

    g, y, r = lamps
    unit = f"cycles with {tick} high" if tick else "clock cycles"
    begin = "red" if first == 2 else "green"
    gate = (
        (
            (
                f"Time passes only while {tick} is high; otherwise the lamps stay as they are.",
                f"`{tick}` is the time base: without it nothing moves.",
                f"In cycles with {tick} = 0 the state is held.",
            ),
        )
        if tick
        else ()
    )
    return clocked(
        cr,
        Design(
            family="traffic_light",
            group="fsm",
            params={"dwell": str(dwell), "first": first, "tick": bool(tick)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"k": first, "t": 0}, advance),
            titles=(
                "a traffic light controller",
                "a traffic signal state machine with fixed phase times",
                "a sequencer for the three lamps of a traffic light",
                "a stop light FSM",
            ),
            behaviour=(
                (
                    f"The phases follow each other as green, yellow, red and again green; exactly one of {g}, {y}, {r} is high at a time.",
                    f"It cycles {g} -> {y} -> {r} -> {g} with one lamp on at any moment.",
                    f"After {g} comes {y}, then {r}, then {g} again, always one of them lit.",
                ),
                (
                    f"Green lasts {dwell[0]} {unit}, yellow {dwell[1]} and red {dwell[2]}.",
                    f"`{g}` is on for {dwell[0]}, `{y}` for {dwell[1]} and `{r}` for {dwell[2]} {unit}.",
                    f"Dwell times in {unit}: {g} {dwell[0]}, {y} {dwell[1]}, {r} {dwell[2]}.",
                ),
                *gate,
                (
                    f"Reset starts at the beginning of the {begin} phase.",
                    f"After reset the {begin} lamp is lit with its full time ahead.",
                    f"It comes out of reset in {begin}, with the timer at zero.",
                ),
            ),
            style={"body": style},
            stimulus=biased({tick: 1}, {tick: 0.9}) if tick else None,
        ),
    )


@family("sequence_stepper")
def sequence_stepper(rng: random.Random) -> Design:
    """A fixed sequence of output words, each held for its own number of steps."""
    n = Names(rng)
    phases, width = rng.choice((3, 4, 4, 5, 6)), rng.choice((2, 3, 4, 4, 8))
    words = [rng.getrandbits(width) for _ in range(phases)]
    words[1] = (words[0] + 1) % (1 << width) if words[1] == words[0] else words[1]
    dwell = [rng.choice((1, 1, 2, 2, 3, 4)) for _ in range(phases)]
    if rng.random() < 0.4:
        dwell = [1] * phases
    module = n.module("sequencer", "stepper", "pattern_seq", "phase_gen", "step_seq", "pattern_gen")
    cr = clock_reset(rng, n)
    en = n.pick("en", "step", "advance", "enable", "tick") if rng.random() < 0.6 else None
    out = n.pick("pattern", "out", "phase_out", "drive", "seq", "q")
    style = n.choose(("index", "reg"))
    total = sum(dwell)
    iw = count_width(total - 1)
    idx = n.pick("idx", "pos", "cnt", "slot")
    hexed = [f"{width}'b{w:0{width}b}" for w in words]
    starts = [sum(dwell[:k]) for k in range(phases)]
    rows = []
    for k in range(phases):
        items = ", ".join(f"{iw}'d{starts[k] + j}" for j in range(dwell[k]))
        rows.append(f"    {items}: {out} = {hexed[k]};" if k < phases - 1 else f"    default: {out} = {hexed[k]};")  # fmt: skip
    if style == "reg":
        rows = [f"({idx} < {iw}'d{starts[k + 1]}) ? {hexed[k]} :" for k in range(phases - 1)]
        text = f"assign {out} = " + "\n    ".join([*rows, f"{hexed[-1]};"])
    else:
        text = f"always @(*) begin\n    case ({idx})\n" + indent("\n".join(rows)) + "\n    endcase\nend"  # fmt: skip
    wrap = f"{idx} <= ({idx} == {iw}'d{total - 1}) ? {iw}'d0 : {idx} + 1'b1;"
    if total == 1 << iw:
        wrap = f"{idx} <= {idx} + 1'b1;"
    body = f"if ({en})\n    {wrap}" if en else wrap
    ports = (
        *cr.ports,
        *([PortDecl("input", en, 1, "advance")] if en else []),
        PortDecl("output", out, width, "current word", reg=style == "index"),
    )
    rtl = source(module, ports, verilog_reg(iw, idx), cr.process(f"{idx} <= {iw}'d0;", body), text)

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if not en or i[en]:
            s["i"] = (s["i"] + 1) % total
        return {out: [w for w, d in zip(words, dwell, strict=True) for _ in range(d)][s["i"]]}

    unit = f"cycles with {en} high" if en else "clock cycles"
    seen = [f"{w:0{width}b}" for w in words]
    plain = set(dwell) == {1}
    each = [f"{w} for {d}" for w, d in zip(seen, dwell, strict=True)]
    times = [f"{w} x{d}" for w, d in zip(seen, dwell, strict=True)]
    order = (
        (
            f"{out} steps through the words {', '.join(seen)} (binary), one per step, and then starts over.",
            f"The repeating sequence on `{out}` is {' -> '.join(seen)} -> {seen[0]}, a new word every step.",
            f"Each step brings the next of the {phases} values {', '.join(seen)}; after the last comes the first again.",
        )
        if plain
        else (
            f"{out} shows the binary words {', '.join(each)} {unit}, and then the sequence repeats.",
            f"The repeating sequence on `{out}`, word and number of {unit}: {', '.join(times)}.",
            f"Words in order {', '.join(seen)}, held for {', '.join(map(str, dwell))} {unit} respectively on {out}, then again from the first.",
        )
    )
    stepping = (
        (
            f"It advances on a clock edge with {en} high and holds otherwise.",
            f"`{en}` enables the advance; with it low the word stays.",
            f"Only cycles with {en} = 1 count as a step.",
        )
        if en
        else (
            "Every clock cycle is a step.",
            "It advances on each rising edge without any enable.",
            "There is no enable, it steps every cycle.",
        )
    )
    return clocked(
        cr,
        Design(
            family="sequence_stepper",
            group="fsm",
            params={"words": str(words), "dwell": str(dwell), "width": width, "enable": bool(en)},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"i": 0}, advance),
            titles=(
                f"a sequencer that plays {phases} fixed {width}-bit words",
                f"a {phases}-phase pattern generator",
                f"a cyclic stepper for a {width}-bit output pattern",
                f"a state machine that repeats a fixed sequence of {phases} output words",
            ),
            behaviour=(
                order,
                stepping,
                (
                    f"Reset returns to the first word {seen[0]}.",
                    f"After reset {out} is {seen[0]}, at the very start of the sequence.",
                    f"It starts over at {seen[0]} when reset.",
                ),
            ),
            style={"body": style},
        ),
    )
