"""A tiny base, pairs and settings for tests of training."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.training.config import TrainConfig
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "pad eos module a b c d y assign = ; + - endmodule frag".split()


def make_base(folder: Path, *, seed: int = 0, width: int = 32) -> Path:
    core = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="pad"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="eos", pad_token="pad")
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(WORDS), hidden_size=width, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
        eos_token_id=1, pad_token_id=0,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def make_pairs(path: Path, times: int = 4) -> Path:
    rows = [
        {"prompt": f"module {x}", "answer": f"assign y = {x} + {x} ; endmodule"} for x in "abcd"
    ]
    path.write_text("".join(json.dumps(r) + "\n" for r in rows * times))
    return path


def make_config(base: Path, pairs: Path, out: Path, **more: Any) -> TrainConfig:
    settings: dict[str, Any] = {
        "base": str(base),
        "data": str(pairs),
        "out": str(out),
        "samples": 64,
        "rank": 4,
        "alpha": 8,
        "first_layer": 0,
        "tokens_per_batch": 48,
        "warmup_steps": 2,
        "threads": 1,
        "learning_rate": 0.01,
        "validate_every": 1000,
    }
    return TrainConfig(**(settings | more))
