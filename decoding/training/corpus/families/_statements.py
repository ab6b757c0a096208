"""Conditional statements and expressions from lists of (condition, consequence)."""

from __future__ import annotations

from ..build import indent

__all__ = ["Arm", "chain", "ternary"]

# A condition (None: always, "": the control is absent and the arm is dropped) and what follows.
Arm = tuple[str | None, str]


def chain(*arms: Arm) -> str:
    """An if-chain over `(condition, statements)`; None is the final else, "" drops the arm."""
    kept = [arm for arm in arms if arm[0] != ""]
    if kept and kept[0][0] is None:
        return kept[0][1]
    blocky = any("\n" in text for _, text in kept)
    out = ""
    for number, (condition, text) in enumerate(kept):
        word = f"if ({condition})" if condition is not None else ""
        if blocky:
            lead = f"{word} begin" if number == 0 else f" else {word} begin".replace("  ", " ")
            out += f"{lead}\n{indent(text)}\nend"
        else:
            lead = word if number == 0 else f"\nelse {word}".rstrip()
            out += f"{lead}\n{indent(text)}"
    return out


def ternary(hold: str, *arms: Arm) -> str:
    """The arms as one conditional expression that ends in `hold`."""
    parts: list[str] = []
    for condition, expression in arms:
        if condition is None:
            parts.append(expression)
            break
        parts.append(f"{_grouped(condition)} ? {_grouped(expression)}")
    else:
        parts.append(hold)
    return " : ".join(parts) if len(parts) < 4 else " :\n    ".join(parts)


def _grouped(text: str) -> str:
    atomic = " " not in text or (text.startswith(("{", "(")) and text.endswith(("}", ")")))
    return text if atomic else f"({text})"
