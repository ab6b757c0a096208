"""Whether drafts that were drawn independently say what a reference says, sample by sample.

A sample is one output that the reference compares in one cycle. On it

* the drafts **confirm** the reference when at least two of them, and more than half, give what it
  expects;
* they **contradict** it when at least two, and more than half, give one and the same other value;
* otherwise they differ among themselves, and the sample decides nothing, neither for nor against.

A reference is accepted when every sample is confirmed. One sample that is contradicted refutes it.
One that decides nothing keeps it from being accepted: a reference that is confirmed only where the
drafts agree anyhow would be the judge of exactly those samples that nobody confirmed, and would
choose the draft that shares its error.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from .types import Agreement, Compared, Proposal, ProposalStatus, Sample

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["LEAST_VOTERS", "constant", "count_votes", "decide"]

LEAST_VOTERS = 2
_NOTHING = "-"  # what a draft gives that ended before this cycle


def constant(expected: Sequence[Mapping[str, str]]) -> bool:
    """Whether no output is ever expected to change: nothing can be learned from that."""
    values: dict[str, set[str]] = {}
    for row in expected:
        for name, pattern in row.items():
            values.setdefault(name, set()).add(pattern)
    return all(len(seen) <= 1 for seen in values.values())


def count_votes(ballots: Mapping[str, Sequence[Compared]], designs: int) -> Agreement:
    """Count the votes of drafts, `ballots`, by candidate id; each has one run for each form."""
    voters = tuple(ballots)
    counts = {"confirmed": 0, "contradicted": 0, "undecided": 0}
    examples: dict[str, Sample] = {}
    dissent: set[str] = set()
    for runs in zip(*ballots.values(), strict=True):
        for cycle, expected in enumerate(runs[0].expected):
            for output, want in expected.items():
                given = tuple(_value(run, cycle, output) for run in runs)
                agree = [_matches(want, value) for value in given]
                dissent |= {v for v, same in zip(voters, agree, strict=True) if not same}
                kind = _kind(given, agree)
                counts[kind] += 1
                if kind != "confirmed" and kind not in examples:
                    examples[kind] = Sample(cycle, output, want, given)
    return Agreement(
        voters=voters,
        designs=designs,
        whole=len(voters) - len(dissent),
        samples=sum(counts.values()),
        example=examples.get("contradicted") or examples.get("undecided"),
        **counts,
    )


def decide(proposal: Proposal, votes: Agreement) -> Proposal:
    """The proposal with what the votes make of it."""
    status, reason = _decision(votes)
    return replace(proposal, status=status, reason=reason, agreement=votes)


def _decision(votes: Agreement) -> tuple[ProposalStatus, str]:
    number, designs = len(votes.voters), f"{votes.designs} different design"
    drafts = f"{number} independent drafts ({designs}{'s' * (votes.designs != 1)})"
    if len(votes.voters) < LEAST_VOTERS:
        return ProposalStatus.UNDECIDED, f"{len(votes.voters)} draft is too few to confirm it"
    if votes.contradicted:
        share = f"{votes.contradicted} of {votes.samples} samples"
        return ProposalStatus.CONTRADICTED, f"most of {drafts} contradict it in {share}"
    if votes.undecided or not votes.samples:
        share = f"{votes.undecided} of {votes.samples} samples"
        return ProposalStatus.UNDECIDED, f"{drafts} differ among themselves in {share}"
    return (
        ProposalStatus.ACCEPTED,
        f"each of {votes.samples} samples is confirmed by most of {drafts}; "
        f"{votes.whole} of {number} agree in all",
    )


def _kind(given: Sequence[str], agree: Sequence[bool]) -> str:
    if _is_majority(sum(agree), len(given)):
        return "confirmed"
    others = Counter(v for v, same in zip(given, agree, strict=True) if not same and _known(v))
    if others and _is_majority(max(others.values()), len(given)):
        return "contradicted"
    return "undecided"


def _is_majority(votes: int, voters: int) -> bool:
    return votes >= LEAST_VOTERS and 2 * votes > voters


def _known(value: str) -> bool:
    """Whether a draft says anything: a value that is unknown in part is no statement."""
    return set(value) <= {"0", "1"}


def _matches(want: str, value: str) -> bool:
    return len(want) == len(value) and all(w in ("x", v) for w, v in zip(want, value, strict=True))


def _value(run: Compared, cycle: int, output: str) -> str:
    return run.seen[cycle].get(output, _NOTHING) if cycle < len(run.seen) else _NOTHING
