"""The first and the last step: read what was asked for, hand over what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.report.markdown import report_markdown
from rtl_agent.tools.checks.types import CheckStatus

from .codec import dump
from .folder import write_text
from .outcome import build_result
from .probe import probe_checks
from .state import RunState
from .strength import measure_strength

if TYPE_CHECKING:
    from .context import Context

__all__ = ["finish", "read_spec"]


def read_spec(state: RunState, context: Context) -> RunState:
    """Record what the run is about, and try its checks on a design that does nothing."""
    spec = context.spec
    write_text(context.folder.root / "spec.md", spec.text)
    context.details.update(
        spec=spec.name,
        module=spec.interface.module,
        ports=len(spec.interface.ports),
        checks=[{"name": c.source.name, "kind": str(c.source.kind)} for c in context.checks],
        notes=list(spec.notes),
    )
    if context.asker is None or not context.options.probe:
        return RunState()
    probed = probe_checks(context)
    dump(context.folder.probed, probed)
    context.details["probe"] = {p.name: str(p.status) for p in probed}
    # One more attempt in which the same check cannot judge is then enough to give up.
    return RunState(broken=state["broken"] + any(p.status is CheckStatus.BROKEN for p in probed))


def finish(state: RunState, context: Context) -> RunState:
    """Put the best design and the report where the user asked for them."""
    best = state["best"]
    measure_strength(context, best)
    result = build_result(state, context)
    if context.asker and result.rtl is not None and best is not None:
        source = context.folder.absolute(best["files"][0])
        write_text(result.rtl, source.read_text(encoding="utf-8"))
    report = report_markdown(result, context.spec, context.options)
    write_text(context.folder.report, report)
    if context.asker:
        write_text(result.report, report)
    return RunState()
