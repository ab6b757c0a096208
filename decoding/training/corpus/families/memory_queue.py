"""First-in first-out and last-in first-out buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


def _bursts(
    push: str, pop: str, data: str, width: int
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Phases that mostly push, mostly pop or do both, so that full and empty are reached."""

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        while len(rows) < cycles:
            p, q = rng.choice(((0.9, 0.1), (0.1, 0.9), (0.6, 0.6), (0.95, 0.95), (1.0, 0.0)))
            rows += [
                {
                    push: int(rng.random() < p),
                    pop: int(rng.random() < q),
                    data: rng.getrandbits(width),
                }
                for _ in range(rng.randint(4, 24))
            ]
        return rows[:cycles]

    return generate


def _status(kind: str, full: str, empty: str, depth: int) -> Behaviour:
    return (
        f"{full} is high when it holds {depth} words, {empty} when it holds none.",
        f"`{full}` and `{empty}` flag {depth} and 0 stored {kind} respectively.",
        f"{empty} means no {kind} stored, {full} means all {depth} places are taken.",
    )


class _QueueNames:
    def __init__(self, n: Names, stack: bool) -> None:
        pairs: tuple[str, ...] = ("push pop", "put take", "wr rd", "push_i pop_i", "push_en pop_en")
        if not stack:
            pairs = ("wr_en rd_en", "push pop", "wr rd", "we re", "enq deq", "write read")
        first, second = n.choose(pairs).split()
        self.push, self.pop = n.pick(first), n.pick(second)
        self.din = n.pick("din", "wdata", "data_in", "wr_data", "d")
        self.dout = n.pick("dout", "rdata", "data_out", "rd_data", "q")
        self.full, self.empty = n.pick("full", "full_o", "is_full"), n.pick("empty", "empty_o", "is_empty")  # fmt: skip


def _fifo_pointers(
    cr: ClockReset, m: dict[str, str], aw: int, registered: bool, count: str | None
) -> list[str]:
    """Pointers with a wrap bit."""
    mem, wp, rp = m["mem"], m["wp"], m["rp"]
    low = f"[{aw - 1}:0]"
    get = f"        {m['dout']} <= {mem}[{rp}{low}];\n" if registered else ""
    body = (
        f"if ({m['push']} && !{m['full']}) begin\n    {mem}[{wp}{low}] <= {m['din']};\n    {wp} <= {wp} + 1'b1;\nend\n"
        f"if ({m['pop']} && !{m['empty']}) begin\n{get.replace('        ', '    ')}    {rp} <= {rp} + 1'b1;\nend"
    )
    clear = f"{wp} <= {aw + 1}'d0;\n{rp} <= {aw + 1}'d0;"
    if registered:
        clear += f"\n{m['dout']} <= {m['width']}'d0;"
    parts = [
        f"reg [{aw}:0] {wp}, {rp};",
        cr.process(clear, body),
        f"assign {m['empty']} = ({wp} == {rp});",
        f"assign {m['full']} = ({wp} == {{~{rp}[{aw}], {rp}{low}}});",
    ]
    if count:
        parts.append(f"assign {count} = {wp} - {rp};")
    if not registered:
        parts.append(f"assign {m['dout']} = {mem}[{rp}{low}];")
    return parts


