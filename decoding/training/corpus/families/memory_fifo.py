"""First-in first-out buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import ClockReset, clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source
from ._queue import QueueNames, bursts, status_fact

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
    q = QueueNames(n, stack=False)
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
                status_fact("words", q.full, q.empty, depth),
                *level,
                (
                    "A read and a write in the same cycle are both carried out when neither is blocked.",
                    "Simultaneous reading and writing is possible.",
                    "",
                ),
            ),
            style={"body": style},
            stimulus=bursts(q.push, q.pop, q.din, width),
        ),
    )  # fmt: skip
