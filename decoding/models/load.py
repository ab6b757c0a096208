"""Opening a model by name: a local folder, a hub name, or the embedded default."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import ModelMissing, ModelUnusable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rtl_agent.decoding.api import Generator

__all__ = ["load_generator"]

_DTYPES = ("float32", "bfloat16", "float16")


def load_generator(
    name_or_path: str, *, device: str | None = None, dtype: str | None = None
) -> Generator:
    """Open a model for text generation.

    Args:
        name_or_path: a folder in Hugging Face format, a hub name, or `embedded`.
        device: `cpu`, `cuda`, `cuda:1`, …; None takes CUDA when there is one.
        dtype: `float32`, `bfloat16` or `float16`; None takes float32 on a CPU and the
            checkpoint's own on CUDA.

    Raises:
        ModelMissing: not on this machine, and the hub cannot be reached or has no such model.
        ModelUnusable: it loads but is no causal language model, or an option is wrong.
    """
    from rtl_agent.decoding.engine.loop import Engine  # noqa: PLC0415 (torch: only when used)
    from rtl_agent.decoding.engine.target import CausalTarget  # noqa: PLC0415
    from rtl_agent.decoding.models.generator import TextGenerator  # noqa: PLC0415

    if name_or_path == "embedded":
        from rtl_agent.decoding.models.embedded import load_embedded  # noqa: PLC0415

        model, tokenizer, _table = load_embedded()
    else:
        model, tokenizer = _from_files(name_or_path, device=device, dtype=dtype)
    model.eval()
    engine = Engine(CausalTarget(model))
    return TextGenerator(name_or_path, engine, tokenizer, _eos_ids(model, tokenizer))


def _from_files(name: str, *, device: str | None, dtype: str | None) -> tuple[Any, Any]:
    import torch  # noqa: PLC0415
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    if dtype is not None and dtype not in _DTYPES:
        raise ModelUnusable(
            f"dtype {dtype!r} is not known", remedy=f"use one of {', '.join(_DTYPES)}"
        )
    wanted = dtype or ("float32" if place.startswith("cpu") else "auto")
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        with _quiet_loading():
            model = AutoModelForCausalLM.from_pretrained(name, dtype=wanted)
    except (OSError, ValueError) as error:
        raise _explain(name, error) from error
    try:
        return model.to(place), tokenizer
    except (RuntimeError, AssertionError) as error:
        raise ModelUnusable(
            f"the model cannot be put on device {place!r}: {error}",
            remedy="choose another device or a smaller model",
        ) from error


@contextmanager
def _quiet_loading() -> Iterator[None]:
    """Weights load without a progress bar: progress is for the caller to show."""
    from transformers.utils import logging  # noqa: PLC0415

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _explain(name: str, error: Exception) -> ModelMissing | ModelUnusable:
    folder = Path(name)
    if folder.is_dir():
        present = (folder / "config.json").is_file()
        return ModelUnusable(
            f"{name}: cannot be loaded as a causal language model: {_first_line(error)}",
            remedy="give a folder in Hugging Face format (config.json, weights, tokenizer)"
            if not present
            else "check that the folder is complete and its architecture is a causal LM",
        )
    return ModelMissing(
        f"{name}: no such folder, and the model hub has it not or cannot be reached "
        f"({_first_line(error)})",
        remedy="download the model to a folder and give its path, or use `embedded`",
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _eos_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Every id that ends a text: those of the generation config and the tokenizer's own."""
    found: set[int] = set()
    config = getattr(model, "generation_config", None)
    for value in (getattr(config, "eos_token_id", None), tokenizer.eos_token_id):
        if isinstance(value, int):
            found.add(value)
        elif value is not None:
            found.update(int(item) for item in value)
    return frozenset(found)
