"""The façade of the loop: `solve` a spec with a model, or `check` a design without one.

Every front door (command line, chat, CI) comes through here. langgraph is imported when a run
begins, not when this module is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import BackendError, OutputError, SpecError, UsageError
from rtl_agent.tools.errors import CheckUnusable

from .codec import dump, load
from .context import Asker, Context, Stopwatch
from .events import Event, RunEnded, RunStarted
from .folder import RunFolder, create_run, open_run
from .given import keep_given
from .own_checks import prepare_examples
from .trajectory import Trajectory

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.backends.base import ModelBackend
    from rtl_agent.agent.library.types import Retriever
    from rtl_agent.agent.proposals.types import Proposer
    from rtl_agent.agent.report.result import SolveResult
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.agent.styles.base import PromptStyle
    from rtl_agent.tools.checks.types import Check

    from .options import SolveOptions
    from .searching import Searcher
    from .toolbox import Toolbox

__all__ = ["Interrupted", "Request", "check_design", "load_request", "solve"]

OnEvent = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What a run was asked for, kept in its folder."""

    spec: Spec
    options: SolveOptions
    backend: str
    style: str
    schema_version: int = 1
    given: str | None = None  # the design the run began with, as it lies in the run folder
    request: str = ""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run; it can be resumed by its id."""

    def __init__(self, run_id: str, run: Path) -> None:
        super().__init__(f"interrupted; go on with --resume {run_id}")
        self.run_id = run_id
        self.run = run


def load_request(out: Path, run_id: str) -> Request:
    """What the run `run_id` below `out` was asked for, to go on with it.

    Raises:
        UsageError: there is no such run.
        OutputError: its folder is damaged.
    """
    return load(open_run(out, run_id).request, Request)


def solve(  # noqa: PLR0913 - the collaborators of a run, each named by the caller
    spec: Spec,
    options: SolveOptions,
    backend: ModelBackend,
    style: PromptStyle,
    retriever: Retriever | None,
    *,
    on_event: OnEvent | None = None,
    toolbox: Toolbox | None = None,
    searcher: Searcher | None = None,
    proposer: Proposer | None = None,
    given: Sequence[Path] | None = None,
    request: str = "",
) -> SolveResult:
    """Solve `spec`, or go on with `options.resume`.

    The design in the files `given` is judged first, as attempt 0, and repaired where it falls
    short. A `request` says in words what is to be changed in it: then only a new candidate can
    be the result. A run that is resumed goes on with what it was given when it began.

    Raises:
        OutputError, UsageError: `options.out` cannot be written, there is no such run, or a
            given file cannot be read.
        SpecError: a check of the spec can never run; the run resumed was of another spec.
        BackendError, MissingError: the model cannot be used.
        Interrupted: on Ctrl-C, after everything was saved.
    """
    if request and not given and not options.resume:
        raise UsageError("a request needs a design", remedy="name the RTL files to be changed")
    emit = on_event or _ignore
    tools = toolbox or _real_toolbox(options)
    checks = _prepare(tools, spec)
    if options.resume:
        folder = open_run(options.out, options.resume)
        asked = load(folder.request, Request)
        _same_spec(asked.spec, spec)
    else:
        folder = create_run(options.out)
        kept = folder.relative(keep_given(given, spec, folder)) if given else None
        asked = Request(
            spec,
            replace(options, resume=""),
            backend.name,
            backend.style,
            given=kept,
            request=request if kept else "",
        )
        dump(folder.request, asked)
    context = Context(
        spec=spec,
        options=options,
        folder=folder,
        toolbox=tools,
        checks=checks,
        examples=prepare_examples(tools, spec),
        trajectory=Trajectory.reopen(folder.trajectory, _head(folder, spec, backend.name)),
        emit=emit,
        watch=Stopwatch(options.timeout_s),
        asker=Asker(backend, style, retriever),
        searcher=searcher or (_real_searcher(options) if toolbox is None else None),
        proposer=proposer or (_real_proposer(options, spec) if toolbox is None else None),
    )
    emit(_started(context, resumed=bool(options.resume)))
    return _go(context, None, asked)


def check_design(
    files: Sequence[Path],
    spec: Spec,
    options: SolveOptions,
    on_event: OnEvent | None = None,
    *,
    toolbox: Toolbox | None = None,
) -> SolveResult:
    """Judge the design in `files` by the checks of `spec`; no model is asked.

    The files are read where they lie. The run folder is made below `options.out`.

    Raises:
        UsageError: a file does not exist.
        OutputError, SpecError: as for `solve`.
    """
    for path in files:
        if not path.is_file():
            raise UsageError(f"{path}: no such file", remedy="name the RTL files of the design")
    if not files:
        raise UsageError("no RTL file was named", remedy="name the RTL files of the design")
    tools = toolbox or _real_toolbox(options)
    checks = _prepare(tools, spec)
    folder = create_run(options.out)
    asked = Request(spec, options, "", "")
    dump(folder.request, asked)
    context = Context(
        spec=spec,
        options=options,
        folder=folder,
        toolbox=tools,
        checks=checks,
        examples=prepare_examples(tools, spec),
        trajectory=Trajectory(folder.trajectory, _head(folder, spec, "")),
        emit=on_event or _ignore,
        watch=Stopwatch(options.timeout_s),
    )
    context.emit(_started(context, resumed=False))
    return _go(context, [str(path.absolute()) for path in files], asked)


def _ignore(event: Event) -> None:
    """The listener of a caller that wants no events."""


def _real_toolbox(options: SolveOptions) -> Toolbox:
    from .toolbox_real import RealToolbox

    return RealToolbox(options.sandbox)


def _real_searcher(options: SolveOptions) -> Searcher | None:
    if not options.search_s:
        return None
    from rtl_agent.agent.search.real import RealSearcher

    return RealSearcher(options.jobs or 2)


def _real_proposer(options: SolveOptions, spec: Spec) -> Proposer | None:
    if spec.checks or not options.propose:
        return None
    from rtl_agent.agent.proposals.real import RealProposer

    return RealProposer(options.sandbox)


def _prepare(tools: Toolbox, spec: Spec) -> tuple[Check, ...]:
    try:
        return tools.prepare(spec)
    except CheckUnusable as error:
        raise SpecError(error.message, remedy=error.remedy) from error


def _same_spec(before: Spec, now: Spec) -> None:
    if (before.text, before.interface, before.checks) != (now.text, now.interface, now.checks):
        raise SpecError(
            f"{now.path or now.name}: the spec changed since the run began",
            remedy="start a new run without --resume, or restore the spec",
        )


def _head(folder: RunFolder, spec: Spec, backend: str) -> dict[str, object]:
    return {
        "run": folder.run_id,
        "spec": str(spec.path or spec.name),
        "module": spec.interface.module,
        "backend": backend,
    }


def _started(context: Context, *, resumed: bool) -> RunStarted:
    spec, folder = context.spec, context.folder
    name = str(spec.path or spec.name)
    return RunStarted(folder.run_id, folder.root, name, spec.interface.module, resumed)


def _go(context: Context, given: list[str] | None, request: Request) -> SolveResult:
    """Run the graph to its end and record how it ended, whatever ends it."""
    from .session import run_graph

    try:
        result = run_graph(context, given, request)
    except KeyboardInterrupt as error:
        context.trajectory.end("interrupted")
        raise Interrupted(context.folder.run_id, context.folder.root) from error
    except OutputError:
        raise  # the trajectory could not be written either
    except BaseException as error:
        context.trajectory.end("crashed", error=f"{type(error).__name__}: {error}")
        if isinstance(error, BackendError):  # a server may come back; what was made is still there
            error.remedy += f"; then go on with --resume {context.folder.run_id}"
        raise
    context.trajectory.end("ended", result.to_json())
    context.emit(_ended(result))
    return result


def _ended(result: SolveResult) -> RunEnded:
    return RunEnded(
        run_id=result.run_id,
        verdict=str(result.verdict),
        stop_reason=str(result.stop_reason),
        reason=result.reason,
        rtl=result.rtl,
        run=result.run,
        seconds=result.timing.total_s,
    )
