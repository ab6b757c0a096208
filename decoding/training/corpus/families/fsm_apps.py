"""Small applications as state machines: vending machine, combination lock, lift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, bits, clocked, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

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


def _lock_stimulus(
    code: list[int], width: int, digit: str, enter: str, relock: str
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        keys: list[int] = []
        while len(keys) < cycles:
            keys += code if rng.random() < 0.6 else [rng.getrandbits(width)]
            if rng.random() < 0.2:
                keys += code[: rng.randint(1, len(code))]
        rows, at = [], 0
        for _ in range(cycles):
            row = {digit: keys[at], enter: int(rng.random() < 0.8), relock: int(rng.random() < 0.1)}
            at += row[enter]
            rows.append(row)
        return rows

    return generate


@family("combination_lock")
def combination_lock(rng: random.Random) -> Design:
    """Digits in the right order open the lock; a wrong one starts over."""
    n = Names(rng)
    length, width = rng.choice((3, 3, 4)), rng.choice((2, 3, 4, 4))
    code = [rng.getrandbits(width) for _ in range(length)]
    alarm_on = rng.random() < 0.4
    module = n.module("lock", "combo_lock", "code_lock", "keypad_lock", "door_lock", "pin_check")
    cr = clock_reset(rng, n)
    digit = n.pick("digit", "key", "code", "din", "num")
    enter = n.pick("enter", "key_valid", "strobe", "press", "valid")
    relock = n.pick("lock", "relock", "close", "clear")
    open_ = n.pick("unlocked", "open", "unlock", "granted")
    wrong = n.pick("wrong", "error", "alarm", "bad_digit")
    state = n.pick("state", "progress", "pos", "st")
    style = n.choose(("case", "function", "compare"))
    ports = (
        *cr.ports,
        PortDecl("input", digit, width, "entered digit"),
        PortDecl("input", enter, 1, "digit is entered"),
        PortDecl("input", relock, 1, "close the lock"),
        PortDecl("output", open_, 1, "lock is open"),
        *([PortDecl("output", wrong, 1, "last digit was wrong", reg=True)] if alarm_on else []),
    )
    sw = length.bit_length()
    lits = [f"{width}'d{c}" for c in code]
    bad = f"{wrong} <= 1'b1;" if alarm_on else ""
    quiet = f"{wrong} <= 1'b0;\n" if alarm_on else ""
    fail = (
        f"begin\n        {state} <= {sw}'d0;\n        {bad}\n    end"
        if alarm_on
        else f"\n        {state} <= {sw}'d0;"
    )
    fail = f" {fail}" if alarm_on else fail
    want = n.pick("want", "expected", "want_digit")
    parts = [verilog_reg(sw, state)]
    if style == "case":
        rows = [f"        {sw}'d{k}: {want} = {c};" for k, c in enumerate(lits[:-1])]
        parts += [
            verilog_reg(width, want),
            f"always @(*) begin\n    case ({state})\n"
            + "\n".join(rows)
            + f"\n        default: {want} = {lits[-1]};\n    endcase\nend",
        ]
        good = f"{digit} == {want}"
    elif style == "compare":
        chain = " : ".join(f"({state} == {sw}'d{k}) ? {c}" for k, c in enumerate(lits[:-1]))
        parts.append(f"wire {bits(width)}{want} = {chain} : {lits[-1]};")
        good = f"{digit} == {want}"
    else:
        terms = [f"({state} == {sw}'d{k} && {digit} == {c})" for k, c in enumerate(lits)]
        parts.append(f"wire {want} = " + "\n    || ".join(terms) + ";")
        good = want
    body = (
        f"{quiet}if ({state} == {sw}'d{length}) begin\n    if ({relock})\n        {state} <= {sw}'d0;\n"
        f"end else if ({enter}) begin\n    if ({good})\n        {state} <= {state} + 1'b1;\n"
        f"    else{fail}\nend"
    )
    clear = f"{state} <= {sw}'d0;" + (f"\n{wrong} <= 1'b0;" if alarm_on else "")
    parts += [cr.process(clear, body), f"assign {open_} = ({state} == {sw}'d{length});"]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        missed = 0
        if s["n"] == length:
            s["n"] = 0 if i[relock] else length
        elif i[enter]:
            missed = int(i[digit] != code[s["n"]])
            s["n"] = 0 if missed else s["n"] + 1
        outs: dict[str, int | None] = {open_: int(s["n"] == length)}
        return outs | ({wrong: missed} if alarm_on else {})

    shown = ", ".join(map(str, code))
    alarm = (
        (
            (
                f"{wrong} is registered and high for one cycle after a wrong digit was entered.",
                f"A wrong digit pulses `{wrong}` for the clock cycle that follows.",
                f"{wrong} goes high for a single cycle after each mistaken entry and is low otherwise.",
            ),
        )
        if alarm_on
        else ()
    )
    return clocked(
        cr,
        Design(
            family="combination_lock",
            group="fsm",
            params={"code": str(code), "width": width, "alarm": alarm_on},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"n": 0}, advance),
            titles=(
                f"a combination lock with the code {shown}",
                f"a {length}-digit code lock",
                f"a keypad lock FSM that opens on the digits {shown}",
                f"an electronic door lock with a fixed {length}-digit combination",
            ),
            behaviour=(
                (
                    f"The digits {shown} (decimal), entered in this order on {digit}, open the lock: {open_} goes high after the last one.",
                    f"The code is {shown} in decimal; after its last digit has been taken `{open_}` is 1.",
                    f"{open_} becomes high once {digit} has delivered {shown} one after the other (decimal values).",
                ),
                (
                    f"A digit is taken at a clock edge with {enter} high; without {enter} nothing is entered.",
                    f"`{enter}` qualifies `{digit}`, one digit per clock cycle in which it is high.",
                    f"Only cycles with {enter} = 1 enter a digit.",
                ),
                (
                    "A wrong digit sends the lock back to the very first digit, and is not itself counted as the first digit of a new attempt.",
                    "On a mismatch the attempt starts over from the first digit; the wrong digit is discarded.",
                    "Any incorrect entry clears the progress to zero, even if it equals the first digit of the code.",
                ),
                (
                    f"Once open it stays open and ignores digits until {relock} is high, which closes it; while closed {relock} has no effect.",
                    f"`{relock}` closes an open lock; until then entries are ignored and `{open_}` stays high. It does nothing while the lock is closed.",
                    f"When unlocked, only {relock} matters and brings it back to the locked state with no digit entered; when locked, {relock} is ignored.",
                ),
                *alarm,
            ),
            style={"body": style},
            stimulus=_lock_stimulus(code, width, digit, enter, relock),
        ),
    )


@family("elevator")
def elevator(rng: random.Random) -> Design:
    """A lift that moves one floor a cycle towards the requested floor."""
    n = Names(rng)
    width = rng.choice((2, 2, 3, 3, 4))
    ground = rng.choice((0, 0, 0, 1))
    latched = rng.random() < 0.5
    module = n.module("elevator", "lift", "lift_ctrl", "elevator_fsm", "hoist", "positioner")
    cr = clock_reset(rng, n)
    target = n.pick("target", "req_floor", "dest", "goal", "want_floor")
    call = n.pick("call", "req", "go", "valid", "button") if latched else None
    floor = n.pick("floor", "level", "pos", "current_floor")
    up, down = n.pick("up", "moving_up", "go_up"), n.pick("down", "moving_down", "go_down")
    idle = n.pick("idle", "arrived", "at_floor", "stopped", "door_open")
    goal = n.pick("goal_q", "dest_r", "tgt", "held") if latched else target
    style = n.choose(("wires", "inline"))
    ports = (
        *cr.ports,
        *([PortDecl("input", call, 1, "request is valid")] if call else []),
        PortDecl("input", target, width, "requested floor"),
        PortDecl("output", floor, width, "current floor", reg=True),
        PortDecl("output", up, 1, "moving up"),
        PortDecl("output", down, 1, "moving down"),
        PortDecl("output", idle, 1, "at the requested floor"),
    )
    conds = (up, down) if style == "wires" else (f"{floor} < {goal}", f"{floor} > {goal}")
    move = (
        f"if ({conds[0]})\n    {floor} <= {floor} + 1'b1;\n"
        f"else if ({conds[1]})\n    {floor} <= {floor} - 1'b1;"
    )
    clear = f"{floor} <= {width}'d{ground};"
    parts = []
    if call:
        parts.append(verilog_reg(width, goal))
        move = f"if ({call} && {idle})\n    {goal} <= {target};\n{move}"
        clear += f"\n{goal} <= {width}'d{ground};"
    parts += [
        cr.process(clear, move),
        f"assign {up} = {floor} < {goal};",
        f"assign {down} = {floor} > {goal};",
        f"assign {idle} = "
        + (f"!{up} && !{down};" if style == "wires" else f"({floor} == {goal});"),
    ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        aim = s["goal"] if call else i[target]
        before = s["at"]
        s["at"] += (before < aim) - (before > aim)
        if call and i[call] and before == aim:
            s["goal"] = i[target]
        aim = s["goal"] if call else i[target]
        at = s["at"]
        return {floor: at, up: int(at < aim), down: int(at > aim), idle: int(at == aim)}

    request = (
        (
            f"At a clock edge with {call} and {idle} both high the floor on {target} is stored as the destination; calls during a trip are ignored.",
            f"`{call}` stores `{target}` as the new destination, but only while `{idle}` is high.",
            f"A request ({call} high) is accepted only when the car stands still ({idle} = 1): the destination register then takes {target}.",
        )
        if call
        else (
            f"The destination is whatever {target} currently shows; it may change at any time.",
            f"`{target}` is followed continuously and is not stored.",
            f"{target} is used directly as the destination, without a register.",
        )
    )
    goal_name = "the stored destination" if call else target
    return clocked(
        cr,
        Design(
            family="elevator",
            group="fsm",
            params={"width": width, "ground": ground, "latched": latched},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"at": ground, "goal": ground}, advance),
            titles=(
                f"an elevator controller for {1 << width} floors",
                f"a lift controller with a {width}-bit floor number",
                f"a positioner that moves one step per clock towards a requested {width}-bit position",
                f"an elevator state machine ({1 << width} floors)",
            ),
            behaviour=(
                request,
                (
                    f"{floor} moves by one per clock towards {goal_name}, up or down, and rests when they are equal.",
                    f"Each rising edge brings `{floor}` one step closer to {goal_name}; at the destination it stays.",
                    f"While {floor} is below {goal_name} it increments, while above it decrements, one floor per cycle; otherwise it holds.",
                ),
                (
                    f"{up}, {down} and {idle} are combinational: {floor} less than, greater than and equal to {goal_name}.",
                    f"`{up}` is high while `{floor}` < {goal_name}, `{down}` while it is greater, `{idle}` when both are equal; none of the three is registered.",
                    f"Exactly one of {up} (destination above), {down} (destination below) and {idle} (arrived) is high, straight from comparing {floor} with {goal_name}.",
                ),
                (
                    f"Reset puts the car{' and the destination' if call else ''} at floor {ground}.",
                    f"After reset `{floor}`{' as well as the stored destination' if call else ''} is {ground}.",
                    f"Floor {ground} is the reset position{' and the reset destination' if call else ''}.",
                ),
            ),
            style={"body": style},
            stimulus=biased(
                {target: width, **({call: 1} if call else {})}, {call or "": 0.5}, hold=0.7
            ),
        ),
    )
