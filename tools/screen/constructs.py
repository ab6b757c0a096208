"""Statements and declarations that have no place in a design."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pyslang import syntax

from .finding import at_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostic import Diagnostic
    from .finding import Context

__all__ = ["construct_findings"]

_KIND = syntax.SyntaxKind

_FORCE = ("force", "overrides a signal from outside its driver", "drive the signal normally")
_ASSERT = (
    "assertion",
    "prints into the testbench's report when it fails",
    "remove it; assertions belong into the testbench",
)
_DPI = ("foreign-code", "calls code outside the simulation", "write the function in Verilog")
_PROGRAM = (
    "ends-simulation",
    "a program block ends the simulation when it is done",
    "use a module",
)
_ALIAS = ("alias", "joins nets, so that an input could be driven", "use an assign")

# Syntax kind: code, why, hint.
_REFUSED = {
    _KIND.ProceduralForceStatement: _FORCE,
    _KIND.ProceduralReleaseStatement: _FORCE,
    _KIND.ImmediateAssertStatement: _ASSERT,
    _KIND.ImmediateAssumeStatement: _ASSERT,
    _KIND.ImmediateCoverStatement: _ASSERT,
    _KIND.AssertPropertyStatement: _ASSERT,
    _KIND.AssumePropertyStatement: _ASSERT,
    _KIND.CoverPropertyStatement: _ASSERT,
    _KIND.CoverSequenceStatement: _ASSERT,
    _KIND.RestrictPropertyStatement: _ASSERT,
    _KIND.ExpectPropertyStatement: _ASSERT,
    _KIND.DPIImport: _DPI,
    _KIND.DPIExport: _DPI,
    _KIND.BindDirective: (
        "bind",
        "puts code into a module that it does not own",
        "instantiate the module where it is needed",
    ),
    _KIND.ConfigDeclaration: (
        "configuration",
        "chooses what other modules are made of",
        "remove it",
    ),
    _KIND.ProgramDeclaration: _PROGRAM,
    _KIND.NetAlias: _ALIAS,
}


def construct_findings(context: Context) -> Iterator[Diagnostic]:
    """Findings for each refused construct, and for instances of modules not defined here."""
    found: list[Diagnostic] = []

    def refused(node: syntax.SyntaxNode) -> None:
        code, why, hint = _REFUSED[node.kind]
        text = " ".join(str(node).split())
        short = text if len(text) <= 40 else text[:37] + "…"
        found.append(at_token(context, node, code, f"`{short}`: {why}", hint))

    table = dict.fromkeys(_REFUSED, refused)
    table[_KIND.HierarchyInstantiation] = partial(_instantiation, context, found)
    for tree in context.unit.trees:
        tree.root.visit(lookup_table=table)
    yield from found


def _instantiation(
    context: Context, found: list[Diagnostic], node: syntax.HierarchyInstantiationSyntax
) -> None:
    name = node.type.valueText
    if name and name not in context.defined:
        message = f"instantiates `{name}`, which the design does not define"
        hint = "define the module in the design; modules of the testbench are out of reach"
        found.append(at_token(context, node.type, "unknown-module", message, hint))
