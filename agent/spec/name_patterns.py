"""The ways in which a sentence names a module, as patterns ranked by how sure they are."""

from __future__ import annotations

import re

__all__ = [
    "CALLED",
    "MAKE_A_BARE",
    "MAKE_BARE",
    "MODULE_BARE",
    "NAMED",
    "SUBJECT",
    "SUBJECT_BARE",
]

_QUOTED = r"`(?P<name>[A-Za-z_][\w$]*)`"
_ID = r"`?(?P<name>\\[^\s`]+|[A-Za-z_][\w$]*)`?(?![\w$-])"
_KIND = r"(?:module|entity|component|block|design|unit|core|circuit)"
_MODULE_NOUN = rf"(?:top[- ]?level\s+)?(?:verilog\s+|rtl\s+)?{_KIND}"
_WHOSE_NAME = r"(?:module|entity|top|design|block)"
_MAKE = (
    r"(?:design|implement|write|create|build|make|develop|code|complete|describe|provide|"
    r"produce|generate|model|need|want|give me)"
)
_MAKE_A = rf"\b{_MAKE}\s+(?:me\s+)?(?:an?\s|the\s)"
_BE = r"(?:is|should be|must be|shall be|to be|will be)"
_AFTER_MODULE = r"has|is|takes|with|should|must|shall|implements"
# What stands before "called x" when x is a signal and not the module.
_SIGNAL = r"input|output|port|signal|bus|clock|reset|enable|strobe|flag|pin"
_WITH = r"with|inputs?|outputs?|ports?|signals?|bus|clock|reset|whose|that|which"
_RELATION = r"with|that|which|whose|where|having|has|using|on|of|for|from"


