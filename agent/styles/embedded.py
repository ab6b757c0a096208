"""The embedded default's own format: one short fixed form, the header made from the spec.

    // Known design: <spec of the nearest library design, in the names of the task>
    <its RTL>
    // Task: <the spec, condensed>
    module name (
        <ports from the spec>
    );                                  <- the model goes on from here

Outputs stand in the forced header without `reg`; the model says `reg [3:0] q;` first where it
needs it, and `source` moves that into the header. So names, directions and widths cannot be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rtl_agent.agent.backends.base import Prompt
from rtl_agent.agent.library.fit import fitted_rtl
from rtl_agent.agent.library.header import plain_form, under_header
from rtl_agent.agent.library.verilog_text import split_module, write_header
from rtl_agent.prompts.render import render

from .condense import condense

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.library.types import Exemplar
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

__all__ = ["EmbeddedStyle"]

# Tokens of the longest answers it was trained on; one that is longer has lost its way.
_LONGEST = 640
_MAX_PROBLEM = 240  # characters of evidence a small model can use


@dataclass(frozen=True, slots=True)
class _Shown:
    """An exemplar as the template shows it."""

    spec: str
    rtl: str


def _show(exemplar: Exemplar, spec: Spec) -> _Shown:
    rtl, moved = fitted_rtl(exemplar, spec)
    return _Shown(" ".join(moved.spec.split()), rtl.strip())


def _problem(evidence: str) -> str:
    """The part of a diagnosis a small model can use: the first finding, on one line."""
    lines = [line.strip() for line in evidence.splitlines()]
    start = next((i for i, line in enumerate(lines) if line.startswith("first mismatch")), None)
    if start is None:
        chosen = [line for line in lines if not line.startswith("hint:")][:2]
    else:
        stop = next((i for i, x in enumerate(lines) if x.startswith("cycles around")), len(lines))
        chosen = lines[start:stop]
    return " ".join(" ".join(chosen).split())[:_MAX_PROBLEM]


def _prompt(template: str, **values: object) -> str:
    """The rendered prompt up to the header's last token: the answer starts with a newline."""
    return render(template, **values).rstrip("\n")


def _header(interface: Interface) -> str:
    return write_header(interface) if interface.ports else f"module {interface.module}"


class EmbeddedStyle:
    """Prompts and answers in the embedded default's format; see the module text."""

    # It mends no more faults with a diagnosis than without one (docs/REPAIR.md).
    reads_diagnosis = False

    def draft(self, spec: Spec, exemplars: Sequence[Exemplar]) -> Prompt:
        """Ask for a first draft, with the first exemplar shown."""
        shown = _show(exemplars[0], spec) if exemplars else None
        raw = _prompt(
            "embedded_draft.j2",
            exemplar=shown,
            spec=condense(spec.text, spec.interface),
            header=_header(spec.interface),
        )
        hints = (shown.rtl,) if shown else ()
        return Prompt(
            "draft", raw=raw, prefill=_header(spec.interface), hints=hints, longest=_LONGEST
        )

    def repair(
        self,
        spec: Spec,
        source: str,
        evidence: str,
        exemplars: Sequence[Exemplar],
        *,
        compiled: bool,
    ) -> Prompt:
        """Ask again with the wrong answer and what was wrong with it."""
        shown = _show(exemplars[0], spec) if exemplars else None
        plain = plain_form(source, spec.interface)
        parts = split_module(plain, spec.interface.module)
        wrong = parts.body if parts else "\n" + plain
        raw = _prompt(
            "embedded_repair.j2",
            exemplar=shown,
            spec=condense(spec.text, spec.interface),
            wrong=wrong.rstrip(),
            problem=_problem(evidence),
            header=_header(spec.interface),
        )
        hints = (plain, shown.rtl) if shown else (plain,)
        purpose = "repair-mismatch" if compiled else "repair-compile"
        prefill = _header(spec.interface)
        return Prompt(purpose, raw=raw, prefill=prefill, hints=hints, longest=_LONGEST)

    def propose(self, spec: Spec, fault: str = "") -> Prompt | None:  # noqa: ARG002
        """Nothing: the embedded default writes Verilog and no Python."""
        return None

    def resume(self, prompt: Prompt, partial: str) -> Prompt:
        """Go on where the answer was cut off."""
        return replace(prompt, purpose="continue", raw=prompt.raw + partial)

    def source(self, spec: Spec, prompt: Prompt, answer: str) -> str:
        """Header and answer put together, `reg` declarations of outputs moved into the header."""
        return under_header(prompt.prefill + answer, spec.interface)
