"""Binary counters that run upwards, and counters with a modulus or a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import family
from ._phrases import facts, says_clear, says_hold, says_priority
from ._seq import Draft, Machine, Outputs, State, chain

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_Q = ("q", "count", "cnt", "value", "count_o", "q_o", "cnt_out", "count_out")
_R = ("count_r", "cnt_q", "count_reg", "cnt_r", "counter", "ctr")
_EN = ("en", "enable", "ce", "cnt_en", "count_en", "tick", "inc")
_CLR = ("clr", "clear", "sclr", "sync_clr", "flush", "restart")


@family("up_counter")
def up_counter(rng: random.Random) -> Design:
    """Up counter with optional enable, clear, parallel load and terminal count."""
    d = Draft(rng, "counters", "up_counter counter bin_counter counter_up sync_counter cnt")
    w = d.bus(rng.choice((2, 3, 4, 4, 5, 6, 8, 8, 10, 12, 16, 24, 32)), parameter=True)
    clr = d.maybe(0.4, "synchronous clear", *_CLR)
    load = d.maybe(0.4, "load the counter", "load", "ld", "load_en", "set", "wr")
    data = d.input("value to load", "d", "data", "load_val", "din", "preset", bus=w) if load else ""
    en = d.maybe(0.7, "count enable", *_EN)
    out, q = d.registered("current count", _Q, _R, w)
    tc = ""
    if rng.random() < 0.35:
        tc = d.output("high at the last count", "tc", "max", "at_max", "terminal", "is_max")
        d.tail(f"assign {tc} = {d.one_of(f'({q} == {w.ones})', f'&{q}')};")
    d.update(q, w, w.zero, (clr, w.zero), (load, data), (en or None, f"{q} + 1'b1"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = 0
        elif i.get(load):
            s["q"] = i[data]
        elif i.get(en, 1):
            s["q"] = (s["q"] + 1) & w.top
        return {out: s["q"], tc: int(s["q"] == w.top)} if tc else {out: s["q"]}

    width = w.width
    return d.finish(
        "up_counter",
        {
            "width": width,
            "enable": bool(en),
            "clear": bool(clr),
            "load": bool(load),
            "terminal": bool(tc),
        },
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit binary up counter",
            f"a counter that counts upwards, {width} bits wide",
            f"a free-wrapping {width}-bit incrementing counter",
            f"a synchronous {width} bit counter",
            f"a plain {width}-bit counter for counting clock cycles or events",
        ),
        facts(
            (
                f"In every cycle with {en} high, {out} goes up by one.",
                f"`{out}` increments by 1 per clock while `{en}` is asserted and holds otherwise.",
                f"Counting happens only if {en} = 1; otherwise {out} stays.",
                f"{en} is the count enable: high adds one each cycle, low keeps the value.",
            )
            if en
            else (
                f"{out} goes up by one in every clock cycle.",
                f"`{out}` increments on each rising edge, there is no enable.",
                "It counts continuously, adding one per clock.",
            ),
            says_clear(clr, "the count"),
            (
                f"When {load} is high, {data} is loaded into the counter.",
                f"`{load}` copies `{data}` into `{out}` instead of counting.",
                f"A high {load} presets {out} to the value on {data}.",
            )
            if load
            else None,
            says_priority(clr, load, en),
            (
                f"After {w.top} it wraps to 0.",
                "On overflow the count rolls over to zero.",
                f"It wraps around modulo 2^{width}.",
                "",
            ),
            (
                f"{tc} is high exactly while the count is at its maximum, {w.top}.",
                f"`{tc}` flags {out} being all ones (combinational).",
                f"{tc} = 1 whenever {out} equals {w.top}, otherwise 0.",
            )
            if tc
            else None,
        ),
    )


@family("modulo_counter")
def modulo_counter(rng: random.Random) -> Design:
    """Counter from 0 to N-1 with N not a power of two."""
    m = rng.choice((3, 5, 6, 7, 9, 10, 12, 13, 15, 20, 24, 25, 30, 48, 60, 75, 100, 120, 200))
    d = Draft(
        rng,
        "counters",
        f"mod_counter mod{m}_counter modn_counter div_counter counter_mod{m} wrap_counter",
    )
    w = d.bus((m - 1).bit_length())
    clr = d.maybe(0.25, "synchronous clear", *_CLR)
    en = d.maybe(0.6, "count enable", *_EN)
    down = rng.random() < 0.2
    out, q = d.registered("current count", _Q, _R, w)
    last = 0 if down else m - 1
    tc = ""
    if rng.random() < 0.5:
        tc = d.output("last count reached", "tc", "last", "wrap", "carry", "co", "done")
        gate = f" && {en}" if en and rng.random() < 0.5 else ""
        d.tail(f"assign {tc} = ({q} == {w.lit(last)}){gate};")
        gated = bool(gate)
    else:
        gated = False
    limit = w.lit(last)
    if rng.random() < 0.4:
        limit = d.n.pick("LAST", "MAX", "LIMIT", "TOP")
        if down:
            limit = w.lit(0)
        else:
            d.declare(f"localparam {w.span} {limit} = {w.lit(last)};")
    first = w.lit(m - 1) if down else w.zero
    move = f"{q} - 1'b1" if down else f"{q} + 1'b1"
    count = d.one_of("nested", "flat", "ternary")
    if count == "flat":
        at = f"{en} && {q} == {limit}" if en else f"{q} == {limit}"
        body = chain(
            (clr, f"{q} <= {w.zero};"), (at, f"{q} <= {first};"), (en or None, f"{q} <= {move};")
        )
    elif count == "ternary":
        both = f"{q} <= ({q} == {limit}) ? {first} : {move};"
        body = chain((clr, f"{q} <= {w.zero};"), (en or None, both))
    else:
        both = chain((f"{q} == {limit}", f"{q} <= {first};"), (None, f"{q} <= {move};"))
        body = chain((clr, f"{q} <= {w.zero};"), (en or None, both))
    d.clocked(f"{q} <= {w.zero};", body)

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(clr):
            s["q"] = 0
        elif i.get(en, 1):
            s["q"] = (s["q"] + (-1 if down else 1)) % m
        flag = int(s["q"] == last and (not gated or i.get(en, 1) == 1))
        return {out: s["q"], tc: flag} if tc else {out: s["q"]}

    word = "down" if down else "up"
    return d.finish(
        "modulo_counter",
        {
            "modulus": m,
            "down": down,
            "enable": bool(en),
            "clear": bool(clr),
            "terminal": bool(tc),
            "gated": gated,
        },
        lambda: Machine({"q": 0}, step),
        (
            f"a modulo-{m} {word} counter",
            f"a mod-{m} counter counting {word}",
            f"a counter with {m} states, 0 to {m - 1}, counting {word}",
            f"a divide-by-{m} {word} counter",
        ),
        facts(
            (
                f"It counts {m - 1}, {m - 2}, …, 1, 0 and then starts again from {m - 1}.",
                f"`{out}` decrements by one; from 0 it goes to {m - 1}.",
                f"Each step subtracts one, and 0 is followed by {m - 1}.",
            )
            if down
            else (
                f"It counts 0, 1, …, {m - 1} and then starts again from 0.",
                f"`{out}` increments by one; after {m - 1} it returns to 0.",
                f"Each step adds one, and {m - 1} is followed by 0.",
            ),
            says_hold(en, "the count")
            or ("It advances in every clock cycle.", "There is no enable: it runs freely.", ""),
            says_clear(clr, "the count"),
            says_priority(clr, en),
            (
                f"{tc} is high while the count is {last}{f' and {en} is high' if gated else ''}.",
                f"`{tc}` = ({out} == {last}){f' and {en}' if gated else ''}, combinational.",
                f"{tc} goes high in the cycles where {out} is {last}"
                f"{f', provided {en} is 1' if gated else ''}; otherwise it is low.",
            )
            if tc
            else None,
        ),
    )


@family("limit_counter")
def limit_counter(rng: random.Random) -> Design:
    """Up counter that wraps at a limit given on an input."""
    d = Draft(
        rng,
        "counters",
        "limit_counter prog_counter_lim programmable_counter var_mod_counter period_counter "
        "counter_limit",
    )
    w = d.bus(rng.choice((3, 4, 5, 6, 8, 8, 10, 12, 16)), parameter=True)
    limit = d.input("last count before wrapping", "limit", "max", "period", "top", "last", bus=w)
    en = d.maybe(0.6, "count enable", *_EN)
    out, q = d.registered("current count", _Q, _R, w)
    hit = ""
    if rng.random() < 0.6:
        hit = d.output("count has reached the limit", "hit", "wrap", "at_limit", "match", "tc")
        d.tail(f"assign {hit} = ({q} >= {limit});")
    wrap, move = f"{q} <= {w.zero};", f"{q} <= {q} + 1'b1;"
    if rng.random() < 0.3:
        both = chain((f"{q} < {limit}", move), (None, wrap))
    elif rng.random() < 0.4:
        both = f"{q} <= ({q} >= {limit}) ? {w.zero} : {q} + 1'b1;"
    else:
        both = chain((f"{q} >= {limit}", wrap), (None, move))
    d.clocked(wrap, chain((en or None, both)))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            s["q"] = 0 if s["q"] >= i[limit] else s["q"] + 1
        return {out: s["q"], hit: int(s["q"] >= i[limit])} if hit else {out: s["q"]}

    width = w.width
    return d.finish(
        "limit_counter",
        {"width": width, "enable": bool(en), "flag": bool(hit)},
        lambda: Machine({"q": 0}, step),
        (
            f"a {width}-bit counter with a programmable limit",
            f"a {width}-bit up counter whose wrap value comes from an input",
            f"a programmable-modulus counter of {width} bits",
            f"a {width} bit counter with a variable period",
        ),
        facts(
            (
                f"It counts up from 0; once {out} is greater than or equal to {limit} the next "
                "count is 0.",
                f"`{out}` increments by one as long as it is below `{limit}` and otherwise "
                "returns to zero.",
                f"If {out} >= {limit} it goes to 0, else it adds one.",
            ),
            says_hold(en, "the count")
            or ("This happens every clock cycle.", "There is no enable.", ""),
            (
                f"{limit} may change at any time and is compared as it stands.",
                f"The comparison always uses the present value of `{limit}`.",
                "",
            ),
            (
                f"{hit} is high while {out} >= {limit} (combinational).",
                f"`{hit}` tells that the count is at or above `{limit}`.",
                f"{hit} = 1 exactly when {out} is not less than {limit}.",
            )
            if hit
            else None,
        ),
    )
