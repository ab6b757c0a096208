"""Reads the sentences that remain once lists, tables and headers are taken out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .blocks import Block, Heading, Lines
from .findings import Findings, FoundPort, Source, Weight
from .lexer import Kind, Token, tokenize
from .parameters import read_parameter_prose
from .prose import ProsePort, read_sentence, role_of, split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .walk import Loose

__all__ = ["mentioned", "read_loose"]


def read_loose(groups: Sequence[Loose], modules: Sequence[str], found: Findings) -> None:
    """Read every group of loose lines into `found`, in order.

    A sentence whose subject is a module is about that module, and so are those after it.
    """
    widths: dict[str, int | str] = {}
    for group in groups:
        text, starts = "", []
        for line in group.lines:
            starts.append((len(text), line.number))
            text += line.text + " "
        module = group.module
        read_parameter_prose(text, module, found)
        for tokens in split_sentences(text):
            module = _subject(tokens, modules) or module
            known = frozenset(p.name for p in found.ports)
            told = read_sentence(tokens, known, frozenset(modules))
            for port in told.ports:
                if port.name not in modules:
                    number = next(n for start, n in reversed(starts) if start <= port.start)
                    _keep(port, number, module, found)
            widths.update(told.widths)
    for i, known_port in enumerate(found.ports):
        if known_port.width is None and known_port.name in widths:
            weight = max(known_port.weight, Weight.INTRODUCED)
            width = widths[known_port.name]
            found.ports[i] = replace(known_port, width=width, sure=False, weight=weight)


def _subject(tokens: Sequence[Token], modules: Sequence[str]) -> str | None:
    """The module that a sentence begins with, if it does."""
    words = [t for t in tokens if t.kind in (Kind.WORD, Kind.TICK)][:3]
    while words and words[0].lower in ("the", "module", "block"):
        words = words[1:]
    return words[0].text if words and words[0].text in modules else None


def _keep(port: ProsePort, line: int, module: str | None, found: Findings) -> None:
    if port.direction is None:
        return
    weight = Weight.INTRODUCED if port.introduced or port.width is not None else Weight.HINTED
    if port.firm and port.listed:
        weight = Weight.LISTED
    if port.role or role_of(port.name):
        weight = max(weight, Weight.ROLE)
    found.ports.append(
        FoundPort(
            port.name,
            port.direction,
            port.width,
            line,
            Source.PROSE,
            module,
            port.signed,
            sure=port.firm,
            description=port.role,
            weight=weight,
        )
    )


def mentioned(blocks: Sequence[Block]) -> set[str]:
    """Identifiers that the text speaks of in backticks, or that can only be signal names."""
    words: set[str] = set()
    for block in blocks:
        texts = (
            [block.line.text]
            if isinstance(block, Heading)
            else [line.text for line in block.lines]
            if isinstance(block, Lines)
            else []
        )
        for token in (t for text in texts for t in tokenize(text)):
            if token.kind is Kind.TICK or (token.kind is Kind.WORD and "_" in token.text):
                words.add(token.text)
    return {w for w in words if not w.isupper() or len(w) < 3}
