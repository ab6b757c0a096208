"""Checkpoints: written whole or not at all, and read back only into the run they fit."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import TrainingError

# What unpickling makes of a file that is none, or is cut short.
_UNREADABLE = (
    OSError,
    RuntimeError,
    EOFError,
    pickle.UnpicklingError,
    AttributeError,
    KeyError,
    ValueError,
    TypeError,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["read_checkpoint", "restore_weights", "write_file"]


def write_file(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a file beside `path`, then put it in its place.

    Raises:
        TrainingError: it cannot be written (the disk is full, say); what was there stays.
    """
    partial = path.with_name(path.stem + ".tmp")
    try:
        write(partial)
        partial.replace(path)
    except (OSError, RuntimeError) as error:  # torch reports a full disk as a RuntimeError
        partial.unlink(missing_ok=True)
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        kept = "; the one before it stands" if path.exists() else ""
        raise TrainingError(
            f"{path}: cannot be written: {first}{kept}",
            remedy="free space on the disk and give the same command: it goes on from there",
        ) from error


def read_checkpoint(path: Path, *, base: str) -> dict[str, Any]:
    """The checkpoint in `path`.

    Args:
        path: the file.
        base: fingerprint of the base in use.

    Raises:
        TrainingError: it cannot be read, or is of a run on another base.
    """
    import torch

    try:
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
        known = state.get("base", base)
    except _UNREADABLE as error:
        raise TrainingError(
            f"{path}: no checkpoint can be read from it", remedy="remove it or use another --out"
        ) from error
    if known != base:
        raise TrainingError(
            f"{path}: a checkpoint of another base ({known[:12]}, this one is {base[:12]})",
            remedy="use the base it was begun with, or another --out",
        )
    return state


def restore_weights(own: dict[str, Any], stored: dict[str, Any], path: Path) -> None:
    """Copy the trained weights of a checkpoint over those of the run, in place.

    Raises:
        TrainingError: they are not the same weights: another base, rank or method.
    """
    import torch

    fits = own.keys() == stored.keys() and all(own[k].shape == stored[k].shape for k in own)
    if not fits:
        raise TrainingError(
            f"{path}: a checkpoint of another base, rank or method",
            remedy="use the settings it was begun with (config.json beside it), or another --out",
        )
    with torch.no_grad():
        for name, weight in own.items():
            weight.copy_(stored[name])
