"""Keeping the peak of memory low while a model is opened."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["returned_early"]

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of malloc.h
_SMALL, _USUAL = 1 << 20, 32 << 20  # bytes; the second is the highest the library goes by itself


@contextmanager
def returned_early() -> Iterator[None]:
    """Within it, freed weights go back to the system at once.

    The C library keeps freed blocks of up to 32 MiB for later, which is right while decoding; while
    weights are copied into another form it adds a quarter of the model to the peak. Where there is
    no such setting (only glibc has it) nothing happens.
    """
    change = getattr(ctypes.CDLL(None), "mallopt", None)
    if change is None:
        yield
        return
    change(_MMAP_THRESHOLD, _SMALL)
    try:
        yield
    finally:
        change(_MMAP_THRESHOLD, _USUAL)
