"""Puts the result of a run together from its state, its files and its trajectory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.report.result import AttemptSummary, BySearch, Decoding, SolveResult, Timing
from rtl_agent.agent.verdict import Verdict, judge
from rtl_agent.tools.checks.types import CheckStatus

from .codec import load, load_if_there
from .evidence import gather, lint_record
from .folder import file_stem
from .given import is_given
from .nodes_decide import required_verdict
from .nodes_search import found_by_search
from .own_outcome import mutation_score, own_notes, proposed_checks
from .probe import ProbeResult
from .state import attempt_of
from .stop import StopReason
from .strength import behind_search

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.verdict import Evidence
    from rtl_agent.tools.checks.types import CheckResult
    from rtl_agent.tools.diagnostic import Diagnostic

    from .context import Context
    from .state import Candidate, RunState

__all__ = ["build_result"]


def build_result(state: RunState, context: Context) -> SolveResult:
    """The outcome as it stands."""
    best = state["best"]
    evidence = gather(context, best) if best else None
    spec = context.spec
    steps = context.trajectory.steps
    searched = behind_search(context, best, evidence)
    attempts = _attempts(context)
    return SolveResult(
        spec=str(spec.path or spec.name),
        module=spec.interface.module,
        verdict=Verdict(best["verdict"]) if best else Verdict.FAILED,
        reason=best["reason"] if best else _why_nothing(attempts, state),
        stop_reason=_stop_reason(state, context, evidence),
        required=required_verdict(spec, context.options),
        rtl=_rtl(best, context),
        files=_files(best, context),
        run=context.folder.root,
        report=_report(context),
        attempts=attempts,
        checks=_results(evidence),
        diagnostics=(*(evidence.screen or ()), *(evidence.lint or ())) if evidence else (),
        timing=_timing(steps, context, searched.seconds if searched else 0.0),
        decoding=_decoding(steps, context),
        exemplars=_exemplars(context),
        notes=_notes(best, context, evidence, searched),
        made_by=_made_by(best, context),
        search=searched,
        proposals=proposed_checks(context),
        mutation=mutation_score(context, best),
        cause=_cause(best, evidence),
    )


def _cause(best: Candidate | None, evidence: Evidence | None) -> Diagnostic | None:
    """The diagnostic that is the reason; what came to light after the verdict is none."""
    if best is None or evidence is None:
        return None
    judgement = judge(evidence)
    return judgement.cause if judgement.reason == best["reason"] else None


def _made_by(best: Candidate | None, context: Context) -> str:
    if best is None:
        return ""
    if found_by_search(context.folder, best["id"]):
        return "search"
    if best["id"] in (load_if_there(context.folder.reused, dict[str, str]) or {}):
        return "library"
    return "given" if context.asker is None or is_given(best) else "model"


def _stop_reason(state: RunState, context: Context, evidence: Evidence | None) -> StopReason:
    stop = StopReason(state["stop"] or StopReason.ATTEMPTS)
    if context.asker is None and stop is StopReason.ATTEMPTS:
        # Where a check cannot judge, nothing is said of the design: its author is not to blame.
        broken = evidence and any(r.status is CheckStatus.BROKEN for r in evidence.user)
        return StopReason.CHECK_BROKEN if broken else StopReason.JUDGED
    return stop


def _why_nothing(attempts: tuple[AttemptSummary, ...], state: RunState) -> str:
    if not attempts:
        return StopReason(state["stop"] or StopReason.ATTEMPTS).sentence
    if any(c.same_as for attempt in attempts for c in attempt.candidates):
        return "the model gave back the design that it was to change"
    return "no answer of the model contains a Verilog module"


def _rtl(best: Candidate | None, context: Context) -> Path | None:
    if best is None:
        return None
    source = context.folder.absolute(best["files"][0])
    return context.options.out.absolute() / source.name if context.asker else source


def _files(best: Candidate | None, context: Context) -> tuple[Path, ...]:
    """All files of a given design, where they lie; none of one that the run wrote itself."""
    if best is None or context.asker is not None:
        return ()
    return tuple(context.folder.absolute(name) for name in best["files"])


def _report(context: Context) -> Path:
    if context.asker is None:
        return context.folder.report
    return context.options.out.absolute() / f"{file_stem(context.spec.interface.module)}.report.md"


def _attempts(context: Context) -> tuple[AttemptSummary, ...]:
    paths = sorted(context.folder.root.glob("attempt-*/attempt.json"))
    return tuple(load(path, AttemptSummary) for path in paths)


def _timing(steps: list[dict[str, Any]], context: Context, measured_s: float) -> Timing:
    """Where the time went; `measured_s` seconds of it for what stands behind a search."""

    def took(*names: str) -> float:
        return round(sum(float(s["seconds"]) for s in steps if s["step"] in names), 4)

    total = round(context.watch.spent_s, 4)
    model, screen, lint, simulate = (
        took("draft", "repair", "propose"),
        took("screen"),
        took("lint"),
        took("simulate", "agree", "weigh"),
    )
    search = round(took("search") + measured_s, 4)
    loop = round(max(0.0, total - model - screen - lint - simulate - search), 4)
    return Timing(total, model, screen, lint, simulate, loop, search)


def _decoding(steps: list[dict[str, Any]], context: Context) -> Decoding:
    asked = [s for s in steps if "new_tokens" in s]
    if context.asker is None:
        return Decoding()
    new = sum(int(s["new_tokens"]) for s in asked)
    seconds = sum(float(s["seconds"]) for s in asked)
    lengths = [
        (float(s["acceptance_length"]), int(s["new_tokens"]))
        for s in asked
        if s["acceptance_length"]
    ]
    passes = sum(tokens / length for length, tokens in lengths)
    return Decoding(
        backend=context.asker.backend.name,
        modes=tuple(sorted({m for s in asked for m in s["mode"]})),
        prompt_tokens=sum(int(s["prompt_tokens"]) for s in asked),
        new_tokens=new,
        answers=sum(int(s["answers"]) for s in asked),
        tokens_per_s=round(new / seconds, 2) if seconds else 0.0,
        acceptance_length=round(sum(t for _, t in lengths) / passes, 3) if passes else 0.0,
    )


def _exemplars(context: Context) -> tuple[tuple[str, str], ...]:
    found = load_if_there(context.folder.retrieved, tuple[Exemplar, ...]) or ()
    return tuple((e.name, e.origin) for e in found[: context.options.exemplars])


def _results(evidence: Evidence | None) -> tuple[CheckResult, ...]:
    return (*evidence.user, *evidence.examples, *evidence.own) if evidence else ()


def _notes(
    best: Candidate | None,
    context: Context,
    evidence: Evidence | None,
    searched: BySearch | None,
) -> tuple[str, ...]:
    """Sentences that qualify the result; a run outside a sandbox is never passed over."""
    notes = list(context.spec.notes)
    notes += own_notes(context, best)
    if any(not r.sandboxed for r in _results(evidence)):
        notes.append(
            "simulation ran without a sandbox, with resource limits only; "
            "`rtl-agent doctor` says why"
        )
    notes += [
        f"check {probed.name} also passes a design whose outputs are always 0; "
        "by itself it shows little"
        for probed in load_if_there(context.folder.probed, tuple[ProbeResult, ...]) or ()
        if probed.passed
    ]
    reused = load_if_there(context.folder.reused, dict[str, str]) or {}
    if best and best["id"] in reused:
        notes.append(
            f"this design was taken from the library and fitted to the spec, not drafted: "
            f"{reused[best['id']]}"
        )
    if searched is not None:
        notes.append(searched.sentence)
    linted = lint_record(context.folder.candidate(best["id"])).load() if best else None
    if linted and linted.missing:
        notes.append(f"lint ran without {', '.join(linted.missing)} (not installed)")
    if best and attempt_of(best) and not context.spec.interface.ports:
        notes.append("the spec names no ports that could be read; the interface was not compared")
    return tuple(notes)
