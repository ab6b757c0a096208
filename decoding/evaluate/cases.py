"""Prompts to verify and to measure with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from rtl_agent.decoding.errors import ModelUnusable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Case", "load_cases", "many_lengths"]


@dataclass(frozen=True, slots=True)
class Case:
    """A prompt of a named set (`fresh`, `repair`, …), and what lookup may copy from."""

    name: str
    prompt: str
    hints: tuple[str, ...] = ()


def load_cases(path: Path | None = None) -> list[Case]:
    """The prompts that ship, or those of a JSON-lines file with `set`, `prompt`, `hints`.

    Raises:
        ModelUnusable: the file cannot be read; names the line.
    """
    if path is None:
        text = (files("rtl_agent.decoding.evaluate") / "cases.jsonl").read_text("utf-8")
    else:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ModelUnusable(
                f"{path}: the prompts cannot be read: {error}", remedy="give a JSON-lines file"
            ) from error
    cases = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            cases.append(_case(line, f"{path or 'cases.jsonl'}:{number}"))
    if not cases:
        raise ModelUnusable(f"{path}: there is no prompt in it", remedy="give at least one line")
    return cases


def many_lengths(cases: list[Case], count: int) -> list[Case]:
    """`count` prompts of mixed length: the cases, and cuts of them at parts of their length."""
    result = list(cases)
    for eighths in (6, 4, 7, 3, 5, 2):
        if len(result) >= count:
            break
        for case in cases:
            size = max(8, len(case.prompt) * eighths // 8)
            result.append(Case(case.name, case.prompt[:size], case.hints))
    if len(result) <= count:
        return result
    # Spread over all sets and lengths instead of the first ones only.
    return [result[index * len(result) // count] for index in range(count)]


def _case(line: str, place: str) -> Case:
    remedy = 'write {"set": "fresh", "prompt": "…", "hints": ["…"]}, one object a line'
    try:
        item = json.loads(line)
        name, prompt, hints = item["set"], item["prompt"], item.get("hints", [])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelUnusable(f"{place}: no prompt can be read here", remedy=remedy) from error
    texts = [name, prompt, *hints] if isinstance(hints, list) else [None]
    if not all(isinstance(text, str) for text in texts) or not prompt:
        raise ModelUnusable(f"{place}: `set`, `prompt` and `hints` must be text", remedy=remedy)
    return Case(name, prompt, tuple(hints))