def _fifo_counter(
    cr: ClockReset, m: dict[str, str], aw: int, registered: bool, count: str | None
) -> list[str]:
    """Pointers and a fill counter."""
    mem, wp, rp = m["mem"], m["wp"], m["rp"]
    fill = count or m["fill"]
    do_push, do_pop = m["do_push"], m["do_pop"]
    get = f"    {m['dout']} <= {mem}[{rp}];\n" if registered else ""
    body = (
        f"if ({do_push}) begin\n    {mem}[{wp}] <= {m['din']};\n    {wp} <= {wp} + 1'b1;\nend\n"
        f"if ({do_pop}) begin\n{get}    {rp} <= {rp} + 1'b1;\nend\n"
        f"if ({do_push} && !{do_pop})\n    {fill} <= {fill} + 1'b1;\n"
        f"else if ({do_pop} && !{do_push})\n    {fill} <= {fill} - 1'b1;"
    )
    clear = f"{wp} <= {aw}'d0;\n{rp} <= {aw}'d0;\n{fill} <= {aw + 1}'d0;"
    if registered:
        clear += f"\n{m['dout']} <= {m['width']}'d0;"
    parts = [
        f"reg [{aw - 1}:0] {wp}, {rp};",
        "" if count else f"reg [{aw}:0] {fill};",
        f"wire {do_push} = {m['push']} && !{m['full']};",
        f"wire {do_pop} = {m['pop']} && !{m['empty']};",
        cr.process(clear, body),
        f"assign {m['full']} = ({fill} == {aw + 1}'d{1 << aw});",
        f"assign {m['empty']} = ({fill} == {aw + 1}'d0);",
    ]
    if not registered:
        parts.append(f"assign {m['dout']} = {mem}[{rp}];")
    return parts


@family("sync_fifo")
def sync_fifo(rng: random.Random) -> Design:
    """FIFO with a power-of-two depth; show-ahead or registered read."""
    n = Names(rng)
    aw, width = rng.choice((2, 2, 3, 3, 4)), rng.choice((4, 8, 8, 16))
    depth = 1 << aw
    registered = rng.random() < 0.45
    module = n.module("fifo", "sync_fifo", "queue", "fifo_buf", "fifo_sync", "small_fifo")
    cr = clock_reset(rng, n)
    q = _QueueNames(n, stack=False)
    count = n.pick("count", "level", "usedw", "fill_level") if rng.random() < 0.4 else None
    style = n.choose(("pointers", "counter"))
    m = {"push": q.push, "pop": q.pop, "din": q.din, "dout": q.dout, "full": q.full,
         "empty": q.empty, "width": str(width)}  # fmt: skip
    pointers = n.choose(("wptr rptr", "wr_ptr rd_ptr", "tail head", "wp rp", "w_idx r_idx")).split()
    m |= {
        "mem": n.pick("mem", "store", "buf_mem", "entries"),
        "wp": n.pick(pointers[0]),
        "rp": n.pick(pointers[1]),
        "fill": n.pick("cnt", "fill", "used"),
        "do_push": n.pick("do_wr", "do_push", "wr_ok"),
        "do_pop": n.pick("do_rd", "do_pop", "rd_ok"),
    }
    build = _fifo_pointers if style == "pointers" else _fifo_counter
    ports = (
        *cr.ports,
        PortDecl("input", q.push, 1, "write request"),
        PortDecl("input", q.din, width, "write data"),
        PortDecl("input", q.pop, 1, "read request"),
        PortDecl("output", q.dout, width, "read data", reg=registered),
        PortDecl("output", q.full, 1, "no room left"),
        PortDecl("output", q.empty, 1, "nothing stored"),
        *(
            [PortDecl("output", count, aw + 1, "number of stored words", reg=style == "counter")]
            if count
            else []
        ),
    )
    parts = [
        f"reg [{width - 1}:0] {m['mem']} [0:{depth - 1}];",
        *build(cr, m, aw, registered, count),
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        items = s["items"]
        push, pop = i[q.push] and len(items) < depth, i[q.pop] and items
        if pop:
            s["out"] = items.pop(0)
        if push:
            items.append(i[q.din])
        shown = s["out"] if registered else items[0] if items else None
        outs = {q.dout: shown, q.full: int(len(items) == depth), q.empty: int(not items)}
        return outs | ({count: len(items)} if count else {})

    read = (
        (
            f"{q.pop} takes the oldest word out; it appears on the registered output {q.dout} after that clock edge and stays there until the next read.",
            f"Reading is registered: with `{q.pop}` high and data present, `{q.dout}` takes the oldest word at the edge and otherwise holds. It is 0 after reset.",
            f"On a read the oldest word moves into the output register {q.dout} (one cycle latency), which keeps it until the next successful read.",
        )
        if registered
        else (
            f"The oldest word is always visible on {q.dout} while not empty (show-ahead), and {q.pop} removes it at the clock edge.",
            f"First-word fall-through: `{q.dout}` shows the head combinationally, `{q.pop}` drops it. While empty `{q.dout}` does not matter.",
            f"{q.dout} presents the head of the queue without a read request; {q.pop} advances to the next word.",
        )
    )
    level = (
        (
            (
                f"{count} is the number of stored words, 0 to {depth}.",
                f"`{count}` tells how many words are inside.",
                f"The fill level is given on {count}.",
            ),
        )
        if count
        else ()
    )
    return clocked(
        cr,
        Design(
            family="sync_fifo",
            group="memory",
            params={"depth": depth, "width": width, "registered": registered, "count": bool(count)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"items": [], "out": 0}, advance),
            titles=(
                f"a synchronous FIFO, {depth} words of {width} bits",
                f"a {depth}-entry FIFO for {width}-bit data",
                f"a single-clock queue with {depth} places of {width} bits",
                f"a first-in first-out buffer ({depth} deep, {width} wide)",
            ),
            behaviour=(
                (
                    f"With {q.push} high and not {q.full}, {q.din} is stored at the clock edge; a write while full is ignored.",
                    f"`{q.push}` writes `{q.din}` unless `{q.full}` is set, in which case the write is dropped (even if a read happens in the same cycle).",
                    f"Writes ({q.push}) enter {q.din} at the tail of the queue and are ignored when {q.full}.",
                ),
                read,
                (
                    f"{q.pop} while {q.empty} is ignored.",
                    "A read of the empty queue has no effect, even with a simultaneous write.",
                    f"Nothing happens on `{q.pop}` when `{q.empty}` is high.",
                ),
                _status("words", q.full, q.empty, depth),
                *level,
                (
                    "A read and a write in the same cycle are both carried out when neither is blocked.",
                    "Simultaneous reading and writing is possible.",
                    "",
                ),
            ),
            style={"body": style},
            stimulus=_bursts(q.push, q.pop, q.din, width),
        ),
    )  # fmt: skip