def _compile(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


# Rank (1 is surest) and pattern; each pattern sees one sentence or line.
NAMED: tuple[tuple[int, re.Pattern[str]], ...] = (
    # "Module name: x", "**Module**: `x`"
    (
        1,
        _compile(
            r"^\s*(?:top[- ]?level\s+|top\s+)?(?:module|entity|component|design|block)(?:'s)?",
            rf"(?:\s+name)?\s*[:=]\s*{_ID}\s*(?:[.;,(—–-].*)?$",
        ),
    ),
    # "Name: x", "Top: x"
    (1, _compile(rf"^\s*(?:name|top|dut)\s*[:=]\s*{_ID}\s*[.;,]?\s*(?:\(.*\))?$")),
    # "the module name is x", "module name x"
    (1, _compile(rf"\b{_WHOSE_NAME}(?:'s)?\s+name\b\s*(?:{_BE}\s|:|=)?\s*{_ID}")),
    # "the name of the module is x"
    (1, _compile(rf"\bname\s+of\s+the\s+(?:top\s+)?{_WHOSE_NAME}\s+(?:{_BE}\s|:)\s*{_ID}")),
    # "call it x", "name the module x"
    (1, _compile(rf"\b(?:call|name)\s+(?:it|(?:the\s+|this\s+|your\s+)?{_MODULE_NOUN})\s+{_ID}")),
    # "a module called x", "the block is to be named x"
    (
        1,
        _compile(
            rf"\b{_MODULE_NOUN}(?:\s+{_BE})?(?:\s+(?:just|simply))?,?",
            rf"\s+(?:called|named)\s*:?\s+{_ID}",
        ),
    ),
    # "The unit x has …"
    (
        2,
        _compile(
            rf"^\s*the\s+{_KIND}\s+{_ID}(?=\s+(?:{_AFTER_MODULE})\b)",
        ),
    ),
    # "The module is `x`"
    (2, _compile(rf"\b{_MODULE_NOUN}\s+is\s+{_QUOTED}\s*(?=[.;,)]|$)")),
    # "module `x`", "the `x` module"
    (2, _compile(rf"\bmodule\s+{_QUOTED}")),
    (2, _compile(rf"{_QUOTED}\s+(?:module|entity|component)\b")),
    # "the top is x", "`x` (the top)"
    (2, _compile(rf"\btop(?:[- ]level)?(?:\s+module)?\s+(?:is|called|named|module)\s+{_ID}")),
    (2, _compile(rf"{_QUOTED}\s*\((?:the\s+|this is the\s+)?top[^)]*\)")),
    # "Module x; clock is …", "The module x takes …"
    (
        2,
        _compile(
            rf"^\s*(?:the\s+)?(?:top\s+)?module\s+{_ID}",
            rf"(?=\s*(?:[;,.:(]|—|–|\b(?:{_AFTER_MODULE})\b|$))",
        ),
    ),
    # "…, to be delivered as module x.", "(module x)"
    (2, _compile(rf"(?:\bas|[;,(—–])\s*(?:the\s+)?module\s+{_ID}\s*(?=[.;,)]|$)")),
    # "Build a timer of 8 bits named x", where nothing before says that x is a signal
    (
        3,
        _compile(
            rf"^.{{0,40}}{_MAKE_A}(?:(?!\b(?:{_WITH})\b).)*?\s(?:called|named)\s+{_ID}",
        ),
    ),
    # "Design a small `x`"
    (
        3,
        _compile(
            rf"\b{_MAKE}\s+(?:me\s+)?(?:an?\s+|the\s+)?",
            rf"(?:(?:synthesi[sz]able|verilog|simple|small)\s+)*{_QUOTED}",
        ),
    ),
    # "`x` has inputs a and b"
    (
        3,
        _compile(
            rf"{_QUOTED}\s*(?:\([^)]*\)\s*)?(?:has|with)\s+(?:the\s+|an?\s+|one\s+|two\s+|\w+\s+)?",
            r"(?:following\s+)?(?:inputs?|outputs?|ports?|clock)\b",
        ),
    ),
    # "Design an 8-bit counter `x` with a reset"
    (
        4,
        _compile(
            rf"\b{_MAKE}\s+(?:me\s+)?(?:an?\s+|the\s+)",
            rf"(?:(?!\b(?:{_RELATION})\b)[^.`,:;])+?,?\s*\(?{_QUOTED}",
        ),
    ),
    # "Build a filter with a valid bit named x.", at the end of the sentence
    (
        5,
        _compile(
            rf"^.{{0,40}}{_MAKE_A}",
            rf"(?:(?!\b(?:an?|the|one)\s+(?:[\w-]+\s+){{0,2}}(?:{_SIGNAL})\s+(?:called|named)).)*?",
            rf"\s(?:called|named)\s+{_ID}[.;]?\s*$",
        ),
    ),
)

CALLED = _compile(
    r"\b(?P<noun>[A-Za-z-]+)\)?,?\s+(?:\([^)]*\)\s*)?(?:that\s+is\s+|to\s+be\s+)?",
    rf"(?:called|named)\s*:?\s+{_ID}",
)
MODULE_BARE = re.compile(r"\bmodule\s+(?P<name>[A-Za-z_][\w$]*)")
MAKE_BARE = _compile(
    rf"^\s*(?:please\s+|now\s+)?{_MAKE}\s+(?:me\s+)?(?P<name>[A-Za-z_][\w$]*)\b(?!-)"
)
# "Implement a Moore machine x_fsm with …": no quotes, so the name must look like one
MAKE_A_BARE = _compile(
    rf"{_MAKE_A}(?:(?!\b(?:{_RELATION})\b)[^.`,:;])+?\s",
    r"(?P<name>[A-Za-z]\w*_\w+|[A-Za-z]+\d\w*)\b(?!-)",
)
SUBJECT_BARE = re.compile(
    r"^\s*(?P<name>[A-Za-z]\w*_\w+|[A-Za-z]+\d\w*)\s*"
    r"(?:—|–|\s-\s|:|(?:is|takes|has|implements|adds|counts|converts|detects|holds|divides)\b)"
)
SUBJECT = re.compile(rf"^\s*{_QUOTED}(?:\s|,|:)")
