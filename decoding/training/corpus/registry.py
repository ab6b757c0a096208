"""The families by name. A family registers itself with `@family(group)`."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .design import Family

__all__ = ["all_families", "family"]

_FAMILIES: dict[str, Family] = {}


def family(name: str) -> Callable[[Family], Family]:
    """Register a family under `name`, which its designs carry in `Design.family`."""

    def register(function: Family) -> Family:
        if name in _FAMILIES:
            raise ValueError(f"two corpus families are called {name!r}")
        _FAMILIES[name] = function
        return function

    return register


def all_families() -> dict[str, Family]:
    """Every family, sorted by name; imports their modules on first use.

    Those of `families_unseen/` are among them: who trains or retrieves leaves them out by name.
    """
    from . import families, families_unseen

    for package in (families, families_unseen):
        for info in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{info.name}")
    return dict(sorted(_FAMILIES.items()))
