"""`rtl-agent solve`: specs in, verified RTL out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .options import budget_options, given, model_options, output_options, run_options
from .teach import with_examples

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.agent.backends.base import ModelBackend
    from rtl_agent.agent.config.schema import Settings
    from rtl_agent.agent.report.result import SolveResult
    from rtl_agent.agent.spec.model import Spec

__all__ = ["solve_command"]

_HELP = with_examples(
    """Write RTL for each SPEC and verify it by the spec's own checks.

    A spec is a Markdown file that says what to build; front matter, fences or a truth table say
    how it is checked. A folder stands for the specs in it, `-` for standard input. The best
    design goes to OUT/<module>.v, its report beside it, and all that was tried to OUT/runs.""",
    "rtl-agent solve counter.md",
    "rtl-agent solve specs/ --out build --attempts 8",
    "rtl-agent solve fifo.md --backend openai --base-url http://localhost:8000/v1 --model qwen",
    "cat spec.md | rtl-agent solve - --json",
    "rtl-agent solve spec.md --dry-run          the plan and the prompt, no model",
    "rtl-agent solve --resume last              go on where Ctrl-C ended a run",
)


@click.command("solve", short_help="Write and verify RTL for one or more specs.", help=_HELP)
@click.argument("specs", nargs=-1, metavar="[SPEC|FOLDER|-]...")
@output_options
@budget_options
@model_options
@run_options
@click.option(
    "--resume", default="", metavar="RUN", help="Go on with an interrupted run: its id, or `last`."
)
@click.option("--dry-run", is_flag=True, help="Show the plan and the prompt; ask no model.")
def solve_command(specs: tuple[str, ...], **params: Any) -> int:
    """Solve every spec that is named, or go on with a run."""
    from rtl_agent.agent.config.resolve import resolve

    from .specs import find_specs, read_all

    if params["as_json"] and params["events"]:
        raise click.UsageError(
            "--json and --events exclude each other: --events ends with the result"
        )
    settings = resolve(given(params)).settings
    if params["resume"]:
        return _resume(specs, params, settings)
    read = read_all(find_specs(specs))
    if params["dry_run"]:
        from .plan import show_plans

        return show_plans(read, settings, as_json=params["as_json"])
    return _solve_all(read, params, settings)


def _solve_all(specs: Sequence[Spec], params: dict[str, Any], settings: Settings) -> int:
    from rtl_agent.agent.config.build import solve_options

    outs = _folders(specs, settings)
    with _Session(params, settings) as session:
        for spec, out in zip(specs, outs, strict=True):
            session.solve(spec, solve_options(settings, out=out))
        return session.finish()


def _folders(specs: Sequence[Spec], settings: Settings) -> list[Path]:
    """The output folder of each spec; specs of one module name get folders of their own."""
    modules = [spec.interface.module for spec in specs]
    folders: list[Path] = []
    for spec in specs:
        folder = settings.out
        if modules.count(spec.interface.module) > 1:
            wanted = spec.name if spec.path is None else f"{spec.path.parent.name}-{spec.name}"
            wanted = wanted.lstrip("-.") or "spec"
            folder = settings.out / wanted
            number = 2
            while folder in folders:
                folder, number = settings.out / f"{wanted}-{number}", number + 1
        folders.append(folder)
    return folders


def _resume(specs: tuple[str, ...], params: dict[str, Any], settings: Settings) -> int:
    from .resume import resumed_request

    spec, options = resumed_request(specs, params, settings)
    with _Session(params, settings, resumed=True) as session:
        session.solve(spec, options)
        return session.finish()


class _Session:
    """One invocation: a backend that is loaded once, a view, and the results so far."""

    def __init__(
        self, params: dict[str, Any], settings: Settings, *, resumed: bool = False
    ) -> None:
        from rtl_agent.agent.backends.factory import make_backend, make_style
        from rtl_agent.agent.config.build import backend_settings, make_retriever

        from .views import make_view

        self._params = params
        self._backend: ModelBackend = make_backend(backend_settings(settings, resumed=resumed))
        self._style = make_style(self._backend)
        self._retriever = make_retriever(settings)
        self._view = make_view(
            events=params["events"], as_json=params["as_json"], quiet=params["quiet"]
        )
        self._results: list[SolveResult] = []

    def __enter__(self) -> _Session:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._view.close()
        self._backend.close()
        if error is not None and self._results:  # what is done is not lost with what failed
            self._view.finish(self._results)

    def solve(self, spec: Spec, options: Any) -> None:
        """Solve one spec and show how it came out."""
        from rtl_agent.agent.graph.run import Interrupted, solve

        from .resume import Resumable, resume_line

        self._view.begin(spec, options)
        try:
            result = solve(
                spec,
                options,
                self._backend,
                self._style,
                self._retriever,
                on_event=self._view.event,
            )
        except Interrupted as error:
            raise Resumable(resume_line(error, self._params)) from error
        self._results.append(result)
        self._view.end(result)

    def finish(self) -> int:
        """Print what is printed once, and give the exit code over all results."""
        from .outcome import exit_code

        self._view.finish(self._results)
        return int(exit_code(self._results))
