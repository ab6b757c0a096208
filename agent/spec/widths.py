"""Widths as people write them: `[7:0]`, `7 downto 0`, `8-bit`, `W bits`, `4 x 8-bit`."""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NUMBER_WORDS", "from_count", "from_range", "parse_width"]

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMBER_WORDS = {word: value for value, word in enumerate(_ONES.split())} | {
    "single": 1,
    "thirty-two": 32,
    "thirtytwo": 32,
    "sixty-four": 64,
    "twenty-four": 24,
}

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
}
_MAX_LITERAL = 1 << 20


def _value(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value if abs(node.value) <= _MAX_LITERAL else None
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left), _value(node.right)
        if left is None or right is None or (right == 0 and isinstance(node.op, ast.Div)):
            return None
        return _OPERATORS[type(node.op)](left, right)
    return None


def constant(text: str) -> int | None:
    """The value of an arithmetic expression over plain numbers; None for anything else."""
    if not re.fullmatch(r"[\d\s()+*/-]+", text) or len(text) > 40:
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return None
    return _value(tree.body)


def _tight(text: str) -> str:
    return re.sub(r"\s+", "", text.replace("`", ""))


def from_range(msb: str, lsb: str) -> int | str:
    """A width from its two bounds.

    Plain numbers down to 0 give a number of bits; anything else keeps the range as written
    (without blanks), because its indices or parameters matter.
    """
    high, low = constant(msb), constant(lsb)
    if low == 0 and high is not None and high >= 0:
        return high + 1
    return f"[{_tight(msb)}:{_tight(lsb)}]"


def from_count(text: str) -> int | str | None:
    """A width from a number of bits: `8`, `eight`, `W`, `2*W`, `W+1`, `$clog2(DEPTH)`."""
    quoted = text.strip().startswith("`")
    text = text.strip().strip("`").strip()
    if re.fullmatch(r"[a-z]{2,}", text) and not quoted and text not in NUMBER_WORDS:
        return None  # a plain word, not a parameter
    if text.lower() in NUMBER_WORDS:
        return NUMBER_WORDS[text.lower()]
    value = constant(text)
    if value is not None:
        return value
    tight = _tight(text)
    if not re.fullmatch(r"[A-Za-z_$\d(][\w$()+*/-]*", tight) or not re.search(r"[A-Za-z_]", tight):
        return None
    if match := re.fullmatch(r"(\d+)([A-Za-z_]\w*)", tight):
        tight = f"{match[1]}*{match[2]}"
    if tight.startswith("(") and tight.endswith(")") and tight.count("(") == 1:
        tight = tight[1:-1]
    if match := re.fullmatch(r"(.+)\+1", tight):
        return f"[{match[1]}:0]"
    return f"[{tight}-1:0]"


_SEPARATOR = r"\s*(?::|\.\.|\bdownto\b|\bto\b)\s*"
_BITS = r"[\s-]*bits?(?:[\s-]+wide)?"


def parse_width(text: str) -> int | str | None:
    """Read `text`, all of it, as a width; None when it is none.

    Example:
        >>> parse_width("3 downto 0"), parse_width("[W-1:0]"), parse_width("4 x 8-bit")
        (4, '[W-1:0]', 32)
    """
    quoted = text.strip().startswith("`")
    text = text.strip().replace("`", "").strip()
    if match := re.fullmatch(r"[\[<(](.+)[\])>]", text):
        inner = match[1]
        if re.search(_SEPARATOR, inner) or text[0] != "[":
            text = inner
        else:
            return None
    if match := re.fullmatch(rf"(.+?){_SEPARATOR}([^:]+)", text):
        if all(re.fullmatch(r"[\w\s$()+*/-]+", part) for part in match.groups()):
            return from_range(match[1], match[2])
        return None
    if match := re.fullmatch(rf"(\w+)\s*[x×*]\s*(\w+?)(?:{_BITS})?", text):
        counts = [from_count(part) for part in match.groups()]
        if all(isinstance(count, int) for count in counts):
            return int(counts[0] or 0) * int(counts[1] or 0)
    text = re.sub(rf"(?<=[\w)]){_BITS}$", "", text, flags=re.IGNORECASE)
    text = re.sub(r"^width(?:\s+of|\s*[=:]|\s+is)?\s+", "", text, flags=re.IGNORECASE)
    if re.search(r"\s[A-Za-z]", text) or not text:
        return None
    return from_count(f"`{text}`" if quoted else text)
