"""Two hundred prompts of mixed length on every architecture, every drafter alone and together.

`decode verify` is the judge: its reference is transformers' own `generate`, and half of the prompts
get a stop string out of that reference, so that the end falls inside accepted blocks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import torch
from engine_models import FAMILIES, VERILOG, VOCABULARY, tiny, tokenizer
from rtl_agent.decoding.drafters.heads_model import (
    DraftHeads,
    HeadsConfig,
    base_sample,
    save_heads,
)
from rtl_agent.decoding.evaluate.cases import Case
from rtl_agent.decoding.evaluate.table import build_from_files
from rtl_agent.decoding.evaluate.verify import Subject, combinations, verify
from rtl_agent.decoding.models.load import load_tokenizer
from rtl_agent.decoding.models.options import DRAFTERS, Speculation

if TYPE_CHECKING:
    from pathlib import Path

PROMPTS = 200
TOKENS = 12


def cases() -> list[Case]:
    """Prompts of 1 to about 120 tokens; every third repeats itself, for the lookup to find."""
    draw = torch.Generator().manual_seed(5)
    made = []
    for index in range(PROMPTS):
        start, size = (int(torch.randint(1, 200, (1,), generator=draw)) for _ in range(2))
        text = VERILOG[start : start + size] or VERILOG[:5]
        if index % 3 == 0:
            text = (text[: max(4, size // 4)] * 4)[:size] or text
        made.append(Case("mixed", text, (VERILOG,) if index % 2 else ()))
    return made


def widened(family: str) -> Any:
    """A tiny model of `family` with room for the tokenizer's vocabulary and longer prompts."""
    model = tiny(family)
    assert model.config.vocab_size == VOCABULARY
    config = model.config.__class__.from_dict(
        {
            **model.config.to_dict(),
            "vocab_size": len(tokenizer()) + 1,  # the class for Qwen2 adds a token
            "eos_token_id": 2,
            "max_position_embeddings": 512,
        }
    )
    torch.manual_seed(4)
    return model.__class__(config).eval()


def options(model: Any, folder: Path) -> Speculation:
    """All drafters: heads with random weights, and the target itself as draft model."""
    config = model.config
    heads = DraftHeads(HeadsConfig(3, 1, config.hidden_size, config.vocab_size, base_sample(model)))
    for parameter in heads.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    save_heads(heads, folder / "heads.safetensors")
    model.save_pretrained(folder / "draft")
    tokenizer().save_pretrained(folder / "draft")
    return Speculation(
        drafters=DRAFTERS,
        heads=folder / "heads.safetensors",
        draft_model=folder / "draft",
        exit_layer=1,
    )


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("family", FAMILIES)
def test_two_hundred_prompts_are_token_for_token_those_of_generate(family, tmp_path):
    model = widened(family)
    chosen = replace(options(model, tmp_path), table=tmp_path / "corpus.bin")
    # Opened as the draft model's is: transformers gives a Qwen2 folder a class of its own.
    own = load_tokenizer(str(tmp_path / "draft"))
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "counter.v").write_text(VERILOG, "utf-8")
    build_from_files([tmp_path / "rtl"], tmp_path / "corpus.bin", own)
    subject = Subject(family, model, own, tmp_path / "corpus.bin")
    report = verify(subject, cases(), chosen, tokens=TOKENS, batches=(1, 4), sampling=False)
    assert report.prompts == PROMPTS
    assert report.drafters == DRAFTERS
    assert report.comparisons == PROMPTS * 2 * len(combinations(DRAFTERS))
    assert report.stops > PROMPTS / 3
    assert report.ended_in_block.get("stop", 0) > 100
    assert report.divergences == ()
