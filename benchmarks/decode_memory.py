"""Peak memory of decoding with a local model, against its weights and its cache.

    python benchmarks/decode_memory.py [MODEL] [OUT.json]

Prints one JSON: the peak resident memory of a process that loads the model and decodes three
prompts, what of it the interpreter with torch and transformers takes before any model is there,
the bytes of the weights and of the cache, and what is left beside those. Linux only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

__all__ = ["main"]

_PAGE_KB = 1024
_MB = 1_000_000


def _peak_mb() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _PAGE_KB / _MB


def main(model: str = "embedded", out: str = "") -> None:
    """Measure in this process, which should be a fresh one."""
    import torch
    import transformers  # noqa: F401
    from rtl_agent.decoding.api import SamplingParams
    from rtl_agent.decoding.evaluate.cases import load_cases
    from rtl_agent.decoding.models.load import load_generator
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: F401

    libraries = _peak_mb()
    generator = load_generator(model)
    loaded = _peak_mb()
    for case in load_cases()[:3]:
        generator.generate(case.prompt, params=SamplingParams(max_new_tokens=128), hints=case.hints)
    target = generator.engine.target
    config = target.model.config
    heads = getattr(config, "num_key_value_heads", config.num_attention_heads)
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    rows, capacity = generator.engine.cache_shape
    item = torch.finfo(target.dtype).bits // 8
    cache = 2 * target.layers * rows * capacity * heads * width * item / _MB
    weights = target.weight_bytes / _MB
    result = {
        "schema_version": 1,
        "model": model,
        "peak_mb": round(_peak_mb(), 1),
        "libraries_mb": round(libraries, 1),
        "after_load_mb": round(loaded, 1),
        "weights_mb": round(weights, 1),
        "cache_mb": round(cache, 1),
        "beside_weights_cache_libraries_mb": round(_peak_mb() - libraries - weights - cache, 1),
    }
    text = json.dumps(result, indent=1)
    print(text)
    if out:
        Path(out).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
