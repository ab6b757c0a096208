"""Read a value as people write it in a table of vectors."""

from __future__ import annotations

import re

__all__ = ["parse_value"]

_VERILOG = re.compile(r"^(?P<size>\d+)?\s*'s?(?P<base>[bodh])\s*(?P<digits>[0-9a-fxz?_]+)$")
_PREFIXED = re.compile(r"^0(?P<base>[bxo])(?P<digits>[0-9a-f_x?]+)$")
_BITS_A_DIGIT = {"b": 1, "o": 3, "h": 4, "x": 4}
_DONT_CARE = frozenset({"", "x", "-", "?", "*", "dc", "don't care", "any", "--", "n/a"})


def parse_value(text: str, width: int, radix: str = "") -> str | None:  # noqa: PLR0911
    """Turn `text` into a string of `width` characters out of `0`, `1`, `x`, `z`.

    Understood: `0x1f`, `0b101`, `8'hff`, `'d12`, decimal (also negative), a string of exactly
    `width` bits, and `x`, `-`, `?` or nothing for a don't-care, alone or as single bits. With
    `radix` `bin` or `hex`, a bare number is one. None when it is none of these or does not fit.
    """
    text = text.strip().lower().replace("_", "")
    if text in _DONT_CARE:
        return "x" * width
    if text in {"z", "hi-z", "hiz"}:
        return "z" * width
    literal = _VERILOG.match(text) or _PREFIXED.match(text)
    if literal is not None and literal["base"] != "d":
        base = "h" if literal["base"] == "x" else literal["base"]
        return _digits(literal["digits"], base, width)
    if literal is not None:
        return _decimal(literal["digits"], width)
    if radix in {"bin", "hex"}:
        return _digits(text, radix[0], width)
    if len(text) == width and set(text) <= set("01x-?z"):
        return re.sub(r"[-?]", "x", text)
    return _decimal(text, width)


def _decimal(text: str, width: int) -> str | None:
    if not re.fullmatch(r"[+-]?\d+", text):
        return None
    number = int(text)
    if not -(1 << (width - 1)) <= number < 1 << width:
        return None
    return format(number & ((1 << width) - 1), f"0{width}b")


def _digits(digits: str, base: str, width: int) -> str | None:
    """Digits of a power-of-two base as bits; superfluous high bits must be zero or don't care."""
    size = _BITS_A_DIGIT[base]
    bits = ""
    for digit in digits.replace("-", "x").replace("?", "x"):
        if digit in "xz":
            bits += digit * size
        elif digit in "0123456789abcdef" and int(digit, 16) < 1 << size:
            bits += format(int(digit, 16), f"0{size}b")
        else:
            return None
    if len(bits) < width:
        fill = bits[0] if bits[:1] in {"x", "z"} else "0"
        return bits.rjust(width, fill)
    if set(bits[: len(bits) - width]) - set("0x"):
        return None
    return bits[len(bits) - width :]
