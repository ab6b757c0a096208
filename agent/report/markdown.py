"""`report.md`: the outcome of a run for readers."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.verdict import Verdict
from rtl_agent.tools.checks.types import CheckKind

from .located import located_reason
from .proposed import proposed_section

if TYPE_CHECKING:
    from rtl_agent.agent.graph.options import SolveOptions
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import CheckResult

    from .result import AttemptSummary, SolveResult

__all__ = ["report_markdown"]

_OPTIONS = {
    CheckKind.COCOTB: "--test",
    CheckKind.TESTBENCH: "--testbench",
    CheckKind.REFERENCE_MODEL: "--reference",
    CheckKind.REFERENCE_RTL: "--reference",
    CheckKind.VECTORS: "--vectors",
}

_MEANS = {
    Verdict.VERIFIED: "every check of the spec ran on this design, compared samples, and passed; "
    "the screen found nothing.",
    Verdict.SELF_CHECKED: "the spec has no check of its own; a check that the same model wrote, "
    "and that independent drafts confirm, passed.",
    Verdict.COMPILES: "screened, compiled and linted without errors; **nothing was simulated**.",
    Verdict.FAILED: "this design is **not** shown to do what the spec asks.",
}


def report_markdown(result: SolveResult, spec: Spec, options: SolveOptions) -> str:
    """The whole report."""
    parts = [
        _head(result, spec),
        _evidence(result),
        proposed_section(result),
        _attempts(result.attempts),
        _library(result, options),
        _cost(result),
        _reproduce(result, spec, options),
    ]
    return "\n\n".join(p for p in parts if p) + "\n"


def _head(result: SolveResult, spec: Spec) -> str:
    means = _MEANS[result.verdict]
    if result.verdict is Verdict.COMPILES and result.checks:
        means = "screened, compiled and linted without errors; **no check counts for it**."
    lines = [
        f"# {result.module}: {result.verdict}",
        "",
        f"{_sentence(located_reason(result))} This verdict means: {means}",
        "",
        f"- spec: {f'`{result.spec}`' if _has_spec(spec) else 'none'}",
        f"- required verdict: {result.required} ({'reached' if result.reached else 'not reached'})",
        f"- how the run ended: {result.stop_reason.sentence} (`{result.stop_reason}`)",
        f"- design: {f'`{result.rtl}`' if result.rtl else 'none'}",
        f"- run folder: `{result.run}`",
    ]
    lines += [f"- note: {note}" for note in result.notes]
    return "\n".join(lines)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def _evidence(result: SolveResult) -> str:
    lines = ["## Evidence", ""]
    if result.checks:
        lines += [
            "| check | kind | outcome | samples | mismatches | why |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        lines += [_check_row(c) for c in result.checks]
    else:
        lines.append("No check ran on this design.")
    if result.diagnostics:
        lines += ["", "Diagnostics of the best design:", ""]
        lines += [f"- `{_one_line(str(d))}`" for d in result.diagnostics[:20]]
        hidden = len(result.diagnostics) - 20
        lines += [f"- and {hidden} more"] if hidden > 0 else []
    return "\n".join(lines)


def _check_row(check: CheckResult) -> str:
    why = _one_line(check.reason).replace("|", "\\|") or "-"
    outcome = "passed" if check.passed else f"**{check.status}**"
    cells = (check.name, check.kind, outcome, check.samples, check.mismatches, why)
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _one_line(text: str) -> str:
    return " ".join(text.replace("`", "'").split())


def _attempts(attempts: tuple[AttemptSummary, ...]) -> str:
    if not attempts:
        return ""
    lines = ["## Attempts", ""]
    for attempt in attempts:
        lines.append(
            f"{attempt.number}. {attempt.phase}: best is {attempt.verdict} "
            f"({_one_line(attempt.reason)})"
        )
        for candidate in attempt.candidates:
            what = (
                f"same design as {candidate.same_as}"
                if candidate.same_as
                else (f"{candidate.verdict}: {_one_line(candidate.reason)}")
            )
            by = f" (repaired by {candidate.by})" if candidate.by else ""
            lines.append(f"   - `{candidate.id}`{by} {what}")
    return "\n".join(lines)


def _library(result: SolveResult, options: SolveOptions) -> str:
    if not result.decoding.backend:
        return ""
    lines = ["## Known-good designs shown to the model", ""]
    if not options.library:
        lines.append("None: the library was turned off.")
    elif not result.exemplars:
        lines.append("None: nothing near the spec was found.")
    lines += [f"- {name} ({origin})" for name, origin in result.exemplars]
    return "\n".join(lines)


def _cost(result: SolveResult) -> str:
    t, d = result.timing, result.decoding
    lines = [
        "## Cost",
        "",
        f"{t.total_s:.2f} s in all: model {t.model_s:.2f}, screen {t.screen_s:.2f}, "
        f"lint {t.lint_s:.2f}, simulation {t.simulate_s:.2f}, search {t.search_s:.2f}, "
        f"the rest {t.loop_s:.2f}.",
    ]
    if d.backend:
        accepted = f", {d.acceptance_length:.2f} tokens a pass" if d.acceptance_length else ""
        lines.append(
            f"Model `{d.backend}` ({', '.join(d.modes) or 'no answer'}): {d.answers} answers, "
            f"{d.prompt_tokens} prompt and {d.new_tokens} new tokens, "
            f"{d.tokens_per_s:.1f} tokens/s{accepted}."
        )
    return "\n".join(lines)


def _has_spec(spec: Spec) -> bool:
    """Whether a spec was read; `check` without one makes it up from the RTL and the options."""
    return spec.path is not None or bool(spec.text)


def _checked_by(spec: Spec) -> str:
    """The options that name the checks of a design without a spec."""
    named = [("--top", spec.interface.module)]
    named += [(_OPTIONS[check.kind], str(check.path or check.origin)) for check in spec.checks]
    return " ".join(f"{option} {_q(value)}" for option, value in named)


def _reproduce(result: SolveResult, spec: Spec, options: SolveOptions) -> str:
    where = _q(spec.path) if spec.path else "spec.md"
    lines = ["## Reproduce", ""]
    if spec.path is None and _has_spec(spec):
        lines += ["The spec came from standard input; save it as `spec.md` first.", ""]
    lines.append("```sh")
    if result.rtl is not None:
        lines.append("# judge this design again, without a model")
        rtl = " ".join(map(_q, result.files or (result.rtl,)))
        again = f"{where} {rtl}" if _has_spec(spec) else f"{rtl} {_checked_by(spec)}"
        lines.append(f"rtl-agent check {again}{_required(options)}")
    if result.decoding.backend:
        lines.append(f"# run again from the start; the model was `{result.decoding.backend}`")
        lines.append(
            f"rtl-agent solve {where} --out {_q(options.out)} --attempts {options.attempts} "
            f"--candidates {options.candidates} --timeout {options.timeout_s:g} "
            f"--seed {options.seed}{_required(options)}{_turned_off(options)}"
        )
        if result.stop_reason.budget:
            lines.append("# go on with this run under larger budgets")
            lines.append(
                f"rtl-agent solve --out {_q(options.out)} --resume {result.run_id} "
                f"{_larger(result.stop_reason, options)}"
            )
    return "\n".join([*lines, "```"])


def _required(options: SolveOptions) -> str:
    return f" --require {options.require}" if options.require else ""


def _turned_off(options: SolveOptions) -> str:
    """The options that left parts out of the run, or put one in."""
    parts = {
        "library": options.library,
        "reuse": options.reuse,
        "search": options.search_s > 0,
        "propose": options.propose,
    }
    words = [f"--no-{name}" for name, on in parts.items() if not on]
    if options.diagnosis is not None:
        words.append("--diagnosis" if options.diagnosis else "--no-diagnosis")
    return "".join(f" {word}" for word in words)


def _larger(stop: StopReason, options: SolveOptions) -> str:
    """The budget that ended the run, doubled, as an option."""
    if stop is StopReason.TIME:
        return f"--timeout {2 * options.timeout_s:g}"
    if stop is StopReason.TOKENS:
        return f"--max-tokens {2 * options.max_tokens}"
    return f"--attempts {2 * options.attempts}"


def _q(value: object) -> str:
    return shlex.quote(str(value))
