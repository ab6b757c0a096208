"""Start/done controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset
from ..design import Design, PortDecl
from ..names import Names
from ..registry import family
from ._kit import Machine, State, biased, clocked, count_width, source, verilog_reg

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

__all__: list[str] = []


@family("start_done_controller")
def start_done_controller(rng: random.Random) -> Design:
    """Start a job that takes a fixed number of cycles; busy meanwhile, done at its end."""
    n = Names(rng)
    cycles = rng.choice((2, 3, 4, 5, 6, 8, 10, 12, 16, 20))
    module = n.module("job_ctrl", "start_done", "op_timer", "run_ctrl", "task_fsm", "sequencer")
    cr = clock_reset(rng, n)
    start = n.pick("start", "go", "begin_op", "trigger", "launch", "req")
    busy = n.pick("busy", "running", "active", "in_progress")
    done = n.pick("done", "finished", "complete", "done_o", "ready_pulse")
    abort = n.pick("abort", "cancel", "stop", "kill") if rng.random() < 0.35 else None
    width = count_width(cycles - 1)
    cnt = n.pick("cnt", "left", "remaining", "timer")
    style = n.choose(("fsm", "flag", "outreg"))
    ports = (
        *cr.ports,
        PortDecl("input", start, 1, "start request"),
        *([PortDecl("input", abort, 1, "abandon the job")] if abort else []),
        PortDecl("output", busy, 1, "job in progress", reg=style != "fsm"),
        PortDecl("output", done, 1, "job finished, one cycle", reg=style != "fsm"),
    )
    load, zero = f"{cnt} <= {width}'d{cycles - 1};", f"{cnt} == {width}'d0"
    if style == "fsm":
        state = n.pick("state", "st", "cs")
        head = "localparam [1:0] IDLE = 2'd0, RUN = 2'd1, FIN = 2'd2;"
        cancel = f"        if ({abort})\n            {state} <= IDLE;\n        else " if abort else "        "  # fmt: skip
        body = (
            f"case ({state})\n    IDLE: if ({start}) begin\n        {state} <= RUN;\n        {load}\n    end\n"
            f"    RUN: begin\n{cancel}if ({zero})\n            {state} <= FIN;\n"
            f"        {cnt} <= {cnt} - 1'b1;\n    end\n    default: {state} <= IDLE;\nendcase"
        )
        parts = [
            head,
            f"reg [1:0] {state};",
            verilog_reg(width, cnt),
            cr.process(f"{state} <= IDLE;\n{cnt} <= {width}'d0;", body),
            f"assign {busy} = ({state} == RUN);",
            f"assign {done} = ({state} == FIN);",
        ]
    else:
        cancel = f"if ({abort})\n        {busy} <= 1'b0;\n    else " if abort else ""
        open_ = f"!{busy} && !{done} && {start}" if style == "flag" else f"{start} && !{done}"
        run = (
            f"    {cancel}if ({zero}) begin\n        {busy} <= 1'b0;\n        {done} <= 1'b1;\n    end\n"
            f"    {cnt} <= {cnt} - 1'b1;\n"
        )
        begin = f"    {busy} <= 1'b1;\n    {load}\n"
        if style == "flag":
            body = f"{done} <= 1'b0;\nif ({open_}) begin\n{begin}end\nif ({busy}) begin\n{run}end"
        else:
            body = (
                f"{done} <= 1'b0;\nif ({busy}) begin\n{run}end else if ({open_}) begin\n{begin}end"
            )
        parts = [
            verilog_reg(width, cnt),
            cr.process(f"{busy} <= 1'b0;\n{done} <= 1'b0;\n{cnt} <= {width}'d0;", body),
        ]

    def advance(s: State, i: Mapping[str, int]) -> dict[str, int | None]:
        if s["st"] == "run":
            s["n"] -= 1
            if abort and i[abort]:
                s["st"] = "idle"
            elif s["n"] == 0:
                s["st"] = "done"
        elif s["st"] == "done":
            s["st"] = "idle"
        elif i[start]:
            s["st"], s["n"] = "run", cycles
        return {busy: int(s["st"] == "run"), done: int(s["st"] == "done")}

    extra = (
        (
            (
                f"{abort} during the job drops {busy} at the next edge and ends it without {done}, even in the last cycle.",
                f"`{abort}` takes precedence over completion: a running job is given up, `{busy}` falls and `{done}` is not pulsed.",
                f"If {abort} is high while {busy}, the machine returns to idle and {done} stays low; in idle {abort} has no effect.",
            ),
        )
        if abort
        else ()
    )
    return clocked(
        cr,
        Design(
            family="start_done_controller",
            group="fsm",
            params={"cycles": cycles, "abort": bool(abort)},
            module=module,
            ports=ports,
            rtl=source(module, ports, *parts),
            model=lambda: Machine({"st": "idle", "n": 0}, advance),
            titles=(
                f"a start/done controller for a {cycles}-cycle operation",
                f"a multi-cycle job controller with {busy} and {done}",
                f"a control FSM that runs for {cycles} clocks after a start request",
                f"a state machine timing an operation of {cycles} clock cycles",
            ),
            behaviour=(
                (
                    f"When idle, {start} high at a clock edge raises {busy}, which then stays high for exactly {cycles} cycles.",
                    f"A `{start}` seen in idle begins the job: `{busy}` is 1 for the next {cycles} clock cycles.",
                    f"{busy} goes high with the edge that samples {start} and remains so for {cycles} cycles.",
                ),
                (
                    f"In the cycle after the last busy one {done} is high for one cycle, with {busy} low.",
                    f"`{done}` pulses for a single clock right when `{busy}` falls.",
                    f"As {busy} drops, {done} is asserted for exactly one cycle.",
                ),
                (
                    f"{start} is ignored while {busy} or {done} is high.",
                    f"Requests on `{start}` are accepted only in idle, thus neither during the job nor in the `{done}` cycle.",
                    f"No new job is taken while {busy} is set, nor in the cycle in which {done} is set.",
                ),
                *extra,
            ),
            style={"body": style},
            stimulus=biased(
                {start: 1, **({abort: 1} if abort else {})}, {start: 0.35, abort or "": 0.05}
            ),
        ),
    )
