"""Tells "the simulator cannot run this" apart from "this is wrong".

Where pyslang, which knows the whole language, finds no error and Icarus still refuses, the
design is right and the simulator falls short. The construct is then looked up in the syntax
tree, so that the message can name it: Icarus itself often says no more than "syntax error".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyslang import syntax

from ..diagnostic import Diagnostic, Severity
from ..toolchain import ICARUS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..parse.model import SourceModel

__all__ = ["explain_unsupported"]

_KIND = syntax.SyntaxKind
# Codes that Icarus gives to what it does not understand. Its other errors are about meaning.
_VAGUE = frozenset(
    {"syntax", "compile", "undeclared", "unknown-module", "unsupported-by-simulator"}
)
_NEAR_LINES = 3


def _always(_node: Any) -> bool:
    return True


# Syntax kind: which nodes of it, what people call it, how to do without.
_CONSTRUCTS: dict[syntax.SyntaxKind, tuple[Callable[[Any], bool], str, str]] = {
    _KIND.InterfaceDeclaration: (_always, "an interface", "use plain ports"),
    _KIND.InterfacePortHeader: (_always, "an interface port", "use plain ports"),
    _KIND.JumpStatement: (
        _always,
        "break or continue",
        "put the condition into the loop, or use a flag",
    ),
    _KIND.CastExpression: (
        _always,
        "a type cast",
        "assign between enums with a case statement, or use plain vectors and localparams",
    ),
    _KIND.StreamingConcatenationExpression: (
        _always,
        "a streaming concatenation",
        "reverse the bits in a loop",
    ),
    _KIND.InsideExpression: (_always, "inside", "write the comparisons out"),
    _KIND.CaseStatement: (
        lambda node: bool(node.matchesOrInside),
        "case … inside",
        "use casez, or comparisons",
    ),
    _KIND.ConditionalStatement: (
        lambda node: bool(node.uniqueOrPriority),
        "unique or priority if",
        "remove the word",
    ),
    _KIND.AssignmentPatternExpression: (
        _always,
        "an assignment pattern '{…}",
        "assign the members one by one, or use a concatenation",
    ),
    _KIND.StructType: (
        lambda node: not node.packed,
        "an unpacked struct",
        "make it `struct packed`",
    ),
    _KIND.TypeParameterDeclaration: (_always, "a type parameter", "use a width parameter"),
    _KIND.LetDeclaration: (_always, "let", "write a function"),
    _KIND.VoidCastedCallStatement: (_always, "void'(…)", "call a void function or a task"),
    _KIND.IffEventClause: (_always, "iff in an event", "test the condition inside the block"),
    _KIND.NetAlias: (_always, "alias", "use assign"),
    _KIND.ConcurrentAssertionMember: (_always, "a concurrent assertion", "remove it"),
    _KIND.ClassDeclaration: (_always, "a class", "use modules and functions"),
    _KIND.DataDeclaration: (
        lambda node: any(t.valueText in {"const", "automatic"} for t in node.modifiers),
        "a const or automatic variable",
        "use a localparam, or assign the variable in its own statement",
    ),
}


def explain_unsupported(found: Sequence[Diagnostic], model: SourceModel) -> tuple[Diagnostic, ...]:
    """Give vague errors of Icarus about a right design the code `unsupported-by-simulator`.

    Messages about one construct become one. Where pyslang says that the design needs
    SystemVerilog, what Icarus says about it is a consequence.
    """
    if any(d.code == "needs-systemverilog" for d in model.diagnostics):
        return tuple(d for d in found if d.code not in _VAGUE)
    refused = [d for d in found if d.severity is Severity.ERROR and d.code in _VAGUE]
    sorry = any(d.code == "unsupported-by-simulator" for d in refused)
    wrong = any(d.severity is Severity.ERROR for d in model.diagnostics)
    if not refused or (wrong and not sorry):
        return tuple(found)
    constructs = _constructs(model)
    version = ICARUS.version() or ""
    explained = {}
    for item in refused:
        if wrong and item.code != "unsupported-by-simulator":
            continue
        explained[item] = _explain(item, constructs, f"Icarus {version}".strip())
    unique: dict[tuple[str, int, str], Diagnostic] = {}
    rest = []
    for item in found:
        new = explained.get(item)
        if new is None:
            # After a syntax error Icarus misses declarations; pyslang knows implicit nets better.
            if item.code != "implicit-net":
                rest.append(item)
        else:
            unique.setdefault((new.file, new.line, new.message.partition(" (")[0]), new)
    return (*unique.values(), *rest)


def _constructs(model: SourceModel) -> list[tuple[str, int, int, str, str]]:
    """File, first and last line, name and hint of each construct that may be refused."""
    found = []
    unit = model.unit

    def note(node: Any) -> None:
        applies, name, hint = _CONSTRUCTS[node.kind]
        if applies(node):
            place = unit.place(node.getFirstToken().location)
            last = unit.place(node.getLastToken().location).line
            found.append((place.file, place.line, last, name, hint))

    for tree in unit.trees:
        tree.root.visit(lookup_table=dict.fromkeys(_CONSTRUCTS, note))
    return found


def _explain(
    item: Diagnostic, constructs: list[tuple[str, int, int, str, str]], simulator: str
) -> Diagnostic:
    near = [
        (abs(item.line - first), -first, name, hint, first)
        for file, first, last, name, hint in constructs
        if file == item.file and first - 1 <= item.line <= last + _NEAR_LINES
    ]
    if not near:
        return replace(
            item,
            code="unsupported-by-simulator",
            message=f"{simulator} cannot read this, although it is legal ({item.message})",
            hint=item.hint or "write it in a simpler way",
        )
    _, _, name, hint, line = min(near)
    return replace(
        item,
        line=line,
        code="unsupported-by-simulator",
        message=f"{simulator} does not support {name} here ({item.message})",
        hint=f"the code may be right, but this simulator cannot run it: {hint}",
    )
