"""From a model and pairs to a heads file, in one call."""

from __future__ import annotations

import copy
import hashlib
import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import TrainingError

from .config import HeadsTrainConfig

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .trainer import HeadsReport

__all__ = ["make_heads"]

_STATES = "states.safetensors"


def make_heads(  # noqa: PLR0913
    model: Any,
    tokenizer: Any,
    pairs: Path,
    out: Path,
    config: HeadsTrainConfig,
    *,
    made_for: str = "",
    log: Callable[[str], None] = lambda _line: None,
) -> HeadsReport:
    """Train heads for `model` and write `out/heads.safetensors` and `out/report.json`.

    The states of the model are kept in `out` and gone on with as long as model, pairs and the
    options they depend on are the same; with `minutes=0` those that are there are used.

    Args:
        model: a causal LM; it stays as it is.
        tokenizer: its tokenizer.
        pairs: JSONL with `prompt` and `answer`.
        out: folder of the run.
        config: options.
        made_for: kept in the file: hash of the adapter that is merged into the model.
        log: shown one JSON object now and then.

    Raises:
        TrainingError: pairs or options are wrong, or the loss is not finite.
    """
    import torch
    from rtl_agent.decoding.drafters.heads_model import HeadsConfig, base_sample, save_heads
    from rtl_agent.decoding.training.data import load_samples
    from rtl_agent.decoding.training.subject import longest_of

    from .labels import HeadLabeller
    from .states import StatesFile, collect
    from .trainer import build_labels, train_heads

    labeller = HeadLabeller(tokenizer, config.form, config.marker, config.heads)
    torch.set_num_threads(config.threads)
    out.mkdir(parents=True, exist_ok=True)
    samples = [
        sample
        for sample in load_samples(pairs, tokenizer, longest_of(model, config.max_tokens), log)
        if len(sample.answer) <= config.max_answer
    ][: config.samples]
    if not samples:
        raise TrainingError(
            f"{pairs}: no answer of at most {config.max_answer} tokens",
            remedy="raise max_answer",
        )
    file = StatesFile(out / _STATES, _described(model, pairs, config))
    wanted = sorted_nearby(samples, config.rows)
    if file.pairs < len(wanted) and (not file.pairs or config.minutes > 0):
        states = collect(
            _packed(model),
            wanted,
            file,
            eos=int(tokenizer.eos_token_id),
            rows=config.rows,
            own=config.own,
            prompts=config.prompts,
            max_new=config.max_answer,
            minutes=config.minutes,
            seed=config.seed,
            log=log,
        )
    else:
        states = file.states()
    labels, masked = build_labels(states, labeller)
    output = model.get_output_embeddings().weight.detach().cpu()
    sizes = HeadsConfig(
        count=config.heads,
        layers=config.layers,
        width=int(output.shape[1]),
        vocabulary=int(output.shape[0]),
        base_sample=base_sample(model),
        made_for=made_for,
    )
    heads, report = train_heads(states, labels, output, sizes, config, log)
    report.masked = masked
    save_heads(heads.to(torch.bfloat16), out / "heads.tmp")
    (out / "heads.tmp").replace(out / "heads.safetensors")
    told = {"config": asdict(config), "report": asdict(report)}
    (out / "report.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return report


def sorted_nearby(samples: list[Any], rows: int) -> list[Any]:
    """Samples sorted by length within windows, so that rows of a batch end at about one time."""
    window = 8 * rows
    parts = [samples[i : i + window] for i in range(0, len(samples), window)]
    return [s for part in parts for s in sorted(part, key=lambda s: len(s.answer))]


def _packed(model: Any) -> Any:
    """The model for decoding a few rows at a time: on a CPU a copy with weights laid out for it."""
    if model.device.type != "cpu":
        return model
    from rtl_agent.decoding.models.pack import pack

    copied = copy.deepcopy(model)
    pack(copied)
    return copied


def _described(model: Any, pairs: Path, config: HeadsTrainConfig) -> dict[str, str]:
    """What cached states depend on."""
    from rtl_agent.decoding.drafters.heads_model import base_sample

    relevant = replace(config, **_FREE)
    return {
        "model": hashlib.sha256(repr(base_sample(model)).encode()).hexdigest()[:16],
        "pairs": hashlib.sha256(pairs.read_bytes()).hexdigest()[:16],
        "config": json.dumps(asdict(relevant), sort_keys=True),
    }


_FREE: dict[str, Any] = {
    name: getattr(HeadsTrainConfig(), name)
    for name in (
        "heads", "layers", "form", "init", "marker", "vocabulary", "decay", "epochs", "positions",
        "learning_rate", "weight_decay", "held", "seed", "threads", "minutes",
    )
}  # fmt: skip
