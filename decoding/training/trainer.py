"""Trains an adapter, or all weights, on prompt and answer pairs; stops and resumes at any batch."""

from __future__ import annotations

import math
import time
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.decoding.errors import TrainingError

from .checkpoint import read_checkpoint, restore_weights, write_file
from .data import Sample, batches, load_samples, to_batch
from .heads.labels import HeadLabeller
from .loss import answer_loss, answer_states, heads_losses
from .peers import Peers, fair_threads
from .progress import Board, Progress, done_share, told
from .subject import (
    device_of,
    export_model,
    load_subject,
    longest_of,
    make_joint_heads,
    short_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch

    from .config import TrainConfig

__all__ = ["Progress", "Trainer"]

_REPORT_EVERY = 5
_HELD = 48  # pairs whose loss is watched


class Trainer:
    """One training run in the folder `config.out`.

    Args:
        config: everything it depends on.
        log: shown one JSON object every few steps.
    """

    def __init__(self, config: TrainConfig, log: Callable[[str], None]) -> None:
        import torch

        torch.set_num_threads(config.threads or fair_threads())
        torch.manual_seed(config.seed)
        self.config, self.log, self.progress = config, log, Progress()
        self.out = Path(config.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.device = device_of(config)
        self.peers = Peers.join(self.device)
        self.model, self.tokenizer, self.base = load_subject(config)
        self.heads = make_joint_heads(self.model, config)
        self.labeller = HeadLabeller(self.tokenizer, config.heads_form, config.marker, config.heads)
        groups = [{"params": [p for p in self.model.parameters() if p.requires_grad]}]
        if self.heads is not None:
            groups.append({"params": list(self.heads.parameters()), "scale": config.heads_rate})  # type: ignore[dict-item]
        self.optimizer = torch.optim.AdamW(
            groups, lr=config.learning_rate, weight_decay=config.weight_decay, betas=(0.9, 0.98)
        )
        self.board = Board(
            self.out / "tensorboard", active=config.tensorboard and not self.peers.rank
        )
        longest = longest_of(self.model, config.max_tokens)
        say = None if self.peers.rank else log
        self.samples = load_samples(Path(config.data), self.tokenizer, longest, say)
        self.held: list[Sample] = []
        if config.validation:
            path = Path(config.validation)
            self.held = load_samples(path, self.tokenizer, longest, say)[:_HELD]
        self.head_losses: list[float] = []
        self._clean = True  # whether weights, optimizer and progress belong together

    def _weights(self) -> dict[str, torch.nn.Parameter]:
        """Everything that is trained, by name."""
        own = {k: v for k, v in self.model.named_parameters() if v.requires_grad}
        if self.heads is not None:
            own |= {f"draft_heads.{k}": v for k, v in self.heads.named_parameters()}
        return own

    def resume(self) -> bool:
        """Go on from the last checkpoint in the folder, if there is one.

        Raises:
            TrainingError: it cannot be read, or is of another base, rank or method.
        """
        path = self.out / "checkpoint.pt"
        if not path.exists():
            return False
        state = read_checkpoint(path, base=self.base)
        restore_weights(self._weights(), state["adapter"], path)
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
        if state["data"] != self.config.data:
            self.progress.epoch, self.progress.batch = 0, 0
        return True

    def save(self) -> None:
        """Write checkpoint and weights; a kill in mid-write leaves the last good pair.

        Raises:
            TrainingError: they cannot be written.
        """
        if self.peers.rank:
            return
        import torch
        from safetensors.torch import save_file

        state = {
            "adapter": {k: v.detach() for k, v in self._weights().items()},
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
            "data": self.config.data,
            "base": self.base,
            "config": asdict(self.config),
        }
        write_file(self.out / "checkpoint.pt", lambda path: torch.save(state, path))
        if self.config.method == "lora":
            half = {
                short_name(k): v.detach().to("cpu", torch.bfloat16).contiguous()
                for k, v in self.model.named_parameters()
                if v.requires_grad
            }
            meta = {
                "rank": str(self.config.rank),
                "alpha": str(self.config.alpha),
                "samples": str(self.progress.samples),
                "base_sha256": self.config.base_sha256,
            }
            write_file(
                self.out / "adapter.safetensors", lambda path: save_file(half, path, metadata=meta)
            )
        if self.heads is not None:
            from rtl_agent.decoding.drafters.heads_model import save_heads

            heads = self.heads
            write_file(self.out / "heads.safetensors", lambda path: save_heads(heads, path))
        write_file(self.out / "config.json", self.config.save)

    def export(self, folder: Path) -> None:
        """Write the trained model, adapter merged, in Hugging Face format."""
        export_model(self.model, self.tokenizer, folder)

    def _rate(self) -> float:
        config, progress = self.config, self.progress
        warm = min(1.0, (progress.step + 1) / config.warmup_steps)
        left = min(1.0, max(0.0, (1 - done_share(progress, config)) / config.decay_fraction))
        return config.learning_rate * warm * max(0.05, left)

    def _losses(self, group: Sequence[int]) -> tuple[torch.Tensor, float, list[float]]:
        """What is minimised for a micro-batch, the base's part of it, and each head's loss."""
        import torch
        from torch.nn.functional import cross_entropy

        samples = [self.samples[i] for i in group]
        batch = to_batch(samples, self.tokenizer.eos_token_id).to(self.device)
        half = self.config.precision == "bfloat16"
        kind = self.device.split(":")[0]
        with torch.autocast(kind, torch.bfloat16) if half else nullcontext():
            states, targets, project = answer_states(self.model, batch)
            base = cross_entropy(project(states).float(), targets)
            if self.heads is None:
                return base, float(base.detach()), []
            labels = self.labeller.labels([s.answer for s in samples]).to(self.device)
            each = heads_losses(self.heads, states, labels, project)
        weights = [self.config.heads_weight * self.config.heads_decay**i for i in range(len(each))]
        whole = base + (each * torch.tensor(weights, device=each.device)).sum()
        return whole, float(base.detach()), each.tolist()

    def _step(self, *groups: list[int]) -> None:
        """One optimizer step over micro-batches, each weighted by its answer tokens."""
        import torch

        started = time.monotonic()
        for entry in self.optimizer.param_groups:
            entry["lr"] = self._rate() * entry.get("scale", 1.0)
        sizes = [sum(len(self.samples[i].answer) for i in group) for group in groups]
        tokens = sum(sizes)
        value = 0.0
        self.optimizer.zero_grad(set_to_none=True)
        for group, size in zip(groups, sizes, strict=True):
            loss, base, self.head_losses = self._losses(group)
            whole = float(loss.detach())
            if not math.isfinite(whole):
                raise TrainingError(
                    f"the loss became {whole} at step {self.progress.step}",
                    remedy=f"the last good state is in {self.out}; resume with a lower "
                    "learning rate",
                )
            (loss * (size / tokens)).backward()  # type: ignore[no-untyped-call]
            value += base * (size / tokens)
        weights = list(self._weights().values())
        self.peers.average(weights, tokens)
        torch.nn.utils.clip_grad_norm_(weights, self.config.clip_norm)
        self._clean = False
        self.optimizer.step()
        p = self.progress
        p.loss = value if math.isnan(p.loss) else 0.95 * p.loss + 0.05 * value
        p.step, p.batch = p.step + 1, p.batch + len(groups)
        p.samples += sum(len(group) for group in groups) * self.peers.world
        p.answer_tokens += tokens * self.peers.world
        # Rank 0's clock decides for all, so that every rank leaves the loop at the same step.
        p.seconds = self.peers.first(p.seconds + time.monotonic() - started)
        p.samples = int(self.peers.first(float(p.samples)))
        self._clean = True

    def validate(self) -> float:
        """Mean loss an answer token on the held-out pairs."""
        import torch

        total = count = 0.0
        with torch.no_grad():
            for start in range(0, len(self.held), 8):
                batch = to_batch(self.held[start : start + 8], self.tokenizer.eos_token_id)
                loss, tokens = answer_loss(self.model, batch.to(self.device))
                total, count = total + float(loss) * tokens, count + tokens
        return total / count if count else math.nan

    def run(self) -> Progress:
        """Train until samples, steps or minutes are used up; saves on the way and at the end.

        Raises:
            TrainingError: the loss is not a number, or a checkpoint cannot be written.
        """
        self.model.train()
        if self.held and not self.progress.step:
            self.progress.before = self.progress.validation = self.validate()
        try:
            self._run_epochs()
        except TrainingError:
            raise
        except BaseException:
            if self._clean:  # else the last checkpoint is the better state
                self.save()
            raise
        if self.held:
            self.progress.validation = self.validate()
        self.save()
        return self.progress

    def _run_epochs(self) -> None:
        saved = time.monotonic()
        size = self.config.accumulate
        while not self._finished():
            groups = self._epoch()
            for start in range(self.progress.batch, len(groups), size):
                self._step(*groups[start : start + size])
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
        if not even:  # no process would ever make a step
            raise TrainingError(
                f"{len(every)} batches are too few for {self.peers.world} processes",
                remedy="start fewer processes, or give more pairs",
            )
        return every[self.peers.rank : even : self.peers.world]

    def _finished(self) -> bool:
        return done_share(self.progress, self.config) >= 1

    def _report(self) -> None:
        if self.progress.step % _REPORT_EVERY == 0 and self.peers.rank == 0:
            record = told(self.progress, self.config, self.head_losses)
            self.board.add(record)
            self.log(Board.line(record))
