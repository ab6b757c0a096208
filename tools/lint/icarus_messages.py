"""The messages of Icarus 11 to 13: our code, severity and hint for each."""

from __future__ import annotations

import re

from ..diagnostic import Severity

__all__ = ["classify"]

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# Pattern, code, severity, hint. The first that matches decides; None drops the message.
_KNOWN: tuple[tuple[str, str | None, Severity, str], ...] = (
    (
        r"implicit definition of wire",
        "implicit-net",
        _E,
        "declare the net with its width; without a declaration it is one bit wide",
    ),
    (
        r"constant selects in always_\* processes|array is sensitive to all|"
        r"is sensitive to all \d+ (words|bits)",
        "sensitivity-whole",
        _N,
        "the block runs on any change of the array; no effect on the result",
    ),
    (
        r"requires SystemVerilog",
        "needs-systemverilog",
        _E,
        "write it in Verilog-2005, or set the language to systemverilog-2017",
    ),
    (
        r"^sorry:|not (yet )?supported|not currently supported|not implemented",
        "unsupported-by-simulator",
        _E,
        "the code may be right, but this simulator cannot run it: write it another way",
    ),
    (
        r"can not instantiate module .* within itself",
        "recursive-instance",
        _E,
        "a module cannot hold itself without end: instantiate another module, or end the "
        "recursion with a generate `if`",
    ),
    (r"Unable to bind|is not declared|undeclared|Undefined variable", "undeclared", _E, ""),
    (r"Unknown module type", "unknown-module", _E, "define the module in the same files"),
    (r"is not a port of|Wrong number of ports", "unknown-port", _E, "connect ports by name"),
    (
        r"expects \d+ bit(s|\(s\))?, (got|given) \d+",
        "port-width",
        _W,
        "make the connected signal as wide as the port",
    ),
    (r"dangling|floating", "port-unconnected", _W, "connect the port; open inputs read as z"),
    (
        r"cannot be driven by primitives or continuous assignment",
        "assign-to-reg",
        _E,
        "declare the signal as a wire to drive it with `assign`",
    ),
    (
        r"is not a valid l-value|cannot be assigned|to a wire",
        "assign-to-wire",
        _E,
        "declare the signal as `reg` to assign it in an always block, or use `assign`",
    ),
    (r"Unable to elaborate", "elaboration", _E, ""),
    (r"coerced to inout", "drives-input", _E, "an input is driven from outside; do not assign it"),
    (r"already (been )?declared|redefined|has already", "redefinition", _E, ""),
    (
        r"timescale",
        "timescale",
        _N,
        "start every file with its own `timescale, or none of them",
    ),
    (r"syntax error|malformed|Invalid module item|Syntax", "syntax", _E, ""),
    (
        r"No top level modules|Unable to find the root module|top level module",
        "no-top",
        _E,
        "name the top module as the specification does",
    ),
    (
        r"assert: .*failed assertion|internal error|Aborted",
        "tool-crash",
        _E,
        "the simulator failed, not necessarily the design; write the construct another way",
    ),
    (r"macro \w+ undefined", "undefined-macro", _E, "`define the macro before its first use"),
    (r"Include file .* not found", "include-missing", _E, "put the file beside the source"),
    (r"cannot be synthesized", "not-synthesizable", _N, ""),
    (r"has no sensitivities", "never-runs", _W, "the block reads nothing, so it never runs"),
    (r"out of range|outside of|beyond", "index-out-of-range", _W, ""),
    (r"infinite loop|zero delay|no delay", "zero-delay-loop", _W, "add a delay or an edge"),
    (r"extra digits given|truncated|too (big|large) for", "literal-overflow", _W, ""),
    (r"Anachronistic|obsolete", "obsolete", _N, ""),
)

_COMPILED = tuple((re.compile(p, re.IGNORECASE), c, s, h) for p, c, s, h in _KNOWN)
_LEVEL = re.compile(r"^(error|warning|sorry|fatal|internal error)\s*:\s*", re.IGNORECASE)


def classify(text: str) -> tuple[str, Severity, str, str] | None:
    """Code, severity, message and hint of one message; None for one that says nothing.

    A message that no pattern knows keeps the level Icarus gave it and the code `compile`.
    """
    level = _LEVEL.match(text)
    message = text[level.end() :] if level else text
    for pattern, code, severity, hint in _COMPILED:
        if pattern.search(text):
            return None if code is None else (code, severity, message.strip(), hint)
    word = level[1].lower() if level else ""
    severity = _W if word == "warning" else _E
    return ("compile", severity, message.strip(), "")
