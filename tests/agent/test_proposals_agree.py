"""Which references independent drafts confirm, and what keeps a wrong one out."""

from __future__ import annotations

import pytest
from rtl_agent.agent.proposals.agree import constant, count_votes, decide
from rtl_agent.agent.proposals.types import Compared, Proposal, ProposalStatus
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus

RAN = CheckResult("r", CheckKind.REFERENCE_MODEL, CheckStatus.FAILED, 1, 1, "")
OPEN = Proposal(1, 1, ProposalStatus.OPEN)
RIGHT, WRONG, OTHER = "0110", "0100", "0010"


def votes(reference: str, *drafts: str):
    """Each text is the value of one output over the cycles."""
    ballots = {
        f"c{i}": [
            Compared(
                RAN,
                tuple({"q": bit} for bit in reference),
                tuple({"q": bit} for bit in draft),
            )
        ]
        for i, draft in enumerate(drafts)
    }
    return count_votes(ballots, len(set(drafts)))


def status(reference: str, *drafts: str) -> ProposalStatus:
    return decide(OPEN, votes(reference, *drafts)).status


ACCEPTED, CONTRADICTED, UNDECIDED = (
    ProposalStatus.ACCEPTED,
    ProposalStatus.CONTRADICTED,
    ProposalStatus.UNDECIDED,
)


@pytest.mark.parametrize(
    ("reference", "drafts", "expected"),
    [
        (RIGHT, (RIGHT, RIGHT), ACCEPTED),
        (RIGHT, (RIGHT, RIGHT, WRONG), ACCEPTED),
        (RIGHT, (RIGHT, RIGHT, RIGHT, "xxxx"), ACCEPTED),
        # A wrong reference that shares its error with one draft, or with none.
        (WRONG, (WRONG, RIGHT, RIGHT, RIGHT), CONTRADICTED),
        (WRONG, (RIGHT, RIGHT), CONTRADICTED),
        # One draft beside it proves nothing, whichever of them is right.
        (WRONG, (WRONG,), UNDECIDED),
        (RIGHT, (RIGHT,), UNDECIDED),
        (RIGHT, (), UNDECIDED),
        # Drafts that differ among themselves decide nothing, however the reference stands.
        (WRONG, (WRONG, RIGHT), UNDECIDED),
        (RIGHT, (WRONG, RIGHT), UNDECIDED),
        (WRONG, (WRONG, WRONG, RIGHT, RIGHT), UNDECIDED),
        # What is unknown, or was never reached, agrees with nothing and contradicts nothing.
        (RIGHT, ("xxxx", "xxxx"), UNDECIDED),
        (RIGHT, (RIGHT, "01"), UNDECIDED),
        ("", ("", ""), UNDECIDED),
    ],
)
def test_the_rule(reference, drafts, expected):
    assert status(reference, *drafts) is expected


def test_drafts_with_different_faults_confirm_together_what_none_of_them_does():
    """No draft is right in all, and every sample has its majority: all are then repaired."""
    found = votes("000000", "100000", "001000", "000010")
    assert decide(OPEN, found).status is ACCEPTED
    assert found.whole == 0
    assert found.confirmed == found.samples == 6


def test_trust_in_one_draft_would_accept_what_the_rule_refuses():
    """The harm: the wrong reference passes the wrong draft, which then would be self-checked."""
    found = votes(WRONG, WRONG, RIGHT, RIGHT)
    assert found.whole == 1  # so "some draft passes it" holds
    assert decide(OPEN, found).status is CONTRADICTED
    assert (found.contradicted, found.confirmed) == (1, 3)
    assert found.example is not None
    assert (found.example.cycle, found.example.expected) == (2, "0")
    assert found.example.given == ("0", "1", "1")


def test_a_tie_is_not_broken_by_the_reference():
    """It would choose the draft that shares its error."""
    found = votes(WRONG, WRONG, WRONG, RIGHT, RIGHT)
    assert (found.confirmed, found.contradicted, found.undecided) == (3, 0, 1)
    assert "differ among themselves in 1 of 4 samples" in decide(OPEN, found).reason


def test_three_ways_to_be_wrong_are_no_majority_against():
    ballots = {
        name: [Compared(RAN, ({"q": "00"},), ({"q": value},))]
        for name, value in (("a", "00"), ("b", "01"), ("c", "10"))
    }
    assert decide(OPEN, count_votes(ballots, 3)).status is UNDECIDED


def test_bits_that_do_not_matter_are_not_voted_on():
    ballots = {
        name: [Compared(RAN, ({"q": "x1"}, {}), ({"q": value}, {"q": "00"}))]
        for name, value in (("a", "01"), ("b", "11"))
    }
    found = count_votes(ballots, 2)
    assert (found.samples, found.confirmed) == (1, 1)


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        ((), True),
        (({}, {}), True),
        (({"q": "0"}, {"q": "0"}), True),
        (({"q": "0", "p": "1"}, {"q": "0"}, {"p": "1"}), True),
        (({"q": "0"}, {"q": "1"}), False),
        (({"q": "0", "p": "1"}, {"q": "0", "p": "0"}), False),
    ],
)
def test_constant_expectations_are_told(expected, told):
    assert constant(expected) is told
