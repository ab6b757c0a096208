"""Go on training the shipped adapter for some minutes on a GPU; run by `gpu_train.sh`.

Writes `adapter.safetensors` (16 MB) and `gpu_train.json` to --out; the checkpoint with the
optimizer's state stays in --work, for another call on the same machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from pathlib import Path

from rtl_agent.decoding.training.config import TrainConfig
from rtl_agent.decoding.training.trainer import Trainer

__all__ = ["main"]


def main(argv: list[str] | None = None) -> None:
    """Parse arguments, train, write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", required=True, help="folder of the base model")
    parser.add_argument("--base-sha256", default="", help="of the base's file, for the adapter")
    parser.add_argument("--pairs", required=True, help="JSONL of training pairs")
    parser.add_argument("--validation", default="", help="JSONL of held-out pairs")
    parser.add_argument("--init", default="", help="adapter to start from")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--precision", default="bfloat16")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=NUMBER")
    args = parser.parse_args(argv)
    more = {key: json.loads(value) for key, _, value in (p.partition("=") for p in args.set)}
    config = TrainConfig(
        base=args.base,
        base_sha256=args.base_sha256,
        data=args.pairs,
        validation=args.validation,
        init=args.init,
        out=str(args.work),
        minutes=args.minutes,
        device=args.device,
        precision=args.precision,
        **({"tokens_per_batch": 32_000, "learning_rate": 1e-3, "samples": 10_000_000} | more),
    )
    started = time.monotonic()
    trainer = Trainer(config, lambda line: print(line, file=sys.stderr, flush=True))
    resumed = trainer.resume()
    loaded = time.monotonic() - started
    progress = trainer.run()
    args.out.mkdir(parents=True, exist_ok=True)
    shutil.copy(args.work / "adapter.safetensors", args.out)
    result = {
        "schema_version": 1,
        "resumed": resumed,
        "load_s": round(loaded, 1),
        "train_s": round(progress.seconds, 1),
        "pairs": progress.samples,
        "steps": progress.step,
        "pairs_s": round(progress.samples / max(progress.seconds, 1e-9), 1),
        "loss": round(progress.loss, 4),
        "held_out_before": round(progress.before, 4) if args.validation else None,
        "held_out_after": round(progress.validation, 4) if args.validation else None,
    }
    (args.out / "gpu_train.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
