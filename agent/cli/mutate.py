"""`rtl-agent mutate`: how many small faults the checks of a design notice."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rtl_agent.agent.errors import ExitCode

from .numbers import Share
from .subject import subject_options
from .teach import with_examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.mutate import MutationReport

__all__ = ["mutate_command"]

_HELP = with_examples(
    """Measure how good the checks of a design are: inject small faults into it, one at a time,
    and count how many the checks notice (the mutation score).

    Faults that do not compile, and faults that Yosys proves to change nothing, do not count. The
    faults that nothing noticed are printed as diffs: each shows what the checks do not look at.
    The design has to pass its own checks; if it does not, the exit code is 1. It is also 1 if the
    score is below --fail-under. Where a check itself is faulty, it is 2.""",
    "rtl-agent mutate design.v --spec spec.md",
    "rtl-agent mutate fifo.v ram.v --testbench tb_fifo.v --count 300",
    "rtl-agent mutate design.v --spec spec.md --fail-under 0.95 --json",
)


@click.command(
    "mutate", short_help="Measure how many injected faults the checks notice.", help=_HELP
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RTL...")
@subject_options
@click.option(
    "--count", type=click.IntRange(1), default=100, show_default=True, help="Faults to inject."
)
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Which faults, and the "
    "seed of random stimulus.",
)  # fmt: skip
@click.option(
    "--jobs",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Simulations at once; 0: one a processor.",
)
@click.option(
    "--operator",
    "operators",
    multiple=True,
    metavar="NAME",
    help="Only this kind of fault (may be repeated); see --list-operators.",
)
@click.option(
    "--fail-under",
    type=Share(),
    metavar="SCORE",
    help="Exit with 1 if the score is below this (0 to 1).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object to standard output.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@click.option(
    "--list-operators",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: _list_operators(context) if wanted else None,
    help="Print the kinds of faults and exit.",
)
def mutate_command(files: tuple[Path, ...], **params: Any) -> int:
    """Measure, print, and tell by the exit code whether it is good enough."""
    from rtl_agent.tools.mutate import measure

    from .subject import dut_of, read_subject, require_checks, require_module

    operators = _chosen(params["operators"])
    spec = read_subject(files, params)
    require_module(files, spec)
    checks = require_checks(spec, params["sandbox"])
    folder = Path(tempfile.mkdtemp(prefix="rtl-agent-mutate-"))
    try:
        report = measure(
            checks,
            dut_of(files, spec),
            folder,
            count=params["count"],
            seed=params["seed"],
            jobs=params["jobs"] or _processors(),
            limits=_limits(params),
            operators=operators,
            progress=None if params["quiet"] else _progress(),
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if params["as_json"]:
        click.echo(json.dumps(report_json(report, spec, files), indent=2))
    else:
        click.echo(report_text(report, spec))
    if any(r.status == "broken" for r in report.baseline):
        return int(ExitCode.USAGE)
    low = params["fail_under"] is not None and (report.score or 0.0) < params["fail_under"]
    return int(not report.sound or low)


def _limits(params: dict[str, Any]) -> Any:
    from rtl_agent.tools.checks.types import Limits

    return Limits(unsandboxed=params["sandbox"] == "off")


def _processors() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chosen(names: tuple[str, ...]) -> frozenset[str]:
    from rtl_agent.tools.edits import OPERATORS
    from rtl_agent.tools.mutate import FAULTS

    unknown = sorted(set(names) - set(OPERATORS))
    if unknown:
        raise click.UsageError(
            f"no kind of fault is called {unknown[0]!r}; --list-operators prints them"
        )
    return frozenset(names) or FAULTS


def _list_operators(context: click.Context) -> None:
    from rtl_agent.tools.edits import OPERATORS
    from rtl_agent.tools.mutate import FAULTS

    for name, text in OPERATORS.items():
        click.echo(f"{name:<20} {text}{'' if name in FAULTS else ' (only with --operator)'}")
    context.exit()


def _progress() -> Callable[[int, int], None]:
    """A line that grows on a terminal; elsewhere one line for each tenth."""
    terminal = sys.stderr.isatty()
    said = [-1]

    def tell(done: int, total: int) -> None:
        tenth = done * 10 // max(total, 1)
        if terminal:
            click.echo(f"\r{done} of {total} faults tried", nl=done == total, err=True)
        elif tenth != said[0]:
            said[0] = tenth
            click.echo(f"{done} of {total} faults tried", err=True)

    return tell


def report_text(report: MutationReport, spec: Spec) -> str:
    """The report for people."""
    from rtl_agent.tools.mutate import MutantStatus

    if not report.sound:
        failed = [r for r in report.baseline if not r.passed]
        lines = [f"{r.name}: {r.status}: {r.reason}" for r in failed]
        if any(r.status == "broken" for r in failed):
            return "\n".join(["a check cannot judge any design; correct the check:", *lines])
        return "\n".join([f"{spec.interface.module} does not pass its own checks:", *lines])
    counts = ", ".join(f"{report.count(s)} {s}" for s in MutantStatus if report.count(s))
    score = "no fault to inject" if report.score is None else f"mutation score {report.score:.1%}"
    lines = [f"{spec.interface.module}: {score} ({counts}; {report.seconds:.1f} s)"]
    lines += [f"  note: {report.proof}"] if report.proof.startswith("Yosys is not") else []
    for outcome in report.survivors:
        edit = outcome.mutant.edit
        place = f"{outcome.mutant.file}:{edit.line}:{edit.column}"
        lines += ["", f"not noticed: {place}: {edit.note} [{edit.operator}]"]
        lines += [f"    {line}" for line in outcome.mutant.diff().splitlines()[2:]]
    return "\n".join(lines)


def report_json(report: MutationReport, spec: Spec, files: tuple[Path, ...]) -> dict[str, Any]:
    """The report for programs."""
    from rtl_agent.tools.mutate import MutantStatus

    return {
        "schema_version": 1,
        "module": spec.interface.module,
        "spec": str(spec.path) if spec.path else None,
        "files": [str(path) for path in files],
        "sound": report.sound,
        "score": report.score,
        "counts": {str(status): report.count(status) for status in MutantStatus},
        "by_operator": {
            name: {str(status): number for status, number in row.items()}
            for name, row in report.by_operator().items()
        },
        "checks": [
            {"name": r.name, "kind": r.kind, "status": r.status, "reason": r.reason}
            for r in report.baseline
        ],
        "survivors": [
            {
                "operator": o.mutant.edit.operator,
                "file": str(o.mutant.file),
                "line": o.mutant.edit.line,
                "column": o.mutant.edit.column,
                "note": o.mutant.edit.note,
                "diff": o.mutant.diff(),
            }
            for o in report.survivors
        ],
        "seed": report.seed,
        "seconds": round(report.seconds, 3),
        "sandboxed": all(r.sandboxed for r in report.baseline),
        "proof": report.proof,
    }
