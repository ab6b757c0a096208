"""Numbers in expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyslang import syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .source import Source
    from .types import Edit

__all__ = ["OPERATORS", "Number", "edits", "number_of"]

OPERATORS = {
    "off-by-one": "a number in an expression is one more or one less",
    "constant-bit": "one digit of a binary pattern is flipped",
    "constant-extreme": "a number becomes zero or all ones",
    "constant-width": "the size of a sized number is one bit more or less",
    "parameter-value": "the value of a parameter is one more or one less",
}

_KIND = syntax.SyntaxKind
_NUMBERS = (_KIND.IntegerLiteralExpression, _KIND.IntegerVectorExpression)
_BASES = {"b": (2, "b"), "o": (8, "o"), "d": (10, "d"), "h": (16, "x")}
_MOST_BITS = 64
_MOST_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: its value, its size in bits (None if unsized) and its base."""

    value: int
    size: int | None
    base: str
    signed: bool = False
    digits: int = 0

    def written(self, value: int) -> str:
        """Another value in the same form."""
        if self.base == "":
            return str(value)
        form = {"b": "b", "o": "o", "d": "d", "h": "X"}[self.base]
        text = format(value, form)
        if self.base != "d":
            text = text.zfill(self.digits)
        size = "" if self.size is None else str(self.size)
        return f"{size}'{'s' if self.signed else ''}{self.base}{text}"


def number_of(node: Any) -> Number | None:
    """The number of a literal; None for one with `x`, `z` or `?` digits."""
    if node.kind == _KIND.IntegerLiteralExpression:
        digits = node.literal.rawText.replace("_", "")
        return Number(int(digits), None, "") if digits.isdigit() else None
    if node.kind != _KIND.IntegerVectorExpression:
        return None
    letters = node.base.rawText.lstrip("'").lower()
    base = letters[-1]
    digits = node.value.rawText.replace("_", "")
    size_text = node.size.rawText.replace("_", "")
    try:
        value = int(digits, _BASES[base][0])
        size = int(size_text) if size_text else None
    except (ValueError, KeyError):
        return None
    return Number(value, size, base, letters.startswith("s"), len(digits))


def edits(source: Source) -> Iterator[Edit]:
    """Edits of numbers, outside declared ranges and selects."""
    for node in source.of(*_NUMBERS):
        role = _role(node)
        if role == "range":
            continue
        number = number_of(node)
        if number is not None:
            yield from _near(source, node, number, role)
            if role == "value":
                yield from _sizes(source, node, number)
        if role == "value" and node.kind == _KIND.IntegerVectorExpression:
            yield from _bits(source, node)


def _role(node: Any) -> str:
    """`range` in declared ranges, selects and counts; `parameter` for a parameter; else `value`."""
    current = node.parent
    below = node
    while current is not None:
        if current.kind in {
            _KIND.VariableDimension,
            _KIND.SimpleRangeSelect,
            _KIND.AscendingRangeSelect,
            _KIND.DescendingRangeSelect,
            _KIND.BitSelect,
            _KIND.OneStepDelay,
            _KIND.DelayControl,
        }:
            return "range"
        if current.kind == _KIND.MultipleConcatenationExpression and below == current.expression:
            return "range"
        if current.kind == _KIND.ParameterDeclaration:
            return "parameter"
        below, current = current, current.parent
    return "value"


def _near(source: Source, node: Any, number: Number, role: str) -> Iterator[Edit]:
    text = source.of_text(node)
    top = (1 << min(number.size, _MOST_BITS)) - 1 if number.size is not None else None
    name = "parameter-value" if role == "parameter" else "off-by-one"
    seen = {number.value}
    wanted = [(name, number.value + 1), (name, number.value - 1)]
    if role == "value":
        wanted += [("constant-extreme", 0)]
        wanted += [("constant-extreme", top)] if top is not None else []
    for operator, value in wanted:
        if value < 0 or (top is not None and value > top) or value in seen:
            continue
        seen.add(value)
        new = number.written(value)
        yield source.edit(operator, node, new, f"`{text}` becomes `{new}`")


def _sizes(source: Source, node: Any, number: Number) -> Iterator[Edit]:
    if number.size is None:
        return
    text = source.of_text(node)
    for size in (number.size - 1, number.size + 1):
        if size < 1 or number.value >> size:
            continue
        new = str(size) + text[text.index("'") :]
        yield source.edit("constant-width", node, new, f"`{text}` becomes `{new}`")


def _bits(source: Source, node: Any) -> Iterator[Edit]:
    """One digit of a binary pattern flipped; a `?` becomes 0 or 1."""
    digits = node.value.rawText
    if not node.base.rawText.lower().endswith("b") or len(digits) > _MOST_DIGITS:
        return
    text = source.of_text(node)
    head = text[: len(text) - len(digits)]
    if len(digits.replace("_", "")) < 2:
        return
    for place, digit in enumerate(digits):
        for other in {"0": "1", "1": "0", "?": "01", "z": "01"}.get(digit.lower(), ""):
            new = head + digits[:place] + other + digits[place + 1 :]
            yield source.edit("constant-bit", node, new, f"`{text}` becomes `{new}`")
