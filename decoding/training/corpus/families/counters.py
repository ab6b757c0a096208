"""Counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, header, indent, mask
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


class _UpDown:
    def __init__(self, width: int, en: str, up: str, out: str) -> None:
        self.width, self.en, self.up, self.out, self.q = width, en, up, out, 0

    def reset(self) -> None:
        self.q = 0

    def step(self, inputs: Mapping[str, int]) -> dict[str, int]:
        if inputs[self.en]:
            self.q = mask(self.q + (1 if inputs[self.up] else -1), self.width)
        return {self.out: self.q}


@family("up_down_counter")
def up_down_counter(rng: random.Random) -> Design:
    """Counter with enable and direction, wrapping both ways."""
    n = Names(rng)
    width = rng.choice((3, 4, 5, 6, 8, 10, 12, 16))
    module = n.module("updown_counter", "ud_counter", "counter_ud", "bidir_counter", "updown")
    cr = clock_reset(rng, n)
    en = n.pick("en", "enable", "ce", "cnt_en", "count_en")
    up = n.pick("up", "dir", "up_down", "inc", "count_up")
    out = n.pick("q", "count", "cnt", "value", "q_o")
    style = n.choose(("if", "ternary", "internal"))
    reg = style != "internal"
    target = out if reg else n.pick("count_r", "cnt_q", "state")
    ports = (
        *cr.ports,
        PortDecl("input", en, 1, "count enable"),
        PortDecl("input", up, 1, "direction, 1 counts up"),
        PortDecl("output", out, width, "current count", reg=reg),
    )
    if style == "ternary":
        body = f"if ({en})\n    {target} <= {up} ? {target} + 1'b1 : {target} - 1'b1;"
    else:
        body = (
            f"if ({en}) begin\n    if ({up})\n        {target} <= {target} + 1'b1;\n"
            f"    else\n        {target} <= {target} - 1'b1;\nend"
        )
    lines = [cr.process(f"{target} <= {width}'d0;", body)]
    if not reg:
        lines.insert(0, f"reg [{width - 1}:0] {target};")
        lines.append(f"assign {out} = {target};")
    rtl = f"{header(module, ports)}\n{indent(chr(10).join(lines))}\nendmodule\n"
    return Design(
        family="up_down_counter",
        group="counters",
        params={"width": width},
        module=module,
        ports=ports,
        rtl=rtl,
        model=lambda: _UpDown(width, en, up, out),
        titles=(
            f"a {width}-bit up/down counter",
            f"an up-down counter, {width} bits wide",
            f"a {width} bit counter that can count in both directions",
            f"a bidirectional counter with {width} bits",
        ),
        behaviour=(
            (
                f"When {en} is high the count changes by one on each rising clock edge, "
                "otherwise it holds.",
                f"`{en}` enables counting; with `{en}` low the value is kept.",
                f"It only counts while {en} = 1.",
            ),
            (
                f"{up} selects the direction: 1 counts up, 0 counts down.",
                f"With `{up}` set it increments, with `{up}` clear it decrements.",
                f"Counts upwards if {up} is one and downwards if it is zero.",
            ),
            (
                "The count wraps around in both directions.",
                f"Overflow and underflow wrap modulo {1 << width}.",
                "",
            ),
        ),
        clock=cr.clock,
        reset=cr.reset,
        reset_kind=cr.kind,
        reset_active_low=cr.active_low,
        style={"body": style},
    )
