"""Run a set of checks on one DUT."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from .types import CheckResult, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .types import Check, Dut

__all__ = ["run_checks"]


def run_checks(  # noqa: PLR0913
    checks: Sequence[Check],
    dut: Dut,
    workdir: Path,
    *,
    limits: Limits | None = None,
    seed: int = 1,
    jobs: int = 1,
) -> tuple[CheckResult, ...]:
    """Run every check in a folder of its own below `workdir`; results in the order of `checks`.

    With `jobs` above one that many run at once; the work is in child processes, so threads do.

    Raises:
        ToolMissing: Icarus is not installed.
        CheckUnusable: A check cannot run whatever the DUT is.
    """
    limits = limits or Limits()

    def one(index: int) -> CheckResult:
        check = checks[index]
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", check.source.name) or "check"
        return check.run(dut, workdir / f"{index:02d}-{name}", limits=limits, seed=seed)

    if jobs <= 1 or len(checks) <= 1:
        return tuple(one(index) for index in range(len(checks)))
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        return tuple(pool.map(one, range(len(checks))))
