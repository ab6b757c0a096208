"""Clocked designs built from submodules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset, mask
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, Transparent, biased, bits, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


def _inner(cr: ClockReset) -> ClockReset:
    """The same kind of clock and reset under the usual names, for a submodule."""
    reset = None if cr.reset is None else "rst_n" if cr.active_low else "rst"
    return ClockReset("clk", reset, cr.kind, cr.active_low)


def _wires(cr: ClockReset) -> list[str]:
    """Connections of an inner clock and reset to the outer ones."""
    inner = _inner(cr)
    pairs = [f".clk({cr.clock})"]
    if cr.reset:
        pairs.append(f".{inner.reset}({cr.reset})")
    return pairs


def _place(cell: str, name: str, pairs: list[str]) -> str:
    if sum(map(len, pairs)) < 70:
        return f"{cell} {name} ({', '.join(pairs)});"
    return f"{cell} {name} (\n    " + ",\n    ".join(pairs) + "\n);"


_OPS: dict[str, tuple[str, str]] = {
    "+": ("sum", "adds"),
    "-": ("difference", "subtracts"),
    "&": ("bitwise AND", "ANDs"),
    "|": ("bitwise OR", "ORs"),
    "^": ("bitwise XOR", "XORs"),
}


def _apply(op: str, x: int, y: int, width: int) -> int:
    table = {"+": x + y, "-": x - y, "&": x & y, "|": x | y, "^": x ^ y}
    return mask(table[op], width)


@family("pipeline_hier")
def pipeline_hier(rng: random.Random) -> Design:
    """Two pipeline stages, each a submodule: (a op b), then (op c)."""
    n = Names(rng)
    width = rng.choice((4, 8, 8, 12, 16))
    one, two = rng.sample(sorted(_OPS), 2) if rng.random() < 0.8 else ("+", "+")
    flagged = rng.random() < 0.5
    module = n.module("pipe2", "two_stage", "pipeline", "datapath", "pipe_top", "arith_pipe")
    cr = clock_reset(rng, n)
    a, b, c = n.choose(("a b c", "x y z", "op_a op_b op_c", "in_a in_b in_c")).split()
    a, b, c = n.pick(a), n.pick(b), n.pick(c)
    out = n.pick("result", "out", "q", "dout", "res")
    vin, vout = n.choose(("in_valid out_valid", "valid_i valid_o", "vin vout")).split()
    vin, vout = (n.pick(vin), n.pick(vout)) if flagged else ("", "")
    cell1, cell2 = n.choose(
        ("stage1 stage2", "first_stage second_stage", "pipe_s1 pipe_s2")
    ).split()
    cell1, cell2 = n.pick(cell1), n.pick(cell2)
    t, cd, v = n.pick("t", "mid", "s1_res", "part"), n.pick("c_d", "c_q", "s1_c"), n.pick("v1", "s1_valid")  # fmt: skip
    inner = _inner(cr)
    clear1 = f"p <= {width}'d0;\nc_out <= {width}'d0;" + ("\nv_out <= 1'b0;" if flagged else "")
    body1 = f"p <= a {one} b;\nc_out <= c_in;" + ("\nv_out <= v_in;" if flagged else "")
    flag = (PortDecl("input", "v_in", 1, ""), PortDecl("output", "v_out", 1, "", reg=True)) if flagged else ()  # fmt: skip
    ports1 = (
        *inner.ports,
        *flag[:1],
        PortDecl("input", "a", width, ""),
        PortDecl("input", "b", width, ""),
        PortDecl("input", "c_in", width, ""),
        *flag[1:],
        PortDecl("output", "p", width, "", reg=True),
        PortDecl("output", "c_out", width, "", reg=True),
    )
    ports2 = (
        *inner.ports,
        *flag[:1],
        PortDecl("input", "p", width, ""),
        PortDecl("input", "c", width, ""),
        *flag[1:],
        PortDecl("output", "r", width, "", reg=True),
    )
    clear2 = f"r <= {width}'d0;" + ("\nv_out <= 1'b0;" if flagged else "")
    body2 = f"r <= p {two} c;" + ("\nv_out <= v_in;" if flagged else "")
    up1 = [f".v_in({vin})", f".v_out({v})"] if flagged else []
    up2 = [f".v_in({v})", f".v_out({vout})"] if flagged else []
    parts = [
        f"wire {bits(width)}{t}, {cd};",
        f"wire {v};" if flagged else "",
        _place(cell1, "u1", [*_wires(cr), *up1, f".a({a})", f".b({b})", f".c_in({c})", f".p({t})", f".c_out({cd})"]),
        _place(cell2, "u2", [*_wires(cr), *up2, f".p({t})", f".c({cd})", f".r({out})"]),
    ]  # fmt: skip
    ports = (
        *cr.ports,
        *([PortDecl("input", vin, 1, "input is valid")] if flagged else []),
        PortDecl("input", a, width, "first operand"),
        PortDecl("input", b, width, "second operand"),
        PortDecl("input", c, width, "third operand"),
        *([PortDecl("output", vout, 1, "output is valid")] if flagged else []),
        PortDecl("output", out, width, "result"),
    )
    rtl = "\n".join(
        (
            source(module, ports, *parts),
            source(cell1, ports1, inner.process(clear1, body1)),
            source(cell2, ports2, inner.process(clear2, body2)),
        )
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        s["r"], s["v2"] = _apply(two, s["t"], s["c"], width), s["v1"]
        s["t"], s["c"], s["v1"] = _apply(one, i[a], i[b], width), i[c], i[vin] if flagged else 0
        outs: dict[str, int | None] = {out: s["r"]}
        return outs | ({vout: s["v2"]} if flagged else {})

    facts: list[Behaviour] = [
        (
            f"{out} = ({a} {one} {b}) {two} {c}, modulo 2^{width}, with a latency of two clock cycles.",
            f"`{out}` shows, two clocks after the operands, `{a}` {one} `{b}` followed by {two} `{c}` ({width} bits).",
            f"Stage one forms the {_OPS[one][0]} {a} {one} {b}, stage two applies {two} {c}; all {width}-bit, two edges from input to {out}.",
        ),
        (
            f"{c} is delayed along with the first stage, so that all three operands belong to the same cycle.",
            f"The operand `{c}` is registered in the first stage as well.",
            f"New operands are accepted on every clock, {c} travels in step with the other two.",
        ),
        (
            f"The two stages are submodules {cell1} and {cell2}, each with its own output registers.",
            f"Put each stage into a module of its own (`{cell1}`, `{cell2}`), with registered outputs.",
            f"Structure: {cell1} feeds {cell2}.",
        ),
    ]
    if flagged:
        facts.insert(
            2,
            (
                f"{vin} is passed through both stages to {vout}; the data registers load in every cycle regardless of it.",
                f"`{vout}` is `{vin}` two cycles later and does not gate the data.",
                f"{vout} accompanies the result as a two-cycle delayed {vin}; invalid data is computed just the same.",
            ),
        )
    return clocked(
        cr,
        Design(
            family="pipeline_hier",
            group="hierarchy",
            params={"width": width, "one": one, "two": two, "flagged": flagged},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"t": 0, "c": 0, "r": 0, "v1": 0, "v2": 0}, advance),
            titles=(
                f"a two-stage {width}-bit pipeline made of two submodules",
                f"a pipelined {width}-bit datapath computing ({a} {one} {b}) {two} {c}",
                f"a hierarchical two-stage arithmetic pipeline, {width} bits",
                f"a {width}-bit unit with two pipeline stages",
            ),
            behaviour=tuple(facts),
            style={"flagged": str(flagged)},
        ),
    )


@family("counter_compare_hier")
def counter_compare_hier(rng: random.Random) -> Design:
    """A counter submodule and a comparator submodule: PWM or alarm."""
    n = Names(rng)
    width = rng.choice((3, 4, 4, 6, 8))
    top = (1 << width) - 1
    period = rng.choice((top, top, rng.randint(top // 2, top)))
    pwm = rng.random() < 0.6
    module = (
        n.module("pwm", "pwm_gen", "pulse_width")
        if pwm
        else n.module("timer_cmp", "alarm", "match_timer", "cnt_cmp")
    )
    cr = clock_reset(rng, n)
    en = n.pick("en", "enable", "run", "tick") if rng.random() < 0.5 else None
    level = (
        n.pick("duty", "level", "width_i", "compare")
        if pwm
        else n.pick("match_val", "limit", "compare", "target")
    )
    out = (
        n.pick("pwm_o", "out", "pulse", "q") if pwm else n.pick("match", "hit", "alarm_o", "equal")
    )
    show = n.pick("count", "cnt", "value") if rng.random() < 0.5 else None
    cell1, cell2 = n.pick("counter", "cnt_blk", "up_counter", "mod_counter"), n.pick("compare_blk", "comparator", "cmp", "level_cmp")  # fmt: skip
    cnt = show or n.pick("cnt_w", "now", "position")
    inner = _inner(cr)
    next_value = (
        "q <= q + 1'b1;"
        if period == top
        else f"q <= (q == {width}'d{period}) ? {width}'d0 : q + 1'b1;"
    )
    body = f"if (en)\n    {next_value}" if en else next_value
    counter_ports = (
        *inner.ports,
        *([PortDecl("input", "en", 1, "")] if en else []),
        PortDecl("output", "q", width, "", reg=True),
    )
    compare_ports = (
        PortDecl("input", "a", width, ""),
        PortDecl("input", "b", width, ""),
        PortDecl("output", "y", 1, ""),
    )
    relation = "<" if pwm else "=="
    parts = [
        "" if show else f"wire {bits(width)}{cnt};",
        _place(cell1, "u_cnt", [*_wires(cr), *([f".en({en})"] if en else []), f".q({cnt})"]),
        _place(cell2, "u_cmp", [f".a({cnt})", f".b({level})", f".y({out})"]),
    ]
    ports = (
        *cr.ports,
        *([PortDecl("input", en, 1, "count enable")] if en else []),
        PortDecl("input", level, width, "duty value" if pwm else "value to match"),
        *([PortDecl("output", show, width, "counter value")] if show else []),
        PortDecl(
            "output", out, 1, "pulse-width modulated output" if pwm else "counter equals the value"
        ),
    )
    rtl = "\n".join(
        (
            source(module, ports, *parts),
            source(cell1, counter_ports, inner.process(f"q <= {width}'d0;", body)),
            source(cell2, compare_ports, f"assign y = (a {relation} b);"),
        )
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if not en or i[en]:
            s["q"] = 0 if s["q"] == period else s["q"] + 1
        hit = s["q"] < i[level] if pwm else s["q"] == i[level]
        outs: dict[str, int | None] = {out: int(hit)}
        return outs | ({show: s["q"]} if show else {})

    visible = f" (output {show})" if show else ""
    facts: list[Behaviour] = [
        (
            f"An internal {width}-bit counter{visible} counts from 0 to {period} and wraps to 0.",
            f"The counter{visible} runs through 0 … {period} and starts over.",
            f"A counter{visible} modulo {period + 1} is stepped by the clock.",
        ),
        (
            f"It advances only in cycles with {en} high.",
            f"`{en}` enables the counting; otherwise the counter holds.",
            f"With {en} = 0 the counter stands still.",
        )
        if en
        else (
            "It advances on every clock.",
            "The counter counts each clock cycle, there is no enable.",
            "Every rising edge increments it.",
        ),
        (
            f"{out} is high (combinationally) while the counter is {'less than' if pwm else 'equal to'} {level}.",
            f"`{out}` = (counter {relation} `{level}`), unsigned and without a register.",
            f"The comparator drives {out} = 1 as long as the counter is {'below' if pwm else 'exactly'} {level}.",
        ),
        (
            f"The counter is a submodule {cell1}, the comparison a submodule {cell2}.",
            f"Counter and comparator are separate modules (`{cell1}` and `{cell2}`) under the top.",
            f"Structure: {cell1} and {cell2} instantiated in {module}.",
        ),
    ]
    return clocked(
        cr,
        Design(
            family="counter_compare_hier",
            group="hierarchy",
            params={
                "width": width,
                "period": period,
                "pwm": pwm,
                "enable": bool(en),
                "shown": bool(show),
            },
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"q": 0}, advance),
            titles=(
                f"a {width}-bit PWM generator made of a counter and a comparator",
                f"a pulse-width modulator with {width}-bit duty value",
                f"a hierarchical PWM unit, {width} bits",
                "a PWM block with a counter submodule and a compare submodule",
            )
            if pwm
            else (
                f"a {width}-bit counter with a match output, made of two submodules",
                f"a compare timer, {width} bits",
                "a hierarchical counter and comparator that signals a match",
                f"a free-running {width}-bit counter with comparator",
            ),
            behaviour=tuple(facts),
            style={"pwm": str(pwm)},
            stimulus=biased({level: width, **({en: 1} if en else {})}, {en or "": 0.8}, hold=0.9),
        ),
    )


@family("digit_counter_hier")
def digit_counter_hier(rng: random.Random) -> Design:
    """Two or three cascaded digit counters (decimal or another base)."""
    n = Names(rng)
    digits, base = rng.choice(
        ((2, 10), (2, 10), (2, 10), (3, 10), (2, 6), (2, 8), (2, 12), (3, 4), (3, 5))
    )
    module = n.module("bcd_counter", "digit_counter", "decade_counter", "cascade_cnt", "dec_count")
    cr = clock_reset(rng, n)
    en = n.pick("en", "tick", "inc", "count_en")
    cell = n.pick("digit", "digit_cnt", "decade", "one_digit")
    sets = n.choose(("ones tens hundreds", "d0 d1 d2", "units tens_o hund", "digit0 digit1 digit2"))
    outs = [n.pick(name) for name in sets.split()[:digits]]
    carry = n.pick("carry", "wrap", "overflow", "tc")
    links = [n.pick(f"c{k}", f"co{k}", f"carry{k}") for k in range(digits - 1)]
    inner = _inner(cr)
    style = n.choose(("wrap", "assign"))
    last = "last" if style == "wrap" else f"(q == 4'd{base - 1})"
    cell_ports = (
        *inner.ports,
        PortDecl("input", "en", 1, ""),
        PortDecl("output", "q", 4, "", reg=True),
        PortDecl("output", "co", 1, ""),
    )
    cell_parts = [
        f"wire last = (q == 4'd{base - 1});" if style == "wrap" else "",
        inner.process("q <= 4'd0;", f"if (en)\n    q <= {last} ? 4'd0 : q + 1'b1;"),
        f"assign co = en && {last};",
    ]
    enables = [en, *links]
    carries = [*links, carry]
    parts = [f"wire {', '.join(links)};"]
    parts += [
        _place(
            cell,
            f"u{k}",
            [*_wires(cr), f".en({enables[k]})", f".q({outs[k]})", f".co({carries[k]})"],
        )
        for k in range(digits)
    ]
    ports = (
        *cr.ports,
        PortDecl("input", en, 1, "count enable"),
        *(PortDecl("output", o, 4, f"digit {k}") for k, o in enumerate(outs)),
        PortDecl("output", carry, 1, "all digits wrap at the next edge"),
    )
    rtl = source(module, ports, *parts) + "\n" + source(cell, cell_ports, *cell_parts)
    size = base**digits

    def move(s: State, i: Mapping[str, int]) -> None:
        s["v"] = (s["v"] + i[en]) % size

    def show(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        result: dict[str, int | None] = {o: s["v"] // base**k % base for k, o in enumerate(outs)}
        return result | {carry: int(i[en] and s["v"] == size - 1)}

    kind = "BCD " if base == 10 else f"base-{base} "
    return clocked(
        cr,
        Design(
            family="digit_counter_hier",
            group="hierarchy",
            params={"digits": digits, "base": base},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Transparent({"v": 0}, move, show),
            titles=(
                f"a {digits}-digit {kind}counter",
                f"a cascade of {digits} digit counters in base {base}",
                f"a {digits}-digit counter built from single-digit modules (0 to {base - 1} each)",
                f"a hierarchical {kind}counter with {digits} digits",
            ),
            behaviour=(
                (
                    f"In cycles with {en} high the number made of {', '.join(reversed(outs))} (most significant first) increments by one; otherwise it holds.",
                    f"`{en}` advances the count; `{outs[0]}` is the lowest digit and `{outs[-1]}` the highest.",
                    f"It counts cycles with {en} = 1 in digits, {outs[0]} being the least significant and {outs[-1]} the most significant.",
                ),
                (
                    f"Every digit runs from 0 to {base - 1}, and then wraps to 0 and advances the next one.",
                    f"Digits have 4 bits and count 0 … {base - 1}; a wrap carries into the next digit at the same edge.",
                    f"When a digit passes {base - 1} it returns to 0 and the next higher digit increments.",
                ),
                (
                    f"{carry} is combinationally high while {en} is high and all digits are {base - 1}, i.e. when the whole counter is about to wrap to zero.",
                    f"`{carry}` = `{en}` and every digit at {base - 1} (no register).",
                    f"The carry output {carry} is high in enabled cycles with the maximum count, all digits {base - 1}.",
                ),
                (
                    f"Each digit is an instance of a submodule {cell} with enable and carry out.",
                    f"Build it from `{cell}` modules, one per digit, the carry of one enabling the next.",
                    f"Structure: {digits} cascaded instances of {cell}.",
                ),
            ),
            style={"body": style},
            stimulus=biased({en: 1}, {en: 0.98}),
        ),
    )


@family("shift_chain_hier")
def shift_chain_hier(rng: random.Random) -> Design:
    """A delay line from register modules."""
    n = Names(rng)
    stages, width = rng.choice((2, 3, 3, 4)), rng.choice((1, 1, 4, 8))
    module = n.module("delay_line", "reg_chain", "shift_chain", "delay", "dff_chain")
    cr = clock_reset(rng, n)
    en = n.pick("en", "ce", "shift", "enable") if rng.random() < 0.4 else None
    d, q = n.choose(("d q", "din dout", "in out", "x y")).split()
    d, q = n.pick(d), n.pick(q)
    taps = rng.random() < 0.35
    cell, w = n.pick("dff", "reg_cell", "register_n", "flop"), n.pick("s", "stage", "w", "link")
    inner = _inner(cr)
    ci, co = n.choose(("d q", "din dout")).split()
    cell_ports = (
        *inner.ports,
        *([PortDecl("input", "en", 1, "")] if en else []),
        PortDecl("input", ci, width, ""),
        PortDecl("output", co, width, "", reg=True),
    )
    out_width = width * stages if taps else width
    wires = [f"{w}{k}" for k in range(stages if taps else stages - 1)]
    nodes = [d, *wires, *([] if taps else [q])]
    gate = [f".en({en})"] if en else []
    parts = [f"wire {bits(width)}{', '.join(wires)};"]
    parts += [
        _place(cell, f"u{k}", [*_wires(cr), *gate, f".{ci}({nodes[k]})", f".{co}({nodes[k + 1]})"])
        for k in range(stages)
    ]
    if taps:
        parts.append(f"assign {q} = {{{', '.join(reversed(wires))}}};")
    load = f"{co} <= {ci};"
    ports = (
        *cr.ports,
        *([PortDecl("input", en, 1, "shift enable")] if en else []),
        PortDecl("input", d, width, "input"),
        PortDecl("output", q, out_width, "all stages" if taps else "delayed input"),
    )
    rtl = (
        source(module, ports, *parts)
        + "\n"
        + source(
            cell,
            cell_ports,
            inner.process(f"{co} <= {width}'d0;", f"if (en)\n    {load}" if en else load),
        )
    )

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if not en or i[en]:
            s["v"] = [i[d], *s["v"][:-1]]
        return {q: sum(v << width * k for k, v in enumerate(s["v"])) if taps else s["v"][-1]}

    wide = f"{width}-bit " if width > 1 else ""
    step = f"clock edge with {en} high" if en else "clock edge"
    return clocked(
        cr,
        Design(
            family="shift_chain_hier",
            group="hierarchy",
            params={"stages": stages, "width": width, "enable": bool(en), "taps": taps},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"v": [0] * stages}, advance),
            titles=(
                f"a {wide}delay line of {stages} register modules",
                f"a chain of {stages} {wide}registers built from a submodule",
                f"a hierarchical {wide}shift chain, {stages} stages",
                f"a {stages}-stage {wide}delay made of flip-flop instances",
            ),
            behaviour=(
                (
                    f"At each {step} the first register takes {d} and every other one takes its predecessor"
                    + (f"; with {en} low all hold." if en else "."),
                    f"`{d}` moves one stage further with every {step}"
                    + (", otherwise nothing changes." if en else "."),
                    f"Every {step} shifts the chain by one, starting from {d}"
                    + (" (it holds while the enable is low)." if en else "."),
                ),
                (
                    f"{q} shows all stages, the first (newest) in the lowest {width if width > 1 else ''} bit{'s' if width > 1 else ''} and the last in the highest.".replace(
                        "  ", " "
                    ),
                    f"`{q}` is the concatenation of the {stages} stages with the newest value at the low end.",
                    f"The output {q} collects every stage, oldest value in the most significant position.",
                )
                if taps
                else (
                    f"{q} is the last stage, so the delay is {stages} {'enabled ' if en else ''}clocks.",
                    f"`{q}` equals `{d}` from {stages} {'enabled edges' if en else 'cycles'} ago.",
                    f"After {stages} such edges a value appears on {q}.",
                ),
                (
                    f"Every stage is an instance of the register module {cell}.",
                    f"Use {stages} instances of a submodule `{cell}`.",
                    f"Structure: {stages} times {cell} in series.",
                ),
            ),
            style={"taps": str(taps)},
        ),
    )
