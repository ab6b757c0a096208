"""Trains a LoRA adapter on prompt and answer pairs; stops and resumes at any batch."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import TrainingError

from .data import Sample, batches, load_samples, to_batch
from .loss import answer_loss
from .peers import Peers

if TYPE_CHECKING:
    from collections.abc import Callable

    from .config import TrainConfig

__all__ = ["Progress", "Trainer"]

_TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(slots=True)
class Progress:
    """Where a run stands; saved in every checkpoint."""

    step: int = 0
    epoch: int = 0
    batch: int = 0  # batches done in this epoch
    samples: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    loss: float = math.nan  # smoothed
    validation: float = math.nan


class Trainer:
    """One training run in the folder `config.out`."""

    def __init__(self, config: TrainConfig, log: Callable[[str], None]) -> None:
        import torch

        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config, self.log, self.progress = config, log, Progress()
        self.out = Path(config.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.model, self.tokenizer = _adapted(config)
        weights = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(
            weights, lr=config.learning_rate, weight_decay=config.weight_decay, betas=(0.9, 0.98)
        )
        self.peers = Peers.join()
        self.samples = load_samples(Path(config.data), self.tokenizer, config.max_tokens)
        self.held: list[Sample] = []
        if config.validation:
            path = Path(config.validation)
            self.held = load_samples(path, self.tokenizer, config.max_tokens)[:48]

    def resume(self) -> bool:
        """Go on from the last checkpoint in the folder, if there is one."""
        import torch

        path = self.out / "checkpoint.pt"
        if not path.exists():
            return False
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["adapter"], strict=False)
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
        if state["data"] != self.config.data:
            self.progress.epoch, self.progress.batch = 0, 0
        return True

    def save(self) -> None:
        """Write adapter and checkpoint; a kill in mid-write leaves the last good pair."""
        if self.peers.rank:
            return
        import torch
        from safetensors.torch import save_file

        adapter = {k: v.detach() for k, v in self.model.named_parameters() if v.requires_grad}
        progress = {name: getattr(self.progress, name) for name in Progress.__slots__}
        state = {
            "adapter": adapter,
            "optimizer": self.optimizer.state_dict(),
            "progress": progress,
            "data": self.config.data,
        }
        torch.save(state, self.out / "checkpoint.tmp")
        (self.out / "checkpoint.tmp").replace(self.out / "checkpoint.pt")
        short = {
            k.removeprefix("base_model.model.").replace(".default", ""): v
            for k, v in adapter.items()
        }
        half = {k: v.to(torch.bfloat16).contiguous() for k, v in short.items()}
        meta = {
            "rank": str(self.config.rank),
            "alpha": str(self.config.alpha),
            "samples": str(self.progress.samples),
            "base_sha256": self.config.base_sha256,
        }
        save_file(half, self.out / "adapter.tmp", metadata=meta)
        (self.out / "adapter.tmp").replace(self.out / "adapter.safetensors")
        self.config.save(self.out / "config.json")

    def _rate(self) -> float:
        c, p = self.config, self.progress
        done = max(p.samples / c.samples, p.seconds / (c.minutes * 60))
        warm = min(1.0, (p.step + 1) / c.warmup_steps)
        left = min(1.0, max(0.0, (1 - done) / c.decay_fraction))
        return c.learning_rate * warm * max(0.05, left)

    def _step(self, group: list[int]) -> None:
        import torch

        started = time.monotonic()
        for entry in self.optimizer.param_groups:
            entry["lr"] = self._rate()
        batch = to_batch([self.samples[i] for i in group], self.tokenizer.eos_token_id)
        loss, tokens = answer_loss(self.model, batch)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise TrainingError(
                f"the loss became {value} at step {self.progress.step}",
                remedy=f"the last good state is in {self.out}; resume with a lower learning rate",
            )
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        weights = [p for p in self.model.parameters() if p.requires_grad]
        self.peers.average(weights, tokens)
        torch.nn.utils.clip_grad_norm_(weights, self.config.clip_norm)
        self.optimizer.step()
        p = self.progress
        p.loss = value if math.isnan(p.loss) else 0.95 * p.loss + 0.05 * value
        p.step, p.batch = p.step + 1, p.batch + 1
        p.samples += len(group) * self.peers.world
        p.answer_tokens += tokens * self.peers.world
        # Rank 0's clock decides for all, so that every rank leaves the loop at the same step.
        p.seconds = self.peers.first(p.seconds + time.monotonic() - started)
        p.samples = int(self.peers.first(float(p.samples)))

    def validate(self) -> float:
        """Mean loss an answer token on the held-out pairs."""
        import torch

        total = count = 0.0
        with torch.no_grad():
            for start in range(0, len(self.held), 8):
                batch = to_batch(self.held[start : start + 8], self.tokenizer.eos_token_id)
                loss, tokens = answer_loss(self.model, batch)
                total, count = total + float(loss) * tokens, count + tokens
        return total / count if count else math.nan

    def run(self) -> Progress:
        """Train until the samples or minutes are used up; saves on the way and at the end."""
        saved = time.monotonic()
        self.model.train()
        try:
            while not self._finished():
                groups = list(self._epoch())
                for group in groups[self.progress.batch :]:
                    self._step(group)
                    if self.held and self.progress.step % self.config.validate_every == 0:
                        self.progress.validation = self.validate()
                    self._report()
                    if time.monotonic() - saved > self.config.save_every_s:
                        self.save()
                        saved = time.monotonic()
                    if self._finished():
                        break
                else:
                    self.progress.epoch, self.progress.batch = self.progress.epoch + 1, 0
        except TrainingError:
            raise
        except BaseException:
            self.save()
            raise
        self.save()
        return self.progress

    def _epoch(self) -> list[list[int]]:
        every = list(
            batches(
                self.samples,
                tokens_per_batch=self.config.tokens_per_batch,
                seed=self.config.seed,
                epoch=self.progress.epoch,
            )
        )
        even = len(every) - len(every) % self.peers.world
        return every[self.peers.rank : even : self.peers.world]

    def _finished(self) -> bool:
        p, c = self.progress, self.config
        return p.samples >= c.samples or p.seconds >= c.minutes * 60

    def _report(self) -> None:
        p = self.progress
        if p.step % 5 == 0 and self.peers.rank == 0:
            record = {name: getattr(p, name) for name in Progress.__slots__}
            self.log(json.dumps({k: round(v, 4) for k, v in record.items()}))


def _adapted(config: TrainConfig) -> tuple[Any, Any]:
    """The frozen base in float32 with fresh LoRA weights, and its tokenizer."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(config.base, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(config.base)
    layers = list(range(config.first_layer, model.config.num_hidden_layers))
    lora = LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=0.0,
        target_modules=list(_TARGETS),
        layers_to_transform=layers,
        task_type="CAUSAL_LM",
    )
    return get_peft_model(model, lora), tokenizer
