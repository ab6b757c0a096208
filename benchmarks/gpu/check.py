"""What `gpu_check.sh` runs: faithfulness, a bench, and what a step costs on a large model.

    python benchmarks/gpu/check.py --out gpu_check.json [--model FOLDER] [--device cuda]

Each part has a share of the minutes and reports how far it came. With `--device cpu --tiny` it is
the same program on sizes a CPU can do in seconds, which is how it is tested.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
import transformers
from rtl_agent.decoding.drafters.early_exit import EarlyExitDrafter
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.engine.tree import Tree, pad
from rtl_agent.decoding.evaluate.reference import generate_greedy, margin
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
)

__all__ = ["main"]

SEED = 0
EOS = 7
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SMALL: dict[str, Any] = {
    "vocab_size": 512,
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "max_position_embeddings": 1024,
    "initializer_range": 0.2,  # large: the logits of a random model are then far apart
}
SEVEN_B: dict[str, Any] = {
    "vocab_size": 32016,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "max_position_embeddings": 4096,
}


def faithful(device: str, *, count: int, new: int) -> list[dict[str, Any]]:
    """Speculative against plain greedy output in float32, batch 1 and 4, three families."""
    families = {
        "llama": lambda: LlamaForCausalLM(LlamaConfig(**SMALL)),
        "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**SMALL)),
        "mistral": lambda: MistralForCausalLM(MistralConfig(**SMALL, sliding_window=24)),
    }
    results = []
    for family, make in families.items():
        torch.manual_seed(SEED)
        model = make().eval().to(device)
        given = _prompts(count)
        eos = frozenset({EOS})
        expected = [generate_greedy(model, ids, tokens=new, eos=eos)[0] for ids in given]
        engine = Engine(
            CausalTarget(model), drafters=[LookupDrafter(), EarlyExitDrafter(model, layers=2)]
        )
        for batch in (1, 4):
            found = []
            for start in range(0, count, batch):
                rows: list[Any] = []
                requests = [Request(ids, new, eos=eos) for ids in given[start : start + batch]]
                for _ in engine.run(requests, rows=rows):
                    pass
                found += [list(row.new_tokens) for row in rows]
            pairs = list(zip(given, expected, found, strict=True))
            margins = [_margin(model, *pair) for pair in pairs if pair[1] != pair[2]]
            results.append(
                {"family": family, "batch": batch, "prompts": count, "divergences": len(margins)}
                | {"margins": margins}
            )
    return results


def step_cost(sizes: dict[str, Any], device: str, dtype: torch.dtype) -> dict[str, Any]:
    """Milliseconds of a forward of a random model against the nodes of the draft tree."""
    torch.manual_seed(SEED)
    torch.set_default_dtype(dtype)
    try:
        with torch.device(device):
            model = LlamaForCausalLM(LlamaConfig(**sizes)).eval()
    finally:
        torch.set_default_dtype(torch.float32)
    target = CausalTarget(model)
    past = min(512, sizes["max_position_embeddings"] // 2)
    cache = target.new_cache(1, past + SIZES[-1])
    target.prefill(cache, 0, [index % 100 for index in range(past)])
    milliseconds = {}
    for nodes in SIZES:
        tree = Tree.rooted(0)
        for _ in range(nodes - 1):
            tree.add(max(0, len(tree) - 2), len(tree), "")
        batch = pad([tree])
        taken = []
        for _ in range(12):
            _wait(device)
            started = time.perf_counter()
            target.forward(cache, batch, [nodes])
            _wait(device)
            taken.append(1000.0 * (time.perf_counter() - started))
        milliseconds[str(nodes)] = statistics.median(taken[2:])
    return {
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "dtype": str(dtype).removeprefix("torch."),
        "past": past,
        "ms_by_nodes": milliseconds,
    }


def on_model(folder: str, device: str, seconds: float) -> dict[str, Any]:
    """`verify` in float32 and in the checkpoint's dtype, then `bench`, on the model given."""
    from rtl_agent.decoding.evaluate.bench import bench, contenders
    from rtl_agent.decoding.evaluate.cases import load_cases, many_lengths
    from rtl_agent.decoding.evaluate.verify import Subject, verify
    from rtl_agent.decoding.models.load import load_model
    from rtl_agent.decoding.models.options import Speculation

    options = Speculation(drafters=("lookup", "corpus"))
    cases = load_cases()
    reports: dict[str, Any] = {}
    for dtype in ("float32", None):
        subject = Subject(folder, *load_model(folder, device=device, dtype=dtype))
        report = verify(
            subject, many_lengths(cases, 40), options, tokens=48, seconds=0.25 * seconds
        )
        reports[f"verify_{report.dtype}"] = report.as_dict()
    measured = bench(
        subject, cases, contenders(options, each=False), tokens=192, seconds=0.5 * seconds
    )
    return {**reports, "bench": asdict(measured)}


def main(argv: list[str] | None = None) -> None:
    """Run all parts and write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", default="", help="a folder in Hugging Face format")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--minutes", type=float, default=7.0)
    parser.add_argument("--tiny", action="store_true", help="sizes for a CPU")
    given = parser.parse_args(argv)
    began = time.monotonic()
    cuda = given.device.startswith("cuda")
    result: dict[str, Any] = {
        "schema_version": 1,
        "machine": torch.cuda.get_device_name() if cuda else "CPU",
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "seed": SEED,
    }
    result["faithful"] = faithful(given.device, count=4 if given.tiny else 40, new=24)
    _write(given.out, result, began)  # each part is kept, whatever the next one does
    shape = {**SEVEN_B, **(SMALL if given.tiny else {})}
    dtype = torch.float32 if given.tiny else torch.bfloat16
    result["step_cost"] = step_cost(shape, given.device, dtype)
    _write(given.out, result, began)
    if given.model:
        left = 60.0 * given.minutes - (time.monotonic() - began)
        result["model"] = on_model(given.model, given.device, left)
        _write(given.out, result, began)
    print(f"{given.out}: {sum(part['divergences'] for part in result['faithful'])} divergences")


def _prompts(count: int) -> list[tuple[int, ...]]:
    """Random prompts of mixed length, every other one repeating itself."""
    draw = torch.Generator().manual_seed(SEED)
    made = []
    for index in range(count):
        length = int(torch.randint(3, 120, (1,), generator=draw))
        ids = torch.randint(8, SMALL["vocab_size"], (length,), generator=draw).tolist()
        made.append(tuple((ids[: max(2, length // 3)] * 4)[:length] if index % 2 else ids))
    return made


def _margin(model: Any, ids: tuple[int, ...], expected: list[int], found: list[int]) -> float:
    """How much the model prefers the expected token where the two part, in logits."""
    for place, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            return margin(model, ids, expected[:place], one, other)
    return 0.0


def _wait(device: str) -> None:
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def _write(out: Path, result: dict[str, Any], began: float) -> None:
    out.write_text(
        json.dumps(result | {"seconds": round(time.monotonic() - began, 1)}, indent=1) + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
