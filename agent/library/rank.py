"""Which of the designs of one kind is the one a spec asks for.

Words find the kind: an adder, a priority encoder. Its designs differ in details that many specs of
the kind name (carry in, lowest bit first, one of the limits exclusive), and in their ports. So a
design counts for more when its ports pair one to one with the spec's, when what is said of it, in
the names and numbers of the spec, is said in the spec, too, and when it is found by what else the
spec says; for less by every number that only one of the two names.

The weights are those of a logistic regression over the designs found for specs of the training
wordings: which of them pass the family's bench (`benchmarks/rank_weights.py`)? That of ports which
pair is set by hand: a design whose ports do not is never among those it learns from.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from .align import pair_ports, pairs_fully
from .fit import fitted_rtl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

    from .types import Exemplar

__all__ = ["features", "nearness", "prose_weights"]

_WORD = re.compile(r"[a-z_]\w*|\d+")
# In the order of `features`.
_WEIGHTS = (1.0, 3.0, 3.25, 0.7, -0.16, -0.06, 0.5, -0.1, 0.06)


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
    traits: Sequence[float],
    weight: Callable[[str], float],
) -> list[float]:
    """How near each of `exemplars` is to `spec`; see `features`."""
    found = features(exemplars, spec, shares, traits, weight)
    return [sum(w * x for w, x in zip(_WEIGHTS, row, strict=True)) for row in found]


def features(
    exemplars: Sequence[Exemplar],
    spec: Spec,
    shares: Sequence[float],
    traits: Sequence[float],
    weight: Callable[[str], float],
) -> list[tuple[float, ...]]:
    """What speaks for each of `exemplars`.

    Score of the search; whether all ports pair; how much of what is said of the design the spec
    says, too; how much of the spec's words it is found by; numbers that only the design names;
    weight of those that only the spec names, rare ones saying more; how well its traits agree with
    the text; ports and numbers of its own that had to change, for each change is a guess.

    Args:
        exemplars: designs with the score of the search, in their own names.
        spec: the task.
        shares: how much of the spec's words each is found by, 0 to 1.
        traits: what the text says of the traits of each (`traits.Reading.nearness`).
        weight: of a word of prose.
    """
    said = set(_words(spec.text))
    missing = {word for word in said if word.isdigit()}
    rows: list[tuple[float, ...]] = []
    for exemplar, share, trait in zip(exemplars, shares, traits, strict=True):
        # Names, widths, numbers and the reset are put right when a design is fitted: another one
        # of these does not speak against it.
        own = set(_words(fitted_rtl(exemplar, spec)[1].spec))
        before = set(_words(exemplar.spec))
        rows.append(
            (
                exemplar.score,
                float(pairs_fully(exemplar.interface, spec.interface)),
                _share(own, said, weight),
                share,
                float(sum(word.isdigit() for word in own - said)),
                sum(map(weight, missing - own)),
                trait,
                float(_resized(exemplar.interface, spec.interface)),
                float(sum(word.isdigit() for word in before - own)),
            )
        )
    return rows


def _resized(mine: Interface, other: Interface) -> int:
    """How many ports have a partner of another width."""
    pairs = pair_ports(mine, other)
    partners = ((port, other.port(pairs.get(port.name, ""))) for port in mine.ports)
    return sum(1 for port, partner in partners if partner and partner.width != port.width)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _share(words: set[str], said: set[str], weight: Callable[[str], float]) -> float:
    whole = sum(map(weight, words))
    return sum(map(weight, words & said)) / whole if whole else 0.0
