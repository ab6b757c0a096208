"""The seam between the loop and the wording of prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.backends.base import Prompt
    from rtl_agent.agent.library.types import Exemplar
    from rtl_agent.agent.spec.model import Spec

__all__ = ["PromptStyle"]


class PromptStyle(Protocol):
    """Makes prompts from a spec and evidence, and RTL source from an answer.

    `reads_diagnosis` says whether models of this style repair more when told where and how a
    design failed.
    """

    reads_diagnosis: bool

    def draft(self, spec: Spec, exemplars: Sequence[Exemplar]) -> Prompt:
        """Ask for a first draft."""
        ...

    def repair(
        self,
        spec: Spec,
        source: str,
        evidence: str,
        exemplars: Sequence[Exemplar],
        *,
        compiled: bool,
    ) -> Prompt:
        """Ask for a corrected version of `source`.

        `evidence` is the diagnosis in words: tool messages with their lines, or the first
        mismatch. `compiled` is false when `source` did not compile.
        """
        ...

    def propose(self, spec: Spec, fault: str = "") -> Prompt | None:
        """Ask for a reference model in Python; None where this style cannot ask for one.

        The prompt shows the spec and no design: what is to judge designs must not be taken from
        one. `fault` says what was wrong with the form of an earlier answer.
        """
        ...

    def resume(self, prompt: Prompt, partial: str) -> Prompt:
        """Ask for the rest of an answer that was cut off after `partial`."""
        ...

    def source(self, spec: Spec, prompt: Prompt, answer: str) -> str:
        """The RTL source in `answer`: prefill put back, prose and fences taken away.

        Empty when there is no module in it.
        """
        ...
