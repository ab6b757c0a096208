"""The steps that find things out about candidates: screen, lint, simulate."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import SpecError
from rtl_agent.agent.verdict import FailedAt, judge
from rtl_agent.tools.checks.types import CheckResult, CheckStatus
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.errors import CheckUnusable

from .bench import dut_for
from .evidence import (
    Record,
    fresh_folder,
    gather,
    lint_record,
    screen_record,
    sources,
)
from .own_checks import InForce, in_force
from .state import RunState
from .stop import StopReason
from .toolbox import Linted

if TYPE_CHECKING:
    from rtl_agent.tools.checks.types import Check

    from .context import Context
    from .state import Candidate

__all__ = ["lint", "screen", "simulate"]

_LEAST_CHECK_S = 1.0  # a check is not started with less time than this left


def screen(state: RunState, context: Context) -> RunState:
    """Look for what no DUT may do, and for a wrong interface."""
    found = 0
    for candidate in _open(state):
        diagnostics = screen_record(context.folder.candidate(candidate["id"])).find(
            partial(context.toolbox.screen, sources(context, candidate), context.spec),
            lambda why: (_crash("screen", why),),
        )
        found += len(diagnostics)
    context.details["diagnostics"] = found
    return RunState()


def lint(state: RunState, context: Context) -> RunState:
    """Compile and lint what passed the screen."""
    compiled = 0
    for candidate in _open(state):
        if gather(context, candidate).screen is None or _fails(context, candidate, FailedAt.SCREEN):
            continue
        compiled += _lint_one(context, candidate).compiled
    context.details["compiled"] = compiled
    return RunState()


def _lint_one(context: Context, candidate: Candidate) -> Linted:
    record = lint_record(context.folder.candidate(candidate["id"]))

    def work() -> Linted:
        workdir = fresh_folder(record.workdir)
        return context.toolbox.lint(sources(context, candidate), context.spec, workdir)

    return record.find(work, lambda why: Linted(compiled=False, diagnostics=(_crash("lint", why),)))


def simulate(state: RunState, context: Context) -> RunState:
    """Run every check on every candidate that compiles, several at once."""
    compiled = [c for c in _open(state) if gather(context, c).compiled]
    force = in_force(context) if compiled else InForce(())
    tasks: list[tuple[Candidate, Check, Record[CheckResult]]] = [
        (candidate, check, record)
        for candidate in compiled
        for check, record in force.records(context.folder.candidate(candidate["id"]))
        if record.load() is None
    ]

    def one(task: tuple[Candidate, Check, Record[CheckResult]]) -> bool:
        return _simulate_one(context, *task)

    jobs = min(context.options.jobs or os.cpu_count() or 1, len(tasks))
    if jobs <= 1:
        ran = [one(task) for task in tasks]
    else:
        with ThreadPoolExecutor(jobs) as pool:
            ran = list(pool.map(one, tasks))
    context.details["simulations"] = sum(ran)
    return RunState() if all(ran) else RunState(stop=StopReason.TIME.value)


def _simulate_one(
    context: Context, candidate: Candidate, check: Check, record: Record[CheckResult]
) -> bool:
    """Run one check and keep its result; false when there was no time left for it."""
    left = context.watch.left_s
    if left < _LEAST_CHECK_S:
        return False
    limits = context.options.check_limits
    limits = replace(limits, wall_s=min(limits.wall_s, left))
    dut = dut_for(context.spec, sources(context, candidate))
    try:
        record.find(
            lambda: context.toolbox.check(
                check, dut, fresh_folder(record.workdir), limits=limits, seed=context.options.seed
            ),
            lambda why: CheckResult(
                check.source.name, check.source.kind, CheckStatus.CRASHED, 0, 0, why
            ),
        )
    except CheckUnusable as error:
        raise SpecError(error.message, remedy=error.remedy) from error
    return True


def _crash(step: str, why: str) -> Diagnostic:
    message = f"the {step} crashed on this design ({why})"
    return Diagnostic("", 0, 0, Severity.ERROR, "tool-crash", message, "", "rtl-agent")


def _open(state: RunState) -> list[Candidate]:
    """The candidates of this attempt that are not judged yet and have something to judge."""
    return [c for c in state["candidates"] if c["files"] and not c["verdict"] and not c["same_as"]]


def _fails(context: Context, candidate: Candidate, step: FailedAt) -> bool:
    return judge(gather(context, candidate)).failed_at is step
