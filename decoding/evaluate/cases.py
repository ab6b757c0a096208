"""Prompts to verify and to measure with."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING

from rtl_agent.decoding.errors import InputUnreadable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Case", "cases_of_pairs", "in_the_loop", "load_cases", "many_lengths", "write_cases"]

_INTO_ANSWER = 0.7  # share of the made prompts that go on into the answer
_KNOWN = "// Known design:"
_TASK = "// Task:"
_WRONG = "// Wrong answer:"
_PROBLEM = "\n// Problem:"


@dataclass(frozen=True, slots=True)
class Case:
    """A prompt of a named set (`fresh`, `repair`, …), and what lookup may copy from.

    `answer` is a right answer where one is known; prompts that stop within it are made of it.
    `earlier` is the prompt that the same generator was given just before.
    """

    name: str
    prompt: str
    hints: tuple[str, ...] = ()
    answer: str = ""
    earlier: str = ""


def load_cases(path: Path | None = None) -> list[Case]:
    """The prompts that ship, or those of a JSON-lines file with `set`, `prompt`, `hints`.

    Raises:
        InputUnreadable: the file cannot be read; names the line.
    """
    if path is None:
        text = (files("rtl_agent.decoding.evaluate") / "cases.jsonl").read_text("utf-8")
    else:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputUnreadable(
                f"{path}: the prompts cannot be read: {_why(error)}",
                remedy="give a JSON-lines file",
            ) from error
    cases = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            cases.append(_case(line, f"{path or 'cases.jsonl'}:{number}"))
    if not cases:
        raise InputUnreadable(f"{path}: there is no prompt in it", remedy="give at least one line")
    return cases


def many_lengths(cases: Sequence[Case], count: int, *, seed: int = 0) -> list[Case]:
    """`count` prompts of mixed length.

    First the cases themselves; then prompts that go on into the known answer (so that its end
    falls into few tokens), and cuts of prompts, at places drawn by `seed`.
    """
    if count <= len(cases):
        # Spread over all sets instead of the first ones only.
        return [cases[index * len(cases) // count] for index in range(count)]
    draw = random.Random(seed)  # noqa: S311 (repeatable on purpose)
    result = list(cases)
    while len(result) < count:
        case = cases[len(result) % len(cases)]
        if case.answer and draw.random() < _INTO_ANSWER:
            size = draw.randrange(len(case.answer) + 1)
            prompt = case.prompt + case.answer[:size]
        else:
            prompt = case.prompt[: draw.randint(min(8, len(case.prompt)), len(case.prompt))]
        result.append(replace(case, prompt=prompt))
    return result


def in_the_loop(cases: Sequence[Case]) -> list[Case]:
    """The repair prompts of `cases` as the loop comes to them: after the draft of the same task.

    Known design and task stand at the beginning of both prompts, so an engine that keeps its cache
    runs only what is new. The set is called `repair-in-loop`.
    """
    found = []
    for case in cases:
        before, marked, rest = case.prompt.partition(_WRONG)
        header = rest[rest.rfind("\nmodule ") + 1 :]
        if case.name == "repair" and marked and header:
            found.append(replace(case, name="repair-in-loop", earlier=before + header))
    return found


def cases_of_pairs(pairs: Path, *, each: int, seed: int) -> list[Case]:
    """Cases from a file of `rtl-agent corpus pairs`: sets `fresh`, `bare` and `repair`.

    `bare` are drafts without the known design in the prompt. The hints are those the loop gives:
    the previous draft, then the known design.

    Args:
        pairs: JSON lines with `prompt`, `answer`, `kind`.
        each: cases a set, drawn by `seed`; fewer when the file has not so many.
        seed: of the draw.

    Raises:
        InputUnreadable: the file cannot be read or holds no pairs.
    """
    try:
        rows = [json.loads(line) for line in pairs.read_text("utf-8").splitlines() if line]
        found = [(str(row["kind"]), str(row["prompt"]), str(row["answer"])) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputUnreadable(
            f"{pairs}: no pairs can be read here: {_why(error)}",
            remedy="make the file with `rtl-agent corpus pairs`",
        ) from error
    draw = random.Random(seed)  # noqa: S311
    draw.shuffle(found)
    drafts = [row for row in found if row[0] == "draft" and _TASK in row[1]]
    repairs = [row for row in found if row[0].startswith("repair") and _WRONG in row[1]]
    shown = [row for row in drafts if row[1].startswith(_KNOWN)]
    bare = [(kind, prompt[prompt.index(_TASK) :], text) for kind, prompt, text in drafts[::-1]]
    if not drafts and not repairs:
        raise InputUnreadable(
            f"{pairs}: none of its {len(found)} pairs is a draft or a repair of a task",
            remedy="make the file with `rtl-agent corpus pairs`",
        )
    chosen = [("fresh", shown[:each]), ("bare", bare[:each]), ("repair", repairs[:each])]
    return [
        Case(name, prompt, _hints(prompt), answer)
        for name, rows in chosen
        for _, prompt, answer in rows
    ]


def write_cases(cases: Sequence[Case], out: Path) -> None:
    """Write cases as `load_cases` reads them."""
    lines = [
        json.dumps(
            {"set": case.name, "prompt": case.prompt, "hints": case.hints, "answer": case.answer}
        )
        for case in cases
    ]
    out.write_text("".join(line + "\n" for line in lines), "utf-8")


def _hints(prompt: str) -> tuple[str, ...]:
    """What the loop would let lookup copy from: the previous draft, the known design."""
    header = prompt[prompt.rfind("\nmodule ") + 1 :]
    known, _, task = prompt.partition(_TASK)
    hints = []
    if _WRONG in task:
        wrong = task.partition(_WRONG)[2].partition(_PROBLEM)[0]
        hints.append(header.rstrip("\n") + wrong.rstrip("\n") + "\n")
    start = known.find("module ")
    if known.startswith(_KNOWN) and start >= 0:
        hints.append(known[start:])
    return tuple(hints)


def _why(error: Exception) -> str:
    """The cause without the path, which the message names already."""
    if isinstance(error, KeyError):
        return f"a line without {error}"
    return getattr(error, "strerror", None) or str(error)


def _case(line: str, place: str) -> Case:
    remedy = 'write {"set": "fresh", "prompt": "…", "hints": ["…"]}, one object a line'
    try:
        item = json.loads(line)
        name, prompt, hints = item["set"], item["prompt"], item.get("hints", [])
        answer = item.get("answer", "")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputUnreadable(f"{place}: no prompt can be read here", remedy=remedy) from error
    texts = [name, prompt, answer, *hints] if isinstance(hints, list) else [None]
    if not all(isinstance(text, str) for text in texts) or not prompt:
        raise InputUnreadable(f"{place}: `set`, `prompt` and `hints` must be text", remedy=remedy)
    return Case(name, prompt, tuple(hints), answer)
