"""Give every module of a source another name, so that variants of it can stand side by side."""

from __future__ import annotations

import re

__all__ = ["defined_modules", "renamed"]

_SKIP = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_MODULE = re.compile(r"\b(?:macro)?module\s+(?:automatic\s+|static\s+)?([A-Za-z_]\w*)")


def defined_modules(source: str) -> tuple[str, ...]:
    """Names of the modules that `source` defines (escaped names are not among them)."""
    blank = _SKIP.sub(lambda m: " " * len(m.group()), source)
    return tuple(dict.fromkeys(_MODULE.findall(blank)))


def renamed(source: str, modules: tuple[str, ...], suffix: str) -> str:
    """`source` with `suffix` after the name of each module where it is defined or used."""
    blank = _SKIP.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), source)
    places: list[int] = []
    for name in modules:
        define = re.compile(rf"\bmodule\s+(?:automatic\s+|static\s+)?{name}\b")
        use = re.compile(rf"(?<![\w.$`]){name}(?=\s+(?:#\s*\(|\w+\s*(?:\[[^\]]*\]\s*)?\(|#))")
        places += [m.end() for m in define.finditer(blank)]
        places += [
            m.end()
            for m in use.finditer(blank)
            if not re.search(r"\bmodule\s+(?:automatic\s+|static\s+)?$", blank[: m.start()][-40:])
        ]
    for at in sorted(set(places), reverse=True):
        source = source[:at] + suffix + source[at:]
    return source
