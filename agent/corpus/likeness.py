"""Which design of the corpus an answer is most like, and the answer in that design's names.

A small model cannot guess whether an answer calls its register `cnt_r` or `ctr`, or resets it with
`0` or `{8{1'b0}}`; asked to, it learns to vary what it should copy. So a pair shows a design of the
same style as its answer, and the answer takes over the names of the design's own signals: what is
left to learn is the difference in behaviour.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from rtl_agent.agent.library.verilog_text import identifiers, rename

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["in_names_of", "likeness"]

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d*'[sS]?[bodhBODH][0-9a-fA-FxXzZ_?]+|\d+|\S")
_KEYWORDS = frozenset(
    """always assign begin case casez casex default else end endcase endfunction endgenerate
    endmodule for function generate genvar if initial inout input integer localparam logic module
    negedge or output parameter posedge reg signed wire repeat while""".split()
)


def _tokens(rtl: str) -> list[str]:
    return _TOKEN.findall(re.sub(r"//[^\n]*", "", rtl))


def likeness(one: str, other: str) -> float:
    """Share of tokens that two sources have in common in order, 0 to 1."""
    return SequenceMatcher(None, _tokens(one), _tokens(other), autojunk=False).ratio()


def _shape(tokens: Sequence[str], own: frozenset[str]) -> list[str]:
    return ["\0" if token in own else token for token in tokens]


def in_names_of(answer: str, shown: str, ports: frozenset[str]) -> str:
    """`answer` with its own signals called as their counterparts in `shown` are.

    Counterparts are found by position in the alignment of the two texts; a name goes to the signal
    that it meets most often, and no two signals get the same.
    """
    mine = frozenset(identifiers(answer) - ports - _KEYWORDS)
    theirs = frozenset(identifiers(shown) - ports - _KEYWORDS)
    a, b = _tokens(answer), _tokens(shown)
    votes: Counter[tuple[str, str]] = Counter()
    matcher = SequenceMatcher(None, _shape(a, mine), _shape(b, theirs), autojunk=False)
    for i, j, size in matcher.get_matching_blocks():
        for k in range(size):
            if a[i + k] in mine and b[j + k] in theirs:
                votes[a[i + k], b[j + k]] += 1
    names: dict[str, str] = {}
    for (name, wanted), _ in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        if name not in names and wanted not in names.values():
            names[name] = wanted
    # A name that stays must not meet one that is handed out.
    kept = mine - names.keys()
    names = {name: wanted for name, wanted in names.items() if wanted not in kept}
    moved = {name: wanted for name, wanted in names.items() if name != wanted}
    if set(moved.values()) & (mine - moved.keys()):
        return answer
    return rename(answer, moved)
