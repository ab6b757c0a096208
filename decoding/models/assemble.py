"""Putting a model, its tokenizer and its drafters together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.drafters.corpus import CorpusDrafter
from rtl_agent.decoding.drafters.draft_model import DraftModelDrafter
from rtl_agent.decoding.drafters.early_exit import EarlyExitDrafter
from rtl_agent.decoding.drafters.heads import HeadsDrafter
from rtl_agent.decoding.drafters.heads_model import load_heads
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.drafters.table import NgramTable, tokenizer_fingerprint
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.seq2seq import Seq2SeqTarget
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.engine.verify import Exact, Typical, Verifier
from rtl_agent.decoding.errors import HeadsMismatch, ModelUnusable
from rtl_agent.decoding.fragments.tracker import FragmentGate, FragmentShaper, Pieces
from rtl_agent.decoding.models.generator import TextGenerator
from rtl_agent.decoding.models.options import DRAFTERS, Speculation

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.decoding.drafters.base import Drafter
    from rtl_agent.decoding.engine.prefill import CacheKeeper
    from rtl_agent.decoding.engine.protocols import Shaper, Target

__all__ = ["assemble", "eos_ids"]


def assemble(  # noqa: PLR0913 (all but four by name)
    name: str,
    model: Any,
    tokenizer: Any,
    speculation: Speculation,
    *,
    table: Path | None = None,
    keeper: CacheKeeper | None = None,
) -> TextGenerator:
    """A generator over a loaded model.

    Args:
        name: for reports.
        model: a `transformers` model.
        tokenizer: its tokenizer.
        speculation: what to put together.
        table: the n-gram table that ships with the model, used when the options name none.
        keeper: a cache shared with other generators of this model that never run at once.

    Raises:
        ModelUnusable: parts that do not fit together, or a file that cannot be read.
        HeadsMismatch: table, heads or draft model were made for another model.
    """
    unknown = sorted(set(speculation.drafters) - set(DRAFTERS))
    if unknown:
        raise ModelUnusable(
            f"there is no drafter {unknown[0]!r}", remedy=f"use some of {', '.join(DRAFTERS)}"
        )
    want_hidden = "heads" in speculation.drafters
    seq2seq = bool(getattr(model.config, "is_encoder_decoder", False))
    kind = Seq2SeqTarget if seq2seq else CausalTarget
    target: Target = kind(model, want_hidden=want_hidden)
    if len(tokenizer) > target.vocabulary:
        raise ModelUnusable(
            f"{name}: the tokenizer has {len(tokenizer)} tokens and the model {target.vocabulary}",
            remedy="use the tokenizer the model was trained with",
        )
    verifier, shaper = _verifier(speculation, tokenizer, target.vocabulary)
    engine = Engine(
        target,
        drafters=_drafters(speculation, model, tokenizer, target, speculation.table or table),
        verifier=verifier,
        shaper=shaper,
        max_nodes=speculation.max_nodes,
        adaptive=speculation.adaptive,
        rests=speculation.rests,
        keeper=keeper,
    )
    return TextGenerator(name, engine, tokenizer, eos_ids(model, tokenizer))


def _verifier(
    speculation: Speculation, tokenizer: Any, vocabulary: int
) -> tuple[Verifier, Shaper | None]:
    if speculation.grammar:
        if speculation.typical:
            raise ModelUnusable(
                "a grammar cannot be combined with typical acceptance",
                remedy="choose one of the two",
            )
        from rtl_agent.decoding.grammar.constraint import GrammarConstraint

        rules = GrammarConstraint(speculation.grammar, tokenizer, vocabulary=vocabulary)
        return rules, rules
    pieces = Pieces(tokenizer) if speculation.shape or speculation.integrity else None
    shaper = FragmentShaper(pieces) if pieces is not None and speculation.shape else None
    if not speculation.typical:
        return Exact(), shaper
    gate = FragmentGate(pieces) if pieces is not None and speculation.integrity else None
    return Typical(gate=gate), shaper


def _drafters(
    speculation: Speculation, model: Any, tokenizer: Any, target: Target, table: Path | None
) -> list[Drafter]:
    drafters: list[Drafter] = []
    for name in dict.fromkeys(speculation.drafters):
        if name == "lookup":
            drafters.append(LookupDrafter())
        elif name == "corpus":
            if table is not None:
                fingerprint = tokenizer_fingerprint(tokenizer)
                drafters.append(CorpusDrafter(NgramTable(table, fingerprint=fingerprint)))
        elif name == "heads":
            heads = load_heads(_wanted(speculation.heads, "heads", "a heads file"), model)
            drafters.append(HeadsDrafter(heads, model))
        elif name == "self":
            layers = speculation.exit_layer or max(1, model.config.num_hidden_layers // 3)
            drafters.append(EarlyExitDrafter(model, layers=layers))
        else:
            folder = _wanted(speculation.draft_model, "draft-model", "a draft model's folder")
            drafters.append(_draft_model(folder, model, tokenizer, target.vocabulary))
    return drafters


def _draft_model(folder: Path, model: Any, tokenizer: Any, vocabulary: int) -> Drafter:
    from rtl_agent.decoding.models.load import load_model

    dtype = str(model.dtype).removeprefix("torch.")
    small, its_tokenizer, _ = load_model(str(folder), device=str(model.device), dtype=dtype)
    if tokenizer_fingerprint(its_tokenizer) != tokenizer_fingerprint(tokenizer):
        raise HeadsMismatch(
            f"{folder}: the draft model has another tokenizer than the target",
            remedy="use a draft model of the same family, with the same tokenizer",
        )
    return DraftModelDrafter(small, vocabulary=vocabulary)


def _wanted(path: Path | None, drafter: str, what: str) -> Path:
    if path is None:
        raise ModelUnusable(f"the drafter `{drafter}` needs {what}", remedy=f"name {what}")
    return path


def eos_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Every id that ends a text: those of the generation config and the tokenizer's own."""
    found: set[int] = set()
    config = getattr(model, "generation_config", None)
    for value in (getattr(config, "eos_token_id", None), tokenizer.eos_token_id):
        if isinstance(value, int):
            found.add(value)
        elif value is not None:
            found.update(int(item) for item in value)
    return frozenset(found)
