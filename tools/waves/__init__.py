"""Waves: recordings as data, the cycles around a mismatch, and how to show them."""

from __future__ import annotations

from .reader import Change, WaveFile, WaveSignal, open_waves
from .table import format_value, render_table
from .wavedrom import to_wavedrom
from .window import Trace, Window, first_mismatch_window, recorded_window

__all__ = [
    "Change",
    "Trace",
    "WaveFile",
    "WaveSignal",
    "Window",
    "first_mismatch_window",
    "format_value",
    "open_waves",
    "recorded_window",
    "render_table",
    "to_wavedrom",
]
