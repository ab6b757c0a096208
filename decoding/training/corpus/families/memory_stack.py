"""Last-in first-out buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, clocked, source
from ._queue import QueueNames, bursts, status_fact

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
    q = QueueNames(n, stack=True)
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
                status_fact("words", q.full, q.empty, depth),
            ),
            style={"body": style, "registered": str(registered)},
            stimulus=bursts(q.push, q.pop, q.din, width),
        ),
    )  # fmt: skip
