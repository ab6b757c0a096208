"""llama.cpp as a contender of the bench, when llama-cpp-python is installed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rtl_agent.decoding.errors import ModelMissing, ModelUnusable
from rtl_agent.decoding.evaluate.runs import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rtl_agent.decoding.evaluate.cases import Case

__all__ = ["llama_runner"]


def llama_runner(gguf: Path | None, *, tokens: int) -> Callable[[Case], Run]:
    """Greedy decoding by llama.cpp on a GGUF of the same model.

    Raises:
        ModelUnusable: llama-cpp-python is not installed, or no file was named.
        ModelMissing: the file is not there.
    """
    try:
        from llama_cpp import Llama
    except ImportError as error:
        raise ModelUnusable(
            "comparing with llama.cpp needs llama-cpp-python",
            remedy="pip install llama-cpp-python",
        ) from error
    if gguf is None:
        raise ModelUnusable("no GGUF file was named", remedy="name one with --gguf")
    if not gguf.is_file():
        raise ModelMissing(f"{gguf}: no such file", remedy="name the model's GGUF file")
    model = Llama(model_path=str(gguf), n_ctx=2048, verbose=False)

    def run(case: Case) -> Run:
        started = time.perf_counter()
        first, count = 0.0, 0
        for _ in model.create_completion(
            case.prompt, max_tokens=tokens, temperature=0.0, stream=True
        ):
            first = first or time.perf_counter() - started
            count += 1
        # Its tokens are not compared: a quantised model is another model.
        return Run(time.perf_counter() - started, first, (0,) * count)

    return run
