"""Lets a drafter that costs more than it gains rest for a while.

A tree is cut to what pays once it is there (`cost.Planner`); a draft model or an early exit has
spent its passes by then. So what a drafter that `runs_a_model` costs a step is held against what it
alone gained, and where that does not pay it is asked only now and then whether it does now.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["LONGEST_REST", "Thrift"]

_TRIED = 3  # proposals before the first judgement
_FADE = 0.25  # weight of a new observation
_FIRST_REST = 64
LONGEST_REST = 192  # tokens


@dataclass(slots=True)
class _Account:
    seconds: float = 0.0
    gained: float = 0.0
    proposals: int = 0
    rest: int = _FIRST_REST
    until: int = 0
    rested: bool = False


@dataclass(slots=True)
class Thrift:
    """Accounts of all drafters of an engine, kept from one run to the next.

    `tokens` counts what was decoded in all; a rest ends after so many.
    """

    tokens: int = 0
    _accounts: dict[str, _Account] = field(default_factory=dict)

    def due(self, name: str) -> bool:
        """Whether the drafter is to propose in this step."""
        return self.tokens >= self._accounts.setdefault(name, _Account()).until

    def learn(self, name: str, *, seconds: float, gained: int, plain_s: float) -> None:
        """Count a proposal.

        Args:
            name: of the drafter.
            seconds: it took.
            gained: tokens confirmed that it alone had proposed.
            plain_s: seconds a token takes without drafts.
        """
        account = self._accounts.setdefault(name, _Account())
        # What was before a rest no longer counts: the first proposal after it decides.
        fade = 1.0 if account.rested else max(_FADE, 1 / (account.proposals + 1))
        account.rested = False
        account.seconds += fade * (seconds - account.seconds)
        account.gained += fade * (gained - account.gained)
        account.proposals += 1
        if account.proposals < _TRIED:
            return
        if account.gained * plain_s >= account.seconds:
            account.rest = _FIRST_REST
            return
        account.rested = True
        account.until = self.tokens + account.rest
        account.rest = min(2 * account.rest, LONGEST_REST)
