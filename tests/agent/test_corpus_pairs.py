"""What a training pair shows and what it asks for."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.corpus.dataset import design_record
from rtl_agent.agent.corpus.pairs import Pair, draft_pair
from rtl_agent.agent.library.index import open_library
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from collections.abc import Callable

LIBRARY = open_library()


def _record(family: str, index: int) -> dict[str, Any]:
    key = f"pairs:{index}"
    design = all_families()[family](random.Random(f"{family}:{key}"))
    return design_record(design, seed=key, wordings=1, split="train")


def _pairs(right: Callable[[str], bool]) -> list[Pair]:
    found = []
    for family in ("mux", "down_counter", "parity", "comparator"):
        for index in range(6):
            record = _record(family, index)
            rng = random.Random(index)
            pair = draft_pair(record, record["specs"][0], LIBRARY, rng, right)
            if pair and pair.exemplar_family == family and "// Task" in pair.prompt:
                found.append(pair)
    return found


def _copies(pairs: list[Pair]) -> int:
    """Pairs whose answer stands in the prompt as it is."""
    shown = ["".join(p.prompt.partition("// Task:")[0].split()) for p in pairs]
    return sum("".join(p.answer.split()) in s for p, s in zip(pairs, shown, strict=True))


def test_a_design_that_is_right_as_shown_is_the_answer_as_it_stands() -> None:
    pairs = _pairs(lambda _: True)
    assert len(pairs) >= 15
    # All but those of specs without ports, whose header the model writes itself.
    assert _copies(pairs) >= len(pairs) - 4


def test_a_design_that_is_wrong_is_shown_with_the_right_one_as_the_answer() -> None:
    pairs = _pairs(lambda _: False)
    assert len(pairs) >= 15
    # Some are right although the judge says no: then the two are the same text.
    assert _copies(pairs) <= len(pairs) // 2


def test_a_prompt_shows_what_retrieval_finds_first_or_next() -> None:
    record = _record("down_counter", 1)
    seen = set()
    for seed in range(20):
        pair = draft_pair(record, record["specs"][0], LIBRARY, random.Random(seed), lambda _: True)
        assert pair is not None
        seen.add(pair.prompt.partition("// Task:")[0])
    # One of five hits, in the names of the task where its ports are known, or none.
    assert 2 <= len(seen) <= 11
