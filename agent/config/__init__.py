"""Settings in layers, each value with its origin."""

from __future__ import annotations

__all__: list[str] = []