@family("lifo_stack")
def lifo_stack(rng: random.Random) -> Design:
    """Stack; push wins, pop wins, or both at once replace the top."""
    n = Names(rng)
    depth, width = rng.choice((4, 4, 8, 8, 16)), rng.choice((4, 8, 8, 16))
    aw = (depth - 1).bit_length()
    both = rng.choice(("push", "pop", "ignore"))
    registered = rng.random() < 0.5
    module = n.module("stack", "lifo", "lifo_buf", "push_pop", "hw_stack", "return_stack")
    cr = clock_reset(rng, n)
    q = _QueueNames(n, stack=True)
    mem, sp = n.pick("mem", "store", "cells", "stk"), n.pick("sp", "ptr", "top_ptr", "cnt")
    top = n.pick("top_idx", "prev", "last_idx", "sp_m1")
    style = n.choose(("wire", "inline"))
    ports = (
        *cr.ports,
        PortDecl("input", q.push, 1, "push request"),
        PortDecl("input", q.pop, 1, "pop request"),
        PortDecl("input", q.din, width, "data to push"),
        PortDecl(
            "output", q.dout, width, "popped word" if registered else "top of stack", reg=registered
        ),
        PortDecl("output", q.full, 1, "stack is full"),
        PortDecl("output", q.empty, 1, "stack is empty"),
    )
    index = f"{sp}[{aw - 1}:0]"
    below = top
    push_if = {"push": q.push, "pop": f"{q.push} && !{q.pop}", "ignore": f"{q.push} && !{q.pop}"}[
        both
    ]
    pop_if = {"push": f"{q.pop} && !{q.push}", "pop": q.pop, "ignore": f"{q.pop} && !{q.push}"}[
        both
    ]
    get = f"    {q.dout} <= {mem}[{below}];\n" if registered else ""
    do_push = f"if ({push_if} && !{q.full}) begin\n    {mem}[{index}] <= {q.din};\n    {sp} <= {sp} + 1'b1;\nend"
    do_pop = f"if ({pop_if} && !{q.empty}) begin\n{get}    {sp} <= {sp} - 1'b1;\nend"
    if style == "inline":
        first, second = (do_push, do_pop) if both != "pop" else (do_pop, do_push)
        body = f"{first} else {second}"
    else:
        body = f"{do_push}\n{do_pop}"
    clear = f"{sp} <= {aw + 1}'d0;" + (f"\n{q.dout} <= {width}'d0;" if registered else "")
    parts = [
        f"reg [{width - 1}:0] {mem} [0:{depth - 1}];",
        f"reg [{aw}:0] {sp};",
        f"wire [{aw - 1}:0] {top} = {index} - 1'b1;",
        cr.process(clear, body),
        f"assign {q.full} = ({sp} == {aw + 1}'d{depth});",
        f"assign {q.empty} = ({sp} == {aw + 1}'d0);",
        "" if registered else f"assign {q.dout} = {mem}[{below}];",
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        items, push, pop = s["items"], i[q.push], i[q.pop]
        if push and pop:
            push, pop = int(both == "push"), int(both == "pop")
        if push and len(items) < depth:
            items.append(i[q.din])
        elif pop and items:
            s["out"] = items.pop()
        shown = s["out"] if registered else items[-1] if items else None
        return {q.dout: shown, q.full: int(len(items) == depth), q.empty: int(not items)}

    clash = {
        "push": (
            f"If both are requested, {q.push} wins and {q.pop} is ignored.",
            f"`{q.push}` has priority over `{q.pop}`, also when the push is blocked by a full stack.",
            "With both high only the push counts.",
        ),
        "pop": (
            f"If both are requested, {q.pop} wins and {q.push} is ignored.",
            f"`{q.pop}` has priority over `{q.push}`, also when there is nothing to pop.",
            "With both high only the pop counts.",
        ),
        "ignore": (
            f"If {q.push} and {q.pop} are high together, nothing happens.",
            f"`{q.push}` and `{q.pop}` at once cancel each other: the stack does not change.",
            "Both requests in the same cycle are ignored.",
        ),
    }[both]
    read = (
        (
            f"A pop takes the newest word off the stack into the output register {q.dout}, which holds it until the next pop and is 0 after reset.",
            f"On `{q.pop}` the word pushed last is removed and appears on the registered `{q.dout}`; between pops `{q.dout}` keeps its value.",
            f"{q.dout} is a register loaded with the top word at each successful pop.",
        )
        if registered
        else (
            f"{q.dout} always shows the word on top (combinationally, undefined while empty), and {q.pop} removes it.",
            f"The word pushed last is visible on `{q.dout}` without a request; `{q.pop}` takes it off at the clock edge. While empty `{q.dout}` does not matter.",
            f"{q.dout} is the top of the stack; a pop drops it and uncovers the word below.",
        )
    )
    return clocked(
        cr,
        Design(
            family="lifo_stack",
            group="memory",
            params={"depth": depth, "width": width, "both": both, "registered": registered},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"items": [], "out": 0}, advance),
            titles=(
                f"a stack for {depth} words of {width} bits",
                f"a LIFO buffer, {depth} entries of {width} bits",
                f"a {depth}-deep hardware stack with {width}-bit data",
                f"a last-in first-out memory ({depth} x {width})",
            ),
            behaviour=(
                (
                    f"{q.push} puts {q.din} on top of the stack at the clock edge, unless {q.full}.",
                    f"`{q.push}` stores `{q.din}` as the new top; when full it is ignored.",
                    f"A push of {q.din} happens on an edge with {q.push} high and has no effect when {q.full} is set.",
                ),
                read,
                (
                    "A pop of the empty stack is ignored.",
                    f"`{q.pop}` does nothing while `{q.empty}` is high.",
                    "Popping when empty has no effect.",
                ),
                clash,
                _status("words", q.full, q.empty, depth),
            ),
            style={"body": style, "registered": str(registered)},
            stimulus=_bursts(q.push, q.pop, q.din, width),
        ),
    )  # fmt: skip
