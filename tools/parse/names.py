"""Identifiers as the language writes them."""

from __future__ import annotations

import re

__all__ = ["written_name"]

_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


def written_name(name: str) -> str:
    r"""`name` as it stands in source: itself, or escaped with its final space (`\a[1] `)."""
    return name if _SIMPLE.fullmatch(name) else f"\\{name} "
