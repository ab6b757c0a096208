"""Grammar-constrained decoding with llguidance, together with speculation.

Masking a target's logits samples a projection of its distribution, not the distribution itself:
results are named `constrained`, never exact.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from rtl_agent.decoding.api import Mode
from rtl_agent.decoding.errors import ModelUnusable

if TYPE_CHECKING:
    from rtl_agent.decoding.engine.state import Row
    from rtl_agent.decoding.engine.tree import Tree

__all__ = ["GRAMMARS", "GrammarConstraint", "open_text"]

GRAMMARS = ("verilog",)
_MODULE = re.compile(r"^[ \t]*(?:macro)?module\s+[A-Za-z_][\w$]*\s*[#(;]", re.M)


def open_text(prompt: str) -> str:
    """The part of a prompt the grammar begins with: a module that was begun and not ended.

    `prompt` may end in a forced module header; the answer then continues it.
    """
    start = max((match.start() for match in _MODULE.finditer(prompt)), default=-1)
    text = prompt[start:] if start >= 0 else ""
    return "" if re.search(r"\bendmodule\b", text) else text


class GrammarConstraint:
    """Verifier and shaper at once: masks logits, and prunes drafts the grammar forbids.

    Args:
        name: one of `GRAMMARS`.
        tokenizer: the model's `transformers` tokenizer (a fast one).
        vocabulary: size of the model's logits.

    Raises:
        ModelUnusable: llguidance is not installed, the grammar is unknown, or the tokenizer is
            of a kind llguidance cannot read.
    """

    def __init__(self, name: str, tokenizer: Any, *, vocabulary: int) -> None:
        if name not in GRAMMARS:
            raise ModelUnusable(
                f"there is no grammar {name!r}", remedy=f"use one of {', '.join(GRAMMARS)}"
            )
        try:
            from llguidance import LLMatcher
            from llguidance.hf import from_tokenizer
        except ImportError as error:
            raise ModelUnusable(
                "constraining output to a grammar needs llguidance",
                remedy="pip install 'rtl-agent[grammar]'",
            ) from error
        try:
            self._tokenizer = from_tokenizer(tokenizer, n_vocab=vocabulary)
        except ValueError as error:
            raise ModelUnusable(
                f"llguidance cannot read this model's tokenizer: {error}",
                remedy="leave the grammar out for this model",
            ) from error
        self._encode = tokenizer
        self._matcher_type = LLMatcher
        text = (files("rtl_agent.decoding.grammar") / f"{name}.lark").read_text("utf-8")
        self._grammar = LLMatcher.grammar_from_lark(text)
        self._vocabulary = vocabulary
        self._rows: dict[int, tuple[Row, Any]] = {}

    def mode(self, row: Row) -> Mode:
        """Always named constrained."""
        del row
        return Mode.CONSTRAINED

    def walk(
        self, row: Row, tree: Tree, logits: torch.Tensor, greedy: list[int]
    ) -> tuple[list[int], list[int]]:
        """See `engine.verify.Verifier.walk`; the choice is made among what the grammar allows."""
        del greedy
        request, matcher = row.request, self._matcher(row)
        node = 0
        path = [0]
        tokens: list[int] = []
        while True:
            allowed = self._allowed(matcher, request.eos).to(logits.device)
            token = request.sampler.draw(
                logits[node].masked_fill(~allowed, float("-inf")),
                sample=request.sample,
                position=len(row.tokens) + len(tokens),
            )
            tokens.append(token)
            if token in request.eos:
                return path, tokens
            matcher.consume_token(token)
            child = tree.children[node].get(token)
            if child is None:
                return path, tokens
            node = child
            path.append(node)

    def shape(self, row: Row, tree: Tree) -> Tree:
        """The tree without what the grammar forbids."""
        matcher = self._matcher(row)
        kept = [0]
        stack = list(tree.children[0].values())
        depth = 0
        while stack:
            node = stack.pop()
            if tree.depths[node] <= depth:
                matcher.rollback(depth - tree.depths[node] + 1)
                depth = tree.depths[node] - 1
            if tree.tokens[node] in row.request.eos:
                kept.append(node)
            elif matcher.try_consume_tokens([tree.tokens[node]]) == 1:
                depth += 1
                kept.append(node)
                stack.extend(tree.children[node].values())
        if depth:
            matcher.rollback(depth)
        return tree if len(kept) == len(tree) else tree.restricted(sorted(kept))

    def _matcher(self, row: Row) -> Any:
        known = self._rows.get(row.index)
        if known is not None and known[0] is row:
            return known[1]
        matcher = self._matcher_type(self._tokenizer, self._grammar)
        before = open_text(self._encode.decode(row.request.prompt, skip_special_tokens=True))
        if before:
            ids = self._encode(before, add_special_tokens=False)["input_ids"]
            if matcher.validate_tokens(ids) < len(ids):
                raise ModelUnusable(
                    "the module that the prompt begins is not in the grammar",
                    remedy="leave the grammar out, or give a Verilog-2005 module header",
                )
            matcher.consume_tokens(ids)
        self._rows[row.index] = (row, matcher)
        return matcher

    def _allowed(self, matcher: Any, eos: frozenset[int]) -> torch.Tensor:
        """Bool `[vocabulary]`: what may come next. A finished text may only end."""
        if matcher.is_stopped():
            mask = torch.zeros(self._vocabulary, dtype=torch.bool)
            mask[list(eos)] = True
            return mask
        bits = np.frombuffer(matcher.compute_bitmask(), dtype=np.uint8)
        unpacked = np.unpackbits(bits, bitorder="little")[: self._vocabulary]
        mask = torch.from_numpy(unpacked).bool()
        if len(mask) < self._vocabulary:
            rest = torch.zeros(self._vocabulary - len(mask), dtype=torch.bool)
            mask = torch.cat([mask, rest])
        if matcher.is_accepting():
            mask[list(eos)] = True
        return mask
