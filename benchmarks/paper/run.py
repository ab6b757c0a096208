"""The experiment of docs/PAPER.md: same base, same data, same compute, one row a method.

Each run trains, evaluates and writes one JSON file; a run whose file is there is skipped, and a
training that was stopped goes on from its checkpoint, so the script can be stopped at any time.

    python benchmarks/paper/run.py --work paper-work --out benchmarks/results/paper
    python benchmarks/paper/run.py --work paper-work --out … --plan small.json --only 3
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compute import Sizes, equal_samples, pair_flops
from data import held_out_tasks, training_data
from evaluate import decodings, evaluate
from plan import METHODS, Plan, Run, runs_of
from rtl_agent.decoding.training.config import TrainConfig
from rtl_agent.decoding.training.prune import prune_depth
from rtl_agent.decoding.training.trainer import Trainer

if TYPE_CHECKING:
    from data import Task


def base_of(plan: Plan, work: Path) -> str:
    """The base's folder, depth-pruned when the plan says so."""
    base = plan.base
    if base == "embedded":
        from rtl_agent.decoding.models.embedded import base_folder

        base = str(base_folder())
    return (
        str(prune_depth(base, work / f"base-{plan.layers}", plan.layers)) if plan.layers else base
    )


def sizes_of(model: Any) -> Sizes:
    """Parameters that training multiplies."""
    projection = model.get_output_embeddings().weight
    embedded = sum(p.numel() for p in model.get_input_embeddings().parameters())
    tied = projection.data_ptr() == model.get_input_embeddings().weight.data_ptr()
    others = sum(p.numel() for n, p in model.named_parameters() if "lora_" not in n)
    layers = others - embedded - (0 if tied else projection.numel())
    return Sizes(layers, projection.numel(), int(projection.shape[1]) ** 2)


def train(run: Run, plan: Plan, base: str, pairs: tuple[Path, Path], work: Path) -> dict[str, Any]:
    """Train one run to its compute; what it took."""
    method = METHODS[run.method]
    heads = plan.heads if method.heads else 0
    config = TrainConfig(
        base=base,
        data=str(pairs[method.marked]),
        out=str(work / run.name),
        minutes=1e9,
        seed=run.seed,
        heads=heads,
        heads_form=method.form,
        marker=plan.marker,
        **plan.train,
    )
    trainer = Trainer(config, lambda line: print(line, file=sys.stderr, flush=True))
    own = _mean_lengths(trainer)
    plain = _mean_lengths(trainer, without=plan.marker)
    sizes = sizes_of(trainer.model.get_base_model())
    cost = pair_flops(sizes, prompt=own[0], answer=own[1], heads=heads)
    usual = pair_flops(sizes, prompt=plain[0], answer=plain[1], heads=0)
    samples = equal_samples(run.samples, usual, cost)
    trainer.config = replace(trainer.config, samples=samples)
    trainer.resume()
    progress = trainer.run()
    trainer.export(work / run.name / "model")
    return {
        "pairs_seen": progress.samples,
        "steps": progress.step,
        "train_seconds": round(progress.seconds, 1),
        "train_flops": cost * progress.samples,
        "train_loss": round(progress.loss, 4),
        "heads_loss": [round(value, 4) for value in trainer.head_losses],
    }


def _mean_lengths(trainer: Trainer, without: str = "") -> tuple[float, float]:
    """Mean tokens of prompts and answers; markers not counted when `without` names them."""
    marker = trainer.tokenizer.get_vocab().get(without, -1)
    answers = sum(sum(t != marker for t in s.answer) for s in trainer.samples)
    count = len(trainer.samples)
    return sum(len(s.prompt) for s in trainer.samples) / count, answers / count


def judge(run: Run, plan: Plan, tasks: list[Task], work: Path) -> dict[str, Any]:
    """Every way of decoding a trained run."""
    from rtl_agent.decoding.models.load import load_model

    folder = work / run.name
    model, tokenizer, _ = load_model(str(folder / "model"), dtype="float32")
    return {
        name: evaluate(model, tokenizer, tasks, plan, way, judged=name != "exact")
        for name, way in decodings(METHODS[run.method], folder / "heads.safetensors").items()
    }


def untouched(plan: Plan, base: str, tasks: list[Task]) -> dict[str, Any]:
    """Plain decoding of the base as it came."""
    from rtl_agent.decoding.models.load import load_model

    model, tokenizer, _ = load_model(base, dtype="float32")
    ways = decodings(METHODS["ntp"], None)
    return {n: evaluate(model, tokenizer, tasks, plan, w, judged=True) for n, w in ways.items()}


def main() -> None:
    """Parse arguments, do what is not done yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="data, checkpoints, models")
    parser.add_argument("--out", type=Path, required=True, help="one JSON file a run")
    parser.add_argument("--plan", type=Path, help="JSON with other sizes than the default's")
    parser.add_argument("--only", type=int, default=0, help="stop after so many runs")
    args = parser.parse_args()
    changed = json.loads(args.plan.read_text(encoding="utf-8")) if args.plan else {}
    plan = Plan(**{k: tuple(v) if isinstance(v, list) else v for k, v in changed.items()})
    args.work.mkdir(parents=True, exist_ok=True)
    args.out.mkdir(parents=True, exist_ok=True)
    base, pairs = base_of(plan, args.work), training_data(plan, args.work)
    tasks = held_out_tasks(plan)
    done = 0
    for run in [Run("base", 0, 0), *runs_of(plan)]:
        path = args.out / f"{run.name}.json"
        if path.exists():
            continue
        started = time.monotonic()
        trained = {} if run.method == "base" else train(run, plan, base, pairs, args.work)
        found = untouched(plan, base, tasks) if not trained else judge(run, plan, tasks, args.work)
        result = {
            "schema_version": 1,
            "run": {"method": run.method, "samples": run.samples, "seed": run.seed},
            "plan": plan.to_json(),
            "machine": f"{platform.machine()}, {platform.system()}, one thread",
            "seconds": round(time.monotonic() - started, 1),
            **trained,
            "decoding": found,
        }
        partial = path.with_suffix(".tmp")
        partial.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        partial.rename(path)
        print(f"{run.name}: {result['seconds']} s", flush=True)
        done += 1
        if args.only and done >= args.only:
            break


if __name__ == "__main__":
    main()
