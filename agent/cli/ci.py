"""`rtl-agent ci`: check every design of a repository; as a patch, repair those that fail."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import budget_options, given, model_options, run_options
from .teach import with_examples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rtl_agent.agent.ci.check import DesignReport
    from rtl_agent.agent.ci.fix import Fix, Fixer, Solver
    from rtl_agent.agent.ci.manifest import Manifest
    from rtl_agent.agent.config.schema import Settings
    from rtl_agent.agent.graph.options import SolveOptions

    from .views import View

__all__ = ["ci_command"]

_HELP = with_examples(
    """Check the designs that rtl-agent.yaml lists, all of them or those named.

    Every design is judged by its spec; a table says how each came out. --fix runs the loop from
    the design as it is for those that fall short, and writes what reached the required verdict as
    one patch. The RTL itself, specs and checks are never written. The exit code says how the
    designs are now, with or without a patch.""",
    "rtl-agent ci",
    "rtl-agent ci --junit build/rtl.xml fifo uart",
    "rtl-agent ci --fix fix.patch && git apply fix.patch",
)


@click.command("ci", short_help="Check the designs that rtl-agent.yaml lists.", help=_HELP)
@click.argument("names", nargs=-1, metavar="[DESIGN]...")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=Path("rtl-agent.yaml"),
    show_default=True,
    help="The list of designs; its paths start at its own folder.",
)
@click.option("--junit", type=click.Path(path_type=Path), help="Write results as JUnit XML.")
@click.option(
    "--annotations/--no-annotations",
    default=None,
    help="GitHub workflow commands. Default: on when GITHUB_ACTIONS is `true`.",
)
@click.option(
    "--fix", type=click.Path(path_type=Path), metavar="PATCH", help="Repair, and write one patch."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for run folders. Default: rtl-out."
)
@run_options
@budget_options
@model_options
def ci_command(names: tuple[str, ...], config: Path, **params: Any) -> int:
    """Check, report, repair."""
    from rtl_agent.agent.ci.check import exit_code
    from rtl_agent.agent.ci.manifest import read_manifest
    from rtl_agent.agent.config.build import solve_options
    from rtl_agent.agent.config.resolve import resolve

    from .views import make_view

    settings = resolve(given(params)).settings
    manifest = read_manifest(config)
    designs = manifest.choose(names)
    _spare_inputs(manifest, params)
    options = solve_options(settings)
    view = make_view(events=False, as_json=True, quiet=params["quiet"])
    fixes: list[Fix] = []
    try:
        with _plain_interrupt():
            reports = [_check(design, options, view) for design in designs]
            _report(reports, params)
            if params["fix"]:
                fixes = _fix_all(manifest, reports, settings, params["fix"], view)
    finally:
        view.close()
    _conclude(reports, fixes, params)
    return int(exit_code(reports))


def _check(design: Any, options: SolveOptions, view: View) -> DesignReport:
    from rtl_agent.agent.ci.check import judge
    from rtl_agent.agent.graph.run import check_design

    def check(files: Any, spec: Any, own: SolveOptions) -> Any:
        view.begin(spec, own)
        result = check_design(files, spec, own, view.event)
        view.end(result)
        return result

    return judge(design, options, check)


def _report(reports: Sequence[DesignReport], params: dict[str, Any]) -> None:
    """What is wanted of the checks, before a repair is begun that may take long."""
    from rtl_agent.agent.ci.annotations import workflow_commands
    from rtl_agent.agent.ci.table import as_table

    if params["junit"]:
        from rtl_agent.agent.ci.junit import write_junit

        write_junit(reports, params["junit"])
    wanted = params["annotations"]
    if wanted is None:
        wanted = os.environ.get("GITHUB_ACTIONS") == "true"
    if not params["as_json"]:
        click.echo(as_table(reports))
    for report in reports if wanted else ():
        for line in workflow_commands(report):
            # Standard output has the JSON object alone; a runner reads both streams.
            click.echo(line, err=params["as_json"])


def _fix_all(
    manifest: Manifest,
    reports: Sequence[DesignReport],
    settings: Settings,
    patch: Path,
    view: View,
) -> list[Fix]:
    """Repair what falls short; the patch is written whatever ends this, empty without a fix."""
    import tempfile

    from rtl_agent.agent.ci.fix import Fixer
    from rtl_agent.agent.config.build import solve_options

    with (
        tempfile.TemporaryDirectory(prefix="rtl-agent-fix-") as scratch,
        _solver(settings, view) as solve,
    ):
        fixer = Fixer(manifest, reports, solve_options(settings), solve, Path(scratch))
        try:
            return [fixer.fix(report.design.name) for report in reports if not report.ok]
        finally:
            _write_patch(fixer, patch)


@contextmanager
def _solver(settings: Settings, view: View) -> Iterator[Solver]:
    """Runs the loop with one backend, made when it is first needed."""
    from rtl_agent.agent.backends.factory import make_backend, make_style
    from rtl_agent.agent.config.build import backend_settings, make_retriever
    from rtl_agent.agent.graph.run import solve

    made: list[Any] = []

    def run(spec: Any, options: Any, files: Any) -> Any:
        if not made:
            backend = make_backend(backend_settings(settings))
            made.append(backend)
            made.extend((make_style(backend), make_retriever(settings)))
        view.begin(spec, options)
        result = solve(spec, options, *made, on_event=view.event, given=files)
        view.end(result)
        return result

    try:
        yield run
    finally:
        if made:
            made[0].close()


def _write_patch(fixer: Fixer, path: Path) -> None:
    from rtl_agent.agent.errors import OutputError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(fixer.patch().encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror or error})",
            remedy="choose another file with --fix",
        ) from error


def _conclude(
    reports: Sequence[DesignReport], fixes: Sequence[Fix], params: dict[str, Any]
) -> None:
    from rtl_agent.agent.ci.table import as_json

    fixed = any(fix.fixed for fix in fixes)
    if params["as_json"]:
        patch = params["fix"] if fixed else None
        click.echo(json.dumps(as_json(reports, fixes, patch), indent=2))
        return
    for fix in fixes:
        click.echo(f"{fix.name}: {'repaired' if fix.fixed else 'not repaired'}: {fix.reason}")
    if fixed:
        click.echo(f"patch: {params['fix']} (nothing else was changed)")


def _spare_inputs(manifest: Manifest, params: dict[str, Any]) -> None:
    """Refuse to write results over what is checked."""
    inputs = {manifest.path.resolve()}
    for design in manifest.designs:
        inputs |= {design.spec.resolve(), *(path.resolve() for path in design.rtl)}
    for option in ("junit", "fix"):
        path = params[option]
        if path is not None and path.resolve() in inputs:
            raise click.UsageError(f"--{option} {path} would overwrite a file that is checked")


@contextmanager
def _plain_interrupt() -> Iterator[None]:
    """Ctrl-C ends all of it: there is no single run to go on with."""
    from rtl_agent.agent.graph.run import Interrupted

    try:
        yield
    except Interrupted as error:
        raise KeyboardInterrupt from error
