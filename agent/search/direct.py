"""Search judged by the checks themselves, for those that cannot be recorded.

A cocotb test or a bench may react to the design, so every variant takes a run of it: fewer edits
are tried, the most suspect first.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.tools.checks.types import CheckStatus, Dut
from rtl_agent.tools.edits import Edit, apply, find_edits
from rtl_agent.tools.localise import rank_statically

from .likelihood import LIKELY
from .types import Fix, words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.agent.graph.searching import SearchJob
    from rtl_agent.tools.checks.types import CheckResult
    from rtl_agent.tools.interface import Interface
    from rtl_agent.tools.localise import Localisation

    from .types import Budget

__all__ = ["search_directly"]

_JOBS = 2
_MOST_S = 10.0  # of one check on one variant


def search_directly(
    text: str, job: SearchJob, interface: Interface, wrong: Sequence[str], budget: Budget
) -> Fix:
    """Try edits of `text`, which compiles, until all checks of `job` pass.

    `wrong` are the outputs that are known to be wrong (none: unknown).
    """
    order = rank_statically(text, interface, wrong, job.diagnostics)
    score = {s.line: s.score for s in order.suspects}
    edits = sorted(
        find_edits(text, language=job.spec.language),
        key=lambda e: -(score.get(e.line, 0.0) + 0.02) * LIKELY.get(e.operator, 1.0),
    )
    for start in range(0, len(edits), _JOBS):
        if budget.over():
            break
        pair = edits[start : start + _JOBS]
        with ThreadPoolExecutor(_JOBS) as pool:
            numbered = [(start + i, edit) for i, edit in enumerate(pair)]
            results = list(pool.map(lambda item: _try(text, item, job, interface), numbered))
        budget.tried += len(pair)
        for edit, samples in zip(pair, results, strict=True):
            if samples:
                return _fix(text, edit, samples, order, budget)
    return Fix(
        "",
        passed=False,
        tried=budget.tried,
        seconds=round(budget.spent_s, 3),
        localisation=order,
    )


def _try(text: str, item: tuple[int, Edit], job: SearchJob, interface: Interface) -> int:
    """Samples compared when every check passes with this edit; 0 when one does not."""
    number, edit = item
    folder: Path = job.workdir / f"try-{number}"
    folder.mkdir(parents=True)
    suffix = "sv" if job.spec.language.startswith("system") else "v"
    path = folder / f"variant.{suffix}"
    path.write_text(apply(text, [edit]), encoding="utf-8")
    dut = Dut((*job.spec.context, path), interface, job.spec.language)
    limits = replace(job.limits, wall_s=min(job.limits.wall_s, _MOST_S))
    samples = 0
    for index, check in enumerate(job.checks):
        result: CheckResult = check.run(dut, folder / str(index), limits=limits, seed=job.seed)
        if result.status is not CheckStatus.PASSED or not result.passed:
            return 0
        samples += result.samples
    return samples


def _fix(text: str, edit: Edit, samples: int, order: Localisation, budget: Budget) -> Fix:
    return Fix(
        apply(text, [edit]),
        passed=True,
        edits=words([edit]),
        operators=(edit.operator,),
        lines=(edit.line,),
        tried=budget.tried,
        seconds=round(budget.spent_s, 3),
        rows=samples,
        localisation=order,
    )
