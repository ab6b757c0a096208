"""Tiny random models for the engine's tests, built from configurations."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from transformers import (
    GenerationConfig,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Starcoder2Config,
    Starcoder2ForCausalLM,
)

VOCABULARY = 200
EOS = 7
WINDOW = 12
_SIZES: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 48,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "bos_token_id": 1,
    "eos_token_id": EOS,
    "pad_token_id": 0,
    "initializer_range": 0.35,  # large: logits of a random model are then far apart
}
FAMILIES = ("llama", "qwen2", "qwen2-mixed", "mistral", "starcoder2")


@cache
def tiny(family: str, seed: int = 0) -> Any:
    """A random two-layer model of a family, in float32."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    if family == "llama":
        model = LlamaForCausalLM(LlamaConfig(**_SIZES, tie_word_embeddings=True))
    elif family == "qwen2":
        model = Qwen2ForCausalLM(Qwen2Config(**_SIZES))
    elif family == "qwen2-mixed":
        model = Qwen2ForCausalLM(
            Qwen2Config(
                **_SIZES,
                use_sliding_window=True,
                sliding_window=WINDOW,
                layer_types=["full_attention", "sliding_attention"],
            )
        )
    elif family == "mistral":
        model = MistralForCausalLM(MistralConfig(**_SIZES, sliding_window=WINDOW))
    elif family == "starcoder2":
        model = Starcoder2ForCausalLM(Starcoder2Config(**_SIZES, sliding_window=WINDOW))
    else:
        raise ValueError(family)
    return model.eval()


VERILOG = """module counter #(parameter W = 8) (
    input wire clk,
    input wire rst_n,
    output reg [W-1:0] q
);
    // counts up; é is two bytes
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)
            q <= {W{1'b0}};
        else
            q <= q + 1'b1;
    end
endmodule
"""


@cache
def tokenizer() -> Any:
    """A byte-level BPE tokenizer with a few merges, learned from one module."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=330,
        special_tokens=["<pad>", "<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator([VERILOG] * 3, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe, pad_token="<pad>", bos_token="<s>", eos_token="</s>"
    )


@cache
def text_model(seed: int = 0) -> Any:
    """A random model for `tokenizer()`."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    sizes = {**_SIZES, "vocab_size": len(tokenizer()), "eos_token_id": 2}
    return LlamaForCausalLM(LlamaConfig(**{**sizes, "max_position_embeddings": 4096})).eval()


def prompts(count: int, seed: int = 1, *, least: int = 3, most: int = 40) -> list[tuple[int, ...]]:
    """Random prompts of mixed length, some with repeated parts for the lookup to find."""
    generator = torch.Generator().manual_seed(seed)
    result = []
    for index in range(count):
        length = int(torch.randint(least, most + 1, (1,), generator=generator))
        ids = torch.randint(8, VOCABULARY, (length,), generator=generator).tolist()
        if index % 2:
            ids = (ids[: max(2, length // 3)] * 4)[:length]
        result.append(tuple(ids))
    return result


def plain_greedy(
    model: Any, prompt: tuple[int, ...], count: int, eos: int | None = EOS
) -> list[int]:
    """New tokens of transformers' own greedy `generate`, EOS included."""
    ids = torch.tensor([prompt])
    config = GenerationConfig(
        do_sample=False, max_new_tokens=count, eos_token_id=eos, pad_token_id=0, num_beams=1
    )
    out = model.generate(ids, attention_mask=torch.ones_like(ids), generation_config=config)
    return out[0, len(prompt) :].tolist()


class Oracle:
    """A drafter for tests: knows the answers, and mixes in wrong branches and wrong ends.

    Args:
        answers: prompt to the tokens that follow it.
        right: drafted tokens in a row that are right; then a wrong one follows.
    """

    name = "oracle"

    def __init__(self, answers: dict[tuple[int, ...], list[int]], *, right: int = 5) -> None:
        self.answers = answers
        self.right = right
        self.started = 0

    def start(self, rows: Any, cache: Any) -> None:
        self.started += 1

    def propose(self, rows: Any, trees: Any, budget: int) -> None:
        for row, tree in zip(rows, trees, strict=True):
            done = len(row.tokens) - len(row.request.prompt)
            ahead = self.answers[row.request.prompt][done:]
            node = 0
            for depth, token in enumerate(ahead[: min(row.room - 1, self.right + done % 3)]):
                # A wrong sibling first: the accepted path is then not contiguous in the cache.
                wrong = tree.add(node, (token + 1) % VOCABULARY, self.name, confidence=0.4)
                tree.add(wrong, depth, self.name, confidence=0.3)
                node = tree.add(node, token, self.name, confidence=0.9)
            if tree.depths[node] < row.room - 1:
                tree.add(node, 3, self.name, confidence=0.5)

    def update(self, row: Any, gained: Any, hidden: Any) -> None:
        pass
