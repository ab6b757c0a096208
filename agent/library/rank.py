"""Which of the designs of one kind is the one a spec asks for.

Words find the kind: an adder, a priority encoder. Its designs differ in details that many specs of
the kind name (carry in, lowest bit first, one of the limits exclusive), and in their ports. So a
design counts for more when its ports pair one to one with the spec's, when what is said of it, in
the names and numbers of the spec, is said in the spec, too, and when it is found by what else the
spec says; for less by every number that only one of the two names.

Weights by logistic regression over the designs that are found for 1,367 specs of the training
wordings: which of them pass the family's bench? (`docs/LOG.md` has what they gain.)
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from .align import pairs_fully
from .fit import fitted_rtl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rtl_agent.agent.spec.model import Spec

    from .types import Exemplar

__all__ = ["nearness", "prose_weights"]

_WORD = re.compile(r"[a-z_]\w*|\d+")
_PAIRED = 0.5
_SAID = 3.1
_FOUND = 4.0
_NUMBER_TOO_MANY = 0.5
_NUMBER_MISSING = 0.1  # times its weight: a rare number says more


def prose_weights(texts: Iterable[str]) -> Callable[[str], float]:
    """What a word of prose weighs: the more, the fewer of `texts` it stands in."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        total += 1
        counts.update(set(_words(text)))
    return lambda word: math.log(1 + total / (1 + counts[word]))


def nearness(
    exemplars: Sequence[Exemplar],
    spec: Spec,
    shares: Sequence[float],
    weight: Callable[[str], float],
) -> list[float]:
    """How near each of `exemplars` is to `spec`.

    Args:
        exemplars: designs with the score of the search, in their own names.
        spec: the task.
        shares: how much of the spec's words each is found by, 0 to 1.
        weight: of a word of prose.
    """
    said = set(_words(spec.text))
    # Names, widths, numbers and the reset are put right when a design is fitted: another one of
    # these does not speak against it.
    prose = [set(_words(fitted_rtl(e, spec)[1].spec)) for e in exemplars]
    return [
        exemplar.score
        + _PAIRED * pairs_fully(exemplar.interface, spec.interface)
        + _SAID * _share(own, said, weight)
        + _FOUND * share
        - _NUMBER_TOO_MANY * sum(word.isdigit() for word in own - said)
        - _NUMBER_MISSING * sum(weight(word) for word in said - own if word.isdigit())
        for exemplar, own, share in zip(exemplars, prose, shares, strict=True)
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _share(words: set[str], said: set[str], weight: Callable[[str], float]) -> float:
    whole = sum(map(weight, words))
    return sum(map(weight, words & said)) / whole if whole else 0.0
