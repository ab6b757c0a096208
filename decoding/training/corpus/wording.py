"""Composes specs in English from the facts of a design.

A wording is drawn from independent choices (opening, paraphrase of every fact, how clock and
reset are told, how the interface is shown, order, closing), so that a family with a handful of
paraphrases yields thousands of texts. One paraphrase in each list of three or more is kept for
the held-out split, so that held-out texts are unseen wordings and not only new combinations.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from . import interface_text
from .clock_text import clock_sentences

if TYPE_CHECKING:
    from .design import Design

__all__ = ["Split", "Worded", "terse", "word"]


class Split(StrEnum):
    """Which paraphrases a wording may draw from."""

    TRAIN = "train"
    HELD_OUT = "held-out"


@dataclass(frozen=True, slots=True)
class Worded:
    """A spec text with the interface style it was written in."""

    text: str
    interface_style: str


_OPENINGS = (
    "Design {title}.",
    "Implement {title}.",
    "Write a Verilog module `{m}`: {title}.",
    "Create {title}. The module is called `{m}`.",
    "Please implement a module named {m}, {title}.",
    "# {m}\n\n{Title}.",
    "I need {title}. Call it {m}.",
    "Build {title} named `{m}`.",
    "`{m}` is {title}.",
    "Module name: {m}\n\nThis block is {title}.",
    "We want {title}; module {m}.",
    "The module `{m}` shall implement {title}.",
    "{Title}, module name {m}.",
    "Give me the Verilog for {title} (module {m}).",
)
_HELD_OPENINGS = (
    "Could you write {title}? Name the module {m}.",
    "Task: {title}. Top module: `{m}`.",
    "Our chip needs {title}, to be delivered as module {m}.",
)
_CLOSINGS = (
    "",
    "",
    "",
    "",
    "Use synthesizable Verilog-2005.",
    "Give the complete code.",
    "Keep it simple.",
    "The code must be synthesizable.",
)


def _allowed(options: tuple[str, ...], split: Split) -> tuple[str, ...]:
    """Reserve one paraphrase of three or more (never an empty one) for the held-out split."""
    spoken = [i for i, option in enumerate(options) if option]
    if len(spoken) < 3:
        return options
    held = spoken[len(options[spoken[0]]) % len(spoken)]
    if split is Split.HELD_OUT:
        return (options[held],)
    return tuple(option for i, option in enumerate(options) if i != held)


def _facts(design: Design, rng: random.Random, split: Split) -> list[str]:
    """One paraphrase of every fact; held-out texts mix reserved and known paraphrases."""
    out = []
    for fact in design.behaviour:
        pool = fact if split is Split.HELD_OUT and rng.random() < 0.5 else _allowed(fact, split)
        out.append(rng.choice(pool))
    return [fact for fact in out if fact]


def _opening(design: Design, rng: random.Random, split: Split) -> str:
    title = rng.choice(_allowed(design.titles, split))
    pool: tuple[str, ...] = _OPENINGS
    if split is Split.HELD_OUT and rng.random() < 0.5:
        pool = _HELD_OPENINGS
    template = rng.choice(pool)
    text = template.format(title=title, Title=title[0].upper() + title[1:], m=design.module)
    return text if design.module in text else f"{text} The module is named `{design.module}`."


def _arrange(facts: list[str], rng: random.Random) -> str:
    """Set facts as a paragraph, as bullets, or a line each."""
    roll = rng.random()
    if roll < 0.65 or len(facts) < 2:
        return " ".join(facts)
    if roll < 0.85:
        return "\n".join(f"- {fact}" for fact in facts)
    return "\n".join(facts)


def word(design: Design, rng: random.Random, split: Split = Split.TRAIN) -> Worded:
    """Compose one spec for `design`.

    Args:
        design: The design; its facts are taken as they are, so they must be complete.
        rng: All randomness comes from here: the same state gives the same text.
        split: Which paraphrases may be used.
    """
    facts = _facts(design, rng, split)
    clock = [sentence for sentence in clock_sentences(design, rng) if sentence]
    if rng.random() < 0.5:
        facts += clock
    else:
        facts = clock + facts
    style, interface = interface_text.compose(design, rng)
    body = _arrange(facts, rng)
    opening = _opening(design, rng, split)
    blocks = [opening, interface, body] if rng.random() < 0.6 else [opening, body, interface]
    blocks.append(rng.choice(_CLOSINGS))
    return Worded("\n\n".join(block for block in blocks if block) + "\n", style)


def terse(design: Design) -> str:
    """The shortest text that still tells every fact: how library designs describe themselves."""
    title = min(design.titles, key=len)
    facts = [min((f for f in fact if f), key=len, default="") for fact in design.behaviour]
    clock = clock_sentences(design, random.Random(0))
    return " ".join(" ".join([title[0].upper() + title[1:] + ".", *facts, *clock]).split())
