"""Parameters as lines and sentences give them: `W = 8`, "`W` (default 12)"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .findings import Findings

__all__ = ["read_parameter_line", "read_parameter_prose"]

_ID = r"`?(?P<name>[A-Za-z_][\w$]*)`?"
_VALUE = (
    r"`?(?P<value>\d*'[sS]?[bdhoBDHO][0-9a-fA-F_]+|\d[\d_]*|\"[^\"]*\"|\$clog2\([^)]*\)"
    r"|(?-i:[A-Z][A-Z0-9_]*)(?:\s?[-+*/]\s?\w+)?)`?(?!\w)"
)
_DEFAULT = (
    r"(?:which\s+|whose\s+|with\s+|that\s+)?(?:an?\s+|the\s+)?"
    r"default(?:s|ing|ed)?(?:\s+value)?(?:\s+(?:is|to|of))?\s*[:=]?\s*"
)


def _compile(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


# One element of a list of parameters, from its start.
_FORMS = (
    _compile(rf"{_ID}\s*(?:\[[^\]]*\]\s*)?=\s*{_VALUE}"),
    _compile(rf"{_ID}\s*[,(\[:–—-]+\s*(?:[^()=;.]*?[,;]\s*|[^()=;.`]*?\s)?{_DEFAULT}{_VALUE}"),
    _compile(rf"{_ID}\s*\(\s*{_VALUE}\s+by\s+default"),
    _compile(rf"{_ID}\s*,?\s*{_DEFAULT}{_VALUE}"),
    _compile(rf"{_ID}\s*[:,]?\s*[^.;()]*?\(?{_DEFAULT}{_VALUE}"),
    _compile(rf"{_ID}\s*(?:is|:|,)?\s*{_VALUE}\s+by\s+default"),
)
# Where one element of a list ends and the next begins.
_NEXT = re.compile(
    r"[,;]\s+(?=`?[A-Za-z_][\w$]*`?\s*(?:\(|=|:|defaults?\b))"
    r"|\s+and\s+(?=`)|\s+and\s+(?=[A-Z_][\w$]*\s*[(=])"
)
_PARAMETER = r"\bparameters?\s*:?\s+(?:called\s+|named\s+)?"
_BY = r"\bparameteri[sz]ed\s+(?:by|with|over|in)\s+(?:the\s+)?(?:[a-z]+\s+)*"
# Anywhere in a sentence.
_PROSE = (
    _compile(rf"{_PARAMETER}{_ID}\s*(?:=\s*|[,(]?\s*{_DEFAULT}){_VALUE}"),
    _compile(
        rf"{_ID}\s+is\s+a\s+parameter\s*(?=,|\(|with\b|that\b|which\b|whose\b|and\b)"
        rf"[^.;]*?{_DEFAULT}{_VALUE}"
    ),
    re.compile(rf"`(?P<name>[A-Z][\w$]*)`\s*[,(]\s*(?:a\s+parameter\s*,?\s*)?{_DEFAULT}{_VALUE}"),
    _compile(rf"{_BY}{_ID}\s*[,(]?\s*{_DEFAULT}{_VALUE}"),
    _compile(rf"(?:{_PARAMETER}|{_BY}|\band\s+){_ID}\s*\(\s*{_VALUE}\s+by\s+default"),
    _compile(rf"{_ID}\s*\(\s*(?:a\s+)?parameter\s*[,;]\s*{_DEFAULT}{_VALUE}"),
)
_LIST = _compile(r"\bparameters?\b\s*:?\s*(?:are\s+)?(?P<rest>[^.;]*\bdefault[^.;]*)")


def _value(text: str) -> str:
    return text.strip("`").replace(" ", "")


def read_parameter_line(text: str, module: str | None, found: Findings) -> bool:
    """Read one parameter or a list of them; False when nothing could be read."""
    body = re.sub(
        r"^\W*(?:parameters?|generics?)\b\s*:?\s*(?:(?:integer|int|natural|signed)\s+)?",
        "",
        text.strip(),
        flags=re.I,
    )
    before = len(found.parameters)
    parts = _NEXT.split(body)
    for part in parts:
        match = next((m for form in _FORMS if (m := form.match(part.strip()))), None)
        if match:
            found.add_parameter(match["name"], _value(match["value"]), module)
    return len(found.parameters) > before


def read_parameter_prose(text: str, module: str | None, found: Findings) -> None:
    """Read parameters that a sentence declares with their defaults."""
    for match in _LIST.finditer(text):
        read_parameter_line(match["rest"], module, found)
    for form in _PROSE:
        for match in form.finditer(text):
            if match["name"].lower() not in ("default", "the", "and", "with"):
                found.add_parameter(match["name"], _value(match["value"]), module)
