"""A check that the model proposed, what was found out about it, and the seam to the tools."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.checks.types import CheckResult, CheckSource, Dut, Limits

__all__ = [
    "Agreement",
    "Compared",
    "Proposal",
    "ProposalStatus",
    "Proposer",
    "Sample",
    "WeighJob",
    "Weight",
]


class ProposalStatus(StrEnum):
    """What became of a proposed reference; only `accepted` ones judge designs."""

    OPEN = "open"  # asked for and sound on its face, not tried yet
    UNUSABLE = "unusable"  # not a check: no Python, an error, it hangs, compares nothing, constant
    CONTRADICTED = "contradicted"  # most drafts say otherwise
    UNDECIDED = "undecided"  # the drafts differ among themselves, or are too few
    ACCEPTED = "accepted"  # most drafts say the same, sample by sample


@dataclass(frozen=True, slots=True)
class Sample:
    """One output in one cycle: what the reference expects, and how many drafts gave what."""

    cycle: int
    output: str
    expected: str
    given: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How drafts that were drawn independently stand to a reference.

    `voters` are their candidate ids, `designs` the number of different designs among them,
    `whole` the number of voters that agree on every sample. `samples` counts every output that
    the reference compares in every cycle; of them most voters `confirmed` and `contradicted` some,
    and on `undecided` ones no majority says the same. `example` is the first contradicted one,
    else the first undecided one.
    """

    voters: tuple[str, ...] = ()
    designs: int = 0
    whole: int = 0
    samples: int = 0
    confirmed: int = 0
    contradicted: int = 0
    undecided: int = 0
    example: Sample | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed reference: `files` are its forms as checks, relative to the run folder.

    The first has the harness's random stimulus; a second one, where the answer has stimulus of its
    own, plays that.
    """

    number: int
    attempt: int
    status: ProposalStatus
    reason: str = ""
    files: tuple[str, ...] = ()
    agreement: Agreement | None = None


@dataclass(frozen=True, slots=True)
class Weight:
    """The mutation score of a proposed check on one design.

    `score` is None when there was no fault to inject. `tried` faults were injected, in the order
    of their seed; `cut` tells that time ended the measurement before all were.
    """

    score: float | None
    killed: int = 0
    survived: int = 0
    equivalent: int = 0
    tried: int = 0
    seconds: float = 0.0
    cut: bool = False
    survivors: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """One run of a reference on one design: the result, and every cycle of it."""

    result: CheckResult
    expected: tuple[Mapping[str, str], ...] = ()
    seen: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WeighJob:
    """A measurement: `count` faults at most (0: as many as usual), until `over`."""

    sources: Sequence[CheckSource]
    dut: Dut
    workdir: Path
    limits: Limits
    seed: int
    jobs: int
    over: Callable[[], bool]
    count: int = 0


class Proposer(Protocol):
    """Runs what the model proposed; everything that executes model-written code is behind it."""

    def refusal(self) -> str:
        """Why nothing that a model wrote may run here; empty when it may."""
        ...

    def compare(  # noqa: PLR0913 - what a comparison is made of
        self, source: CheckSource, spec: Spec, dut: Dut, workdir: Path, *, limits: Limits, seed: int
    ) -> Compared:
        """Run the reference on `dut` in `workdir`, and keep every cycle."""
        ...

    def weigh(self, job: WeighJob, spec: Spec) -> Weight:
        """Inject faults into a design that passes, and count those that are noticed."""
        ...
