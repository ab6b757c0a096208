"""Combination locks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, bits, clocked, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

__all__: list[str] = []


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
