"""Which of the designs of one kind is the one a spec asks for.

Words find the kind: an adder, a priority encoder. Its designs differ in details that many specs of
the kind name (carry in, lowest bit first, one of the limits exclusive), and in their ports. So a
design counts for more when its ports pair one to one with the spec's, when what is said of it, in
the names of the spec, is said in the spec, too, and when it is found by what else the spec says.

Weights by what share of 144 specs, one a family, had a design as first hit that passed the family's
bench: 26 % by words and ports alone, 39 % with these.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from .align import align, pair_ports
from .reset_style import prose_in_style, style_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.tools.interface import Interface

    from .types import Exemplar

__all__ = ["nearness", "prose_weights"]

_WORD = re.compile(r"[a-z_]\w*|\d+")
_PAIRED = 0.5
_SAID = 2.0
_FOUND = 2.0


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
    target = spec.interface
    # A reset of another kind is put right when a design is fitted: it does not speak against one.
    reset = style_of(spec.text, spec.clocking)
    prose = [align(e, target).spec if target.ports else e.spec for e in exemplars]
    if reset is not None:
        prose = [prose_in_style(text, reset) for text in prose]
    return [
        exemplar.score
        + _PAIRED * _pairs(exemplar.interface, target)
        + _SAID * _share(set(_words(text)), said, weight)
        + _FOUND * share
        for exemplar, text, share in zip(exemplars, prose, shares, strict=True)
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _share(words: set[str], said: set[str], weight: Callable[[str], float]) -> float:
    whole = sum(map(weight, words))
    return sum(map(weight, words & said)) / whole if whole else 0.0


def _pairs(mine: Interface, target: Interface) -> bool:
    """Whether every port of either has its partner."""
    return len(pair_ports(mine, target)) == len(mine.ports) == len(target.ports) > 0
