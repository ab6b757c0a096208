"""Learns to tell from a text which traits the design it asks for has (`agent/library/traits.py`).

For each family, designs are drawn and worded with training paraphrases; each parameter that is a
choice (yes or no, or one of a few names) is a trait. A softmax regression with an L2
penalty is fitted twice: over all words that are neither rare nor everywhere, then over those that
told most.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from rtl_agent.agent.library.traits import Trait, trait_words, write_traits
from rtl_agent.decoding.training.corpus.registry import all_families
from rtl_agent.decoding.training.corpus.wording import Split, word

from .held_out import families_of, is_held_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import torch

__all__ = ["build_traits", "learn_family", "traits_of"]

_MOST_VALUES = 6
_LONGEST_VALUE = 16
_LEAST_TEXTS = 3  # a word has to stand in
_MOST_SHARE = 0.97  # of the texts; a word in all tells nothing
_MOST_WORDS = 40  # of one trait that are kept
_PENALTY = 0.002


def traits_of(params: Mapping[str, int | str | bool]) -> dict[str, str]:
    """The parameters of a design that are choices, as text.

    Numbers are not: fitting puts them right, and read from words that no corpus text uses ("one of
    four bytes") they were wrong and outweighed the ports.
    """
    return {
        name: str(value)
        for name, value in params.items()
        if isinstance(value, (bool, str)) and len(str(value)) <= _LONGEST_VALUE
    }


def _fit(x: torch.Tensor, y: torch.Tensor, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Weights (words, values) and bias (values) of the regression from `x` to `y`."""
    import torch

    weights = torch.zeros(x.shape[1], count, requires_grad=True)
    bias = torch.zeros(count, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=60, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        wrong = torch.nn.functional.cross_entropy(x @ weights + bias, y)
        total = wrong + _PENALTY * (weights**2).sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    return weights.detach(), bias.detach()


def _trait(texts: Sequence[frozenset[str]], told: Sequence[str]) -> Trait | None:
    """The regression from `texts` to the values `told`; None where there is no choice to read."""
    import torch

    values = sorted(set(told))
    if not 2 <= len(values) <= _MOST_VALUES:
        return None
    seen = Counter(w for words in texts for w in words)
    most = _MOST_SHARE * len(texts)
    vocabulary = sorted(w for w, n in seen.items() if _LEAST_TEXTS <= n <= most)
    y = torch.tensor([values.index(value) for value in told])
    x = torch.tensor([[float(w in words) for w in vocabulary] for words in texts])
    weights, _ = _fit(x, y, len(values))
    kept = sorted(weights.abs().amax(1).topk(min(_MOST_WORDS, len(vocabulary))).indices.tolist())
    weights, bias = _fit(x[:, kept], y, len(values))
    rounded = [tuple(round(float(w), 2) for w in row) for row in weights]
    return Trait(
        tuple(values),
        tuple(round(float(b), 2) for b in bias),
        {vocabulary[k]: row for k, row in zip(kept, rounded, strict=True) if any(row)},
    )


def learn_family(family: str, count: int, seed: int) -> dict[str, Trait]:
    """The traits of `family`, from `count` designs with one training wording each."""
    make = all_families()[family]
    texts: list[frozenset[str]] = []
    told: list[dict[str, str]] = []
    for index in range(count):
        key = f"{seed}:traits:{index}"
        design = make(random.Random(f"{family}:{key}"))
        if not is_held_out(design.family, design.params):
            texts.append(trait_words(word(design, random.Random(key), Split.TRAIN).text))
            told.append(traits_of(design.params))
    found: dict[str, Trait] = {}
    for name in sorted({name for traits in told for name in traits}):
        rows = [(t, traits[name]) for t, traits in zip(texts, told, strict=True) if name in traits]
        trait = _trait([t for t, _ in rows], [value for _, value in rows])
        if trait is not None:
            found[name] = trait
    return found


def build_traits(out: Path, *, per_family: int, seed: int) -> int:
    """Learn the traits of every family that may be trained on, write them; returns how many."""
    families = {
        family: learn_family(family, per_family, seed)
        for family in families_of(sorted(all_families()), "seen")
    }
    write_traits(out, {family: found for family, found in families.items() if found})
    return sum(map(len, families.values()))
