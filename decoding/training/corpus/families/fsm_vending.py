"""Vending machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, bits, clocked, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("vending_machine")
def vending_machine(rng: random.Random) -> Design:
    """Accumulate coins up to a price, then dispense."""
    n = Names(rng)
    small, big = rng.choice(((5, 10), (5, 10), (1, 2), (1, 5), (10, 25), (2, 5)))
    price = small * rng.randint(3, 7 if big < 20 else 5)
    with_change = rng.random() < 0.55
    module = n.module("vending", "vending_machine", "coin_fsm", "vend_ctrl", "ticket_machine")
    cr = clock_reset(rng, n)
    a = n.pick(f"coin{small}", f"coin_{small}", f"c{small}", "coin_a", "small_coin")
    b = n.pick(f"coin{big}", f"coin_{big}", f"c{big}", "coin_b", "big_coin")
    vend = n.pick("dispense", "vend", "release_item", "open", "give")
    change = n.pick("change", "refund", "change_due", "change_o")
    total = n.pick("total", "credit", "sum", "balance", "acc")
    after = n.pick("after", "next_total", "new_sum", "sum_next")
    style = n.choose(("wire", "ternary"))
    both = style == "wire"  # both coins in one cycle add up, so the total may be larger
    width = (price - 1 + (small + big if both else big)).bit_length()
    ports = (
        *cr.ports,
        PortDecl("input", a, 1, f"coin worth {small}"),
        PortDecl("input", b, 1, f"coin worth {big}"),
        PortDecl("output", vend, 1, "item is dispensed, one cycle", reg=True),
        *([PortDecl("output", change, width, "change to return", reg=True)] if with_change else []),
    )
    if both:
        value = (
            f"wire {bits(width)}{after} = {total} + ({a} ? {width}'d{small} : {width}'d0)\n"
            f"    + ({b} ? {width}'d{big} : {width}'d0);"
        )
    else:
        value = (
            f"wire {bits(width)}{after} = {b} ? {total} + {width}'d{big} :\n"
            f"    {a} ? {total} + {width}'d{small} : {total};"
        )
    hit = f"{after} >= {width}'d{price}"
    give = f"    {change} <= {after} - {width}'d{price};\n" if with_change else ""
    none = f"    {change} <= {width}'d0;\n" if with_change else ""
    body = (
        f"if ({hit}) begin\n    {total} <= {width}'d0;\n    {vend} <= 1'b1;\n{give}end else begin\n"
        f"    {total} <= {after};\n    {vend} <= 1'b0;\n{none}end"
    )
    clear = f"{total} <= {width}'d0;\n{vend} <= 1'b0;" + (f"\n{none.strip()}" if none else "")
    rtl = source(module, ports, verilog_reg(width, total), value, cr.process(clear, body))

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        added = small * i[a] + big * i[b] if both else big if i[b] else small * i[a]
        s["sum"] += added
        paid = s["sum"] >= price
        rest = s["sum"] - price if paid else 0
        s["sum"] = 0 if paid else s["sum"]
        outs: dict[str, int | None] = {vend: int(paid)}
        return outs | ({change: rest} if with_change else {})

    return clocked(
        cr,
        Design(
            family="vending_machine",
            group="fsm",
            params={"small": small, "big": big, "price": price, "both": both,
                    "change": with_change, "width": width},
            module=module,
            ports=ports,
            rtl=rtl,
            model=lambda: Machine({"sum": 0}, advance),
            titles=(
                f"a vending machine controller for a price of {price}",
                f"a coin accumulator that sells an item for {price}",
                f"a ticket machine FSM (price {price}, coins of {small} and {big})",
                f"a state machine that collects coins worth {small} and {big} until {price} is paid",
            ),
            behaviour=(
                (
                    f"A high {a} in a clock cycle inserts a coin worth {small}, a high {b} one worth {big}.",
                    f"`{a}` adds {small} and `{b}` adds {big} to the credit in every cycle in which they are high.",
                    f"Each cycle with {a} high counts {small}, each with {b} high counts {big}.",
                ),
                (
                    f"If both are high in the same cycle, {small + big} is credited."
                    if both
                    else f"If both are high in the same cycle, only {b} counts.",
                    f"Both coins at once add {small + big}."
                    if both
                    else f"`{b}` has priority over `{a}`: both at once add {big}.",
                    f"Simultaneous coins are both accepted ({small + big})."
                    if both
                    else f"With both inputs high {a} is disregarded.",
                ),
                (
                    f"When the credit including the present coin reaches {price} or more, {vend} goes high for the following cycle and the credit is cleared to zero.",
                    f"As soon as the sum with the new coin is at least {price}, the next clock edge sets `{vend}` (registered, for one cycle) and the credit starts again from 0.",
                    f"On the edge at which the total becomes {price} or greater the machine raises {vend} for one cycle and resets the total.",
                ),
                (
                    f"{change} is the amount paid above {price} in the cycle in which {vend} is high, and 0 otherwise.",
                    f"Together with `{vend}` the register `{change}` shows total minus {price}; in all other cycles it is zero.",
                    f"Overpayment appears on {change} while {vend} is high; it reads 0 at any other time.",
                )
                if with_change
                else (
                    "Overpayment is lost.",
                    "There is no change: any excess is forfeited.",
                    "An excess over the price is not carried over.",
                ),
            ),
            style={"body": style},
            stimulus=biased({a: 1, b: 1}, {a: 0.35, b: 0.25}),
        ),
    )  # fmt: skip
