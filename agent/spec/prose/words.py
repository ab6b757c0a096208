"""Words with a part to play in sentences that declare ports."""

from __future__ import annotations

import re

__all__ = [
    "ADJECTIVES",
    "APPEARS",
    "BE",
    "CALLED",
    "COMING_IN",
    "COMING_OUT",
    "DEFINITE",
    "JOINERS",
    "PLACES",
    "PREPOSITIONS",
    "ROLE_NOUNS",
    "SUBJECTS",
    "TRAILERS",
]

BE = frozenset("is are".split())
CALLED = frozenset("called named labelled labeled".split())
JOINERS = frozenset("and plus with also both & together along or".split())
DEFINITE = frozenset("the its this each every another".split())
ADJECTIVES = frozenset(
    """
    synchronous asynchronous async sync active-low active-high active low high single free-running
    system main global primary serial parallel external local positive-edge registered signed
    unsigned own further second third separate common additional combinational raw incoming outgoing
    new binary small wide usual master one-hot one-bit write read chip bit data address count
    """.split()
)
# Who it is that "takes" and "produces": the block, not one of its signals.
SUBJECTS = frozenset(
    """
    it module block design circuit unit core component device that which and then also to adder
    subtractor counter multiplexer mux decoder encoder comparator alu multiplier divider shifter
    register detector generator machine filter converter controller timer buffer fifo memory
    """.split()
)
ROLE_NOUNS = frozenset("signal input port line pin net wire".split())
TRAILERS = frozenset("of which is that with a width having are each both".split())
PLACES = frozenset("on onto via through over at from".split())
PREPOSITIONS = frozenset("on after during at upon when by until in from if while before".split())
APPEARS = frozenset("appears appear available delivered".split())
COMING_IN = re.compile(
    r"(coming in|comes? in|arriv(es?|ing)|enter(s|ing)?\b|go(es|ing) in|is fed in|are fed in)",
    re.IGNORECASE,
)
COMING_OUT = re.compile(
    r"(coming out|comes? out|go(es|ing) out|leav(es|ing) (it|the))", re.IGNORECASE
)
