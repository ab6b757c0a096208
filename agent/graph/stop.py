"""Why a run ended."""

from __future__ import annotations

from enum import StrEnum

from rtl_agent.agent.errors import ExitCode

__all__ = ["StopReason"]


class StopReason(StrEnum):
    """Every way in which the loop ends; an ending without a name does not exist."""

    REACHED = "reached"  # a candidate has the verdict that was asked for
    ATTEMPTS = "attempts"  # all attempts were made and judged, none was enough
    TIME = "time-budget"  # the wall-clock budget ended the run
    TOKENS = "token-budget"  # the token budget ended the run
    NO_RTL = "no-rtl"  # the model keeps answering without a module
    STALLED = "stalled"  # the model keeps repeating designs that were judged before
    CHECK_BROKEN = "check-broken"  # a check of the spec cannot judge any candidate
    JUDGED = "judged"  # a given design was judged and fell short (no model involved)

    @property
    def budget(self) -> bool:
        """Whether more budget would let the run go on."""
        return self in {StopReason.ATTEMPTS, StopReason.TIME, StopReason.TOKENS}

    @property
    def exit_code(self) -> ExitCode:
        """Exit code of a run that ended this way.

        Using up the attempts is the ordinary end of a search without success (1); running out
        of time or tokens cuts a search short (4).
        """
        if self is StopReason.REACHED:
            return ExitCode.REACHED
        if self in {StopReason.TIME, StopReason.TOKENS}:
            return ExitCode.BUDGET
        if self is StopReason.CHECK_BROKEN:
            return ExitCode.USAGE
        return ExitCode.NOT_REACHED

    @property
    def sentence(self) -> str:
        """The ending in words, for reports."""
        return _SENTENCES[self]


_SENTENCES = {
    StopReason.REACHED: "the required verdict was reached",
    StopReason.ATTEMPTS: "all attempts were used",
    StopReason.TIME: "the time budget ended the run",
    StopReason.TOKENS: "the token budget ended the run",
    StopReason.NO_RTL: "the model keeps answering without a Verilog module",
    StopReason.STALLED: "the model keeps repeating designs that were judged before",
    StopReason.CHECK_BROKEN: "a check of the spec cannot judge any design; correct the check",
    StopReason.JUDGED: "the given design was judged",
}
