"""Opening a model by name: a local folder, a hub name, or the embedded default."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import ModelMissing, ModelUnusable
from rtl_agent.decoding.models.options import Speculation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rtl_agent.decoding.models.generator import TextGenerator

__all__ = [
    "TABLE_NAME",
    "load_generator",
    "load_model",
    "load_tokenizer",
    "quiet_loading",
    "with_own_heads",
]

_DEFAULT = Speculation()
_DTYPES = ("float32", "bfloat16", "float16")
_HUB_TIMEOUT_S = 5.0
TABLE_NAME = "corpus.bin"  # an n-gram table beside a model's files


def load_generator(
    name_or_path: str,
    *,
    device: str | None = None,
    dtype: str | None = None,
    speculation: Speculation = _DEFAULT,
) -> TextGenerator:
    """Open a model for text generation.

    By default speculation is exact: the output is what plain decoding gives. Drafts come from the
    prompt, the hints and the output, and from an n-gram table: the one the options name, else
    the one that ships with the embedded model, else `corpus.bin` in the model's folder; for the
    embedded model also from the heads that ship with it.

    Args:
        name_or_path: a folder in Hugging Face format, a hub name, or `embedded`.
        device: `cpu`, `cuda`, `cuda:1`, …; None takes CUDA when there is one.
        dtype: `float32`, `bfloat16` or `float16`; None takes float32 on a CPU and the
            checkpoint's own on CUDA.
        speculation: drafters, verifier, grammar.

    Raises:
        ModelMissing: not on this machine, and the hub cannot be reached or has no such model.
        ModelUnusable: it loads but is no causal language model, or an option is wrong.
        HeadsMismatch: table, heads or draft model were made for another model.
    """
    import torch
    from rtl_agent.decoding.engine.threads import ThreadGuard
    from rtl_agent.decoding.models.assemble import assemble
    from rtl_agent.decoding.models.pack import pack

    model, tokenizer, found = load_model(name_or_path, device=device, dtype=dtype)
    speculation = with_own_heads(name_or_path, speculation)
    generator = assemble(name_or_path, model, tokenizer, speculation, table=found)
    if speculation.drafters:
        pack(model)
        if model.device.type == "cpu":
            generator.engine.threads = ThreadGuard(torch.get_num_threads(), torch.set_num_threads)
    return generator


def with_own_heads(name: str, speculation: Speculation) -> Speculation:
    """Add the draft heads that ship with the embedded model to its default drafters."""
    if name != "embedded" or speculation.drafters != _DEFAULT.drafters:
        return speculation
    from rtl_agent.decoding.models.embedded import fitting_heads

    heads = fitting_heads()
    if heads is None:
        return speculation
    return replace(speculation, drafters=(*speculation.drafters, "heads"), heads=heads)


def load_tokenizer(name_or_path: str) -> Any:
    """The tokenizer of a model; see `load_generator`."""
    if name_or_path == "embedded":
        from rtl_agent.decoding.models.embedded import base_folder

        folder = base_folder()
    else:
        folder = _folder_of(name_or_path)
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(folder)
    except (OSError, ValueError, KeyError) as error:
        raise ModelUnusable(
            f"{name_or_path}: no tokenizer can be loaded: {_first_line(error)}",
            remedy="check that the folder holds the tokenizer's files",
        ) from error


def load_model(
    name_or_path: str, *, device: str | None = None, dtype: str | None = None
) -> tuple[Any, Any, Path | None]:
    """The model, its tokenizer and its n-gram table; see `load_generator`."""
    import torch

    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    if dtype is not None and dtype not in _DTYPES:
        raise ModelUnusable(
            f"dtype {dtype!r} is not known", remedy=f"use one of {', '.join(_DTYPES)}"
        )
    if name_or_path == "embedded":
        from rtl_agent.decoding.models.embedded import load_embedded

        model, tokenizer, table = load_embedded()
        if dtype is not None:
            model = model.to(getattr(torch, dtype))
    else:
        folder = _folder_of(name_or_path)
        # The CPU default is float32: in bfloat16 many CPUs are a hundred times slower.
        wanted = dtype or ("float32" if place.startswith("cpu") else "auto")
        model, tokenizer = _read(folder, name_or_path, wanted)
        beside = folder / TABLE_NAME
        table = beside if beside.is_file() else None
    try:
        return model.to(place).eval(), tokenizer, table
    except (RuntimeError, AssertionError) as error:
        raise ModelUnusable(
            f"the model cannot be put on device {place!r}: {_first_line(error)}",
            remedy="choose another device or a smaller model",
        ) from error


def _folder_of(name: str) -> Path:
    """The local folder of a model; a hub model not here yet is fetched."""
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import (
        HFValidationError,
        LocalEntryNotFoundError,
    )

    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    remedy = "download the model to a folder and give its path, or use `embedded`"
    if folder.is_absolute() or name.startswith((".", "~")):
        raise ModelMissing(f"{name}: no such folder", remedy=remedy)
    try:
        return Path(snapshot_download(name, local_files_only=True))
    except HFValidationError as error:
        raise ModelMissing(f"{name}: no such folder and no hub name", remedy=remedy) from error
    except LocalEntryNotFoundError:
        pass
    try:
        HfApi().model_info(name, timeout=_HUB_TIMEOUT_S)
        return Path(snapshot_download(name))
    except Exception as error:
        raise ModelMissing(
            f"{name}: not on this machine, and the model hub has it not or cannot be reached "
            f"({_first_line(error)})",
            remedy=remedy,
        ) from error


def _read(folder: Path, name: str, dtype: str) -> tuple[Any, Any]:
    from transformers import (
        AutoConfig,
        AutoModelForCausalLM,
        AutoModelForSeq2SeqLM,
        AutoTokenizer,
    )

    if not (folder / "config.json").is_file():
        raise ModelUnusable(
            f"{name}: the folder holds no model (there is no config.json)",
            remedy="give a folder in Hugging Face format: config.json, weights, tokenizer",
        )
    try:
        config = AutoConfig.from_pretrained(folder)
        kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
        tokenizer = AutoTokenizer.from_pretrained(folder)
        with quiet_loading():
            model = kind.from_pretrained(folder, dtype=dtype)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelUnusable(
            f"{name}: cannot be loaded as a language model: {_first_line(error)}",
            remedy="check that the folder is complete and its architecture is a language model",
        ) from error
    return model, tokenizer


@contextmanager
def quiet_loading() -> Iterator[None]:
    """Weights load and save without a progress bar: progress is for the caller to show."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
