"""What a heads training is made of; stored whole in its output."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["HeadsTrainConfig"]


@dataclass(frozen=True, slots=True)
class HeadsTrainConfig:
    """Options of a heads training on a frozen model.

    Attributes:
        heads: number of heads; head `i` looks `i + 2` tokens ahead.
        layers: residual blocks a head.
        form: which labels are masked: `lexer` (fragments found in the text), `marker` (a marker
            token in the text) or `none` (plain Medusa).
        marker: the marker's token, for the form of that name.
        init: heads file to start from, of the same shape; "" for fresh ones.
        vocabulary: most draft tokens; the commonest ones of the labels.
        decay: weight of head `i + 1` over that of head `i`.
        samples: pairs whose states are computed.
        rows: prompts decoded in one batch.
        own: share of the batches that also give the model's own greedy answers
            (self-distillation); a state of those costs about four times one of a given text.
        prompts: also learn from the prompts' own tokens, whose states cost nothing.
        max_answer: longest answer, in tokens; longer pairs are left out.
        epochs: passes over the cached states.
        positions: states a step.
        minutes: of computing states, and as many again of training, after which each ends.
        held: share of the pairs whose loss is watched and not learned from.
    """

    heads: int = 4
    layers: int = 1
    form: str = "lexer"
    marker: str = ""
    init: str = ""
    vocabulary: int = 1536
    decay: float = 0.8
    samples: int = 1000
    rows: int = 8
    own: float = 0.3
    prompts: bool = True
    max_tokens: int = 900
    max_answer: int = 320
    epochs: int = 8
    positions: int = 256
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    minutes: float = 10.0
    held: float = 0.06
    seed: int = 1
    threads: int = 1
