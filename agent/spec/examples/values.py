"""Numbers as specs write them."""

from __future__ import annotations

__all__ = ["NUMBER", "bits"]

NUMBER = r"(?:\d+'[bBdDhHoO][0-9a-fA-F_]+|0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d+)(?![\w'])"
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}


def bits(text: str, width: int) -> str | None:
    """`text` as a binary string of `width` bits; None where it does not fit, or is unclear.

    A bare number of zeros and ones with as many digits as the port has bits may be binary or
    decimal: that is unclear, unless it is one digit.
    """
    text = text.replace("_", "")
    if "'" in text:
        size, digits = text.split("'")
        base = _BASES[digits[0].lower()]
        if int(size) != width:
            return None
        try:
            value = int(digits[1:], base)
        except ValueError:
            return None
    elif text[:2].lower() in {"0x", "0b"}:
        value = int(text, 0)
    elif len(text) > 1 and not set(text) - {"0", "1"}:
        return None
    else:
        value = int(text)
    return format(value, f"0{width}b") if value < 1 << width else None
