"""Lifts and positioners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, clocked, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


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
