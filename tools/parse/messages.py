"""From pyslang's diagnostics to ours: stable codes, our severities, hints in plain words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pyslang

from ..diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .unit import SlangUnit

__all__ = ["TOOL", "translate"]

TOOL = "pyslang"

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

# pyslang's name: our code, our severity, hint. Errors that are not named here stay errors,
# warnings become warnings if pyslang shows them by default and notes otherwise.
_KNOWN: dict[str, tuple[str, Severity, str]] = {
    "ImplicitNet": (
        "implicit-net",
        _E,
        "declare the net with its width; without a declaration it is one bit wide",
    ),
    "UndeclaredIdentifier": (
        "undeclared",
        _E,
        "declare the name, or correct its spelling",
    ),
    "UsedBeforeDeclared": (
        "used-before-declared",
        _W,
        "move the declaration above the first use; newer simulators refuse this order",
    ),
    "TypoIdentifier": ("undeclared", _E, "correct the spelling, or declare the name"),
    "UnknownModule": (
        "unknown-module",
        _E,
        "define the module in the same files, or write its logic in place",
    ),
    "UnknownClassOrPackage": ("unknown-package", _E, "add the file that defines the package"),
    "UnknownInterface": ("unknown-interface", _E, "add the file that defines the interface"),
    "UnknownDirective": ("undefined-macro", _E, "`define the macro before its first use"),
    "UnknownSystemName": ("unknown-system-task", _E, "use only system functions of the language"),
    "CouldNotOpenIncludeFile": ("include-missing", _E, "put the included file beside the source"),
    "ExceededMaxIncludeDepth": (
        "include-outside",
        _E,
        "only files in the folder of the source may be included",
    ),
    "ExpectedToken": ("syntax", _E, ""),
    "ExpectedMember": ("syntax", _E, ""),
    "ExpectedStatement": ("syntax", _E, ""),
    "ExpectedExpression": ("syntax", _E, ""),
    "ExpectedIdentifier": ("syntax", _E, ""),
    "ExpectedDeclarator": ("syntax", _E, ""),
    "AssignmentToNet": (
        "assign-to-wire",
        _E,
        "declare the signal as `reg` to assign it in an always block, or use `assign`",
    ),
    "ExpressionNotAssignable": ("not-assignable", _E, "assign to a declared reg or wire"),
    "Redefinition": ("redefinition", _E, "declare each name once"),
    "DuplicateDefinition": ("redefinition", _E, "define each module once"),
    "UnconnectedNamedPort": ("port-unconnected", _W, "connect the port, or write `.port()`"),
    "UnconnectedInputPort": ("port-unconnected", _W, "connect the input; open inputs read as z"),
    "PortDoesNotExist": ("unknown-port", _E, "use the port names of the module's declaration"),
    "TooManyPortConnections": ("unknown-port", _E, "connect ports by name"),
    "ParameterDoesNotExist": ("unknown-parameter", _E, "use the module's own parameter names"),
    "PortWidthTruncate": ("port-width", _W, "make the connected signal as wide as the port"),
    "PortWidthExpand": ("port-width", _W, "make the connected signal as wide as the port"),
    "WidthTruncate": ("width-truncation", _N, "widen the target, or select the bits you mean"),
    "WidthExpand": ("width-extension", _N, ""),
    "SignConversion": ("sign-conversion", _N, ""),
    "IndexOOB": ("index-out-of-range", _W, "the index is outside the declared range"),
    "RangeOOB": ("index-out-of-range", _W, "the range is outside the declared range"),
    "BadIndexExpression": ("index-out-of-range", _W, "the index is outside the declared range"),
    "VectorLiteralOverflow": ("literal-overflow", _W, "give the literal enough bits"),
    "InferredLatch": (
        "latch",
        _W,
        "assign a default value at the top of the block, so that every path assigns the signal",
    ),
    "InferredComb": ("not-a-latch", _N, "the block is combinational: use always @(*)"),
    "MultipleContAssigns": ("multiple-drivers", _E, "drive each signal from one place"),
    "MultipleAlwaysAssigns": ("multiple-drivers", _E, "assign each signal in one always block"),
    "MixedVarAssigns": (
        "multiple-drivers",
        _E,
        "drive the signal either with `assign` or in an always block, not both",
    ),
    "MultipleUWireDrivers": ("multiple-drivers", _E, "drive each signal from one place"),
    "InputPortCoercion": ("drives-input", _E, "an input is driven from outside; do not assign it"),
    "UnusedVariable": ("unused", _N, "remove it, or use it"),
    "UnusedNet": ("unused", _N, "remove it, or use it"),
    "UnusedButSetVariable": ("unused", _N, "it is assigned but never read"),
    "UnusedButSetNet": ("unused", _N, "it is driven but never read"),
    "UnusedPort": ("unused-port", _N, "the input is never read"),
    "UndrivenPort": ("undriven", _W, "drive the output"),
    "UndrivenNet": ("undriven", _W, "drive the net"),
    "UnassignedVariable": ("undriven", _W, "assign the variable"),
    "CaseNotWildcard": ("case-x", _W, "use casez with ? where bits do not matter"),
    "CaseDup": ("case-duplicate", _W, "remove the second arm: it never matches"),
    "CaseOverlap": ("case-overlap", _N, "the first arm that matches wins"),
    "CaseTypeMismatch": ("case-type", _N, ""),
    "CaseDefault": ("case-default", _N, "add a default arm"),
    "CaseIncomplete": ("case-incomplete", _N, "add the missing arms or a default"),
}

# Never useful to the reader of a design.
_DROPPED = frozenset(
    {
        "ArithOpMismatch",
        "CaseTypeMismatch",
        "ComparisonMismatch",
        "IntBoolConv",
        "NewlineEOF",
        "SignCompare",
        "SignConversion",
        "UnnamedGenerate",
        "UnusedDefinition",
        "WidthExpand",
    }
)


def translate(diagnostics: Iterable[pyslang.Diagnostic], unit: SlangUnit) -> list[Diagnostic]:
    """Our diagnostics for pyslang's, in the same order, the dropped ones left out."""
    found = []
    for item in diagnostics:
        name = str(item.code).removeprefix("DiagCode(").removesuffix(")")
        if name in _DROPPED:
            continue
        code, severity, hint = _classify(item, name, unit)
        place = unit.place(item.location)
        message = unit.engine.formatMessage(item)
        found.append(
            Diagnostic(place.file, place.line, place.column, severity, code, message, hint, TOOL)
        )
    return found


def _classify(item: pyslang.Diagnostic, name: str, unit: SlangUnit) -> tuple[str, Severity, str]:
    if name in _KNOWN:
        return _KNOWN[name]
    if item.isError():
        return (_kebab(name), _E, "")
    option = unit.engine.getOptionName(item.code) or _kebab(name)
    return (option, _W if name in _shown_by_default() else _N, "")


@cache
def _shown_by_default() -> frozenset[str]:
    engine = pyslang.DiagnosticEngine(pyslang.SourceManager())
    group = engine.findDiagGroup("default")
    codes = group.getDiags() if group is not None else ()
    return frozenset(str(c).removeprefix("DiagCode(").removesuffix(")") for c in codes)


def _kebab(name: str) -> str:
    parts: list[str] = []
    for letter in name:
        if letter.isupper() and parts and not parts[-1][-1].isupper():
            parts.append("-")
        parts.append(letter.lower() if letter.isupper() else letter)
    return "".join(parts)
