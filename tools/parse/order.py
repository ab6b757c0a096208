"""What each file defines and uses, and the order that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyslang import syntax

from .directives import scan_directives

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["FileNames", "file_names", "order_files", "shares_macros"]

_KIND = syntax.SyntaxKind
_DIRECTIVE_WORDS = frozenset(
    [
        "define",
        "undef",
        "undefineall",
        "include",
        "ifdef",
        "ifndef",
        "elsif",
        "else",
        "endif",
        "timescale",
        "default_nettype",
        "resetall",
        "celldefine",
        "endcelldefine",
        "line",
        "pragma",
        "begin_keywords",
        "end_keywords",
        "unconnected_drive",
        "nounconnected_drive",
        "__FILE__",
        "__LINE__",
    ]
)


@dataclass(frozen=True, slots=True)
class FileNames:
    """Names that one file defines and uses (modules, packages, interfaces; macros apart)."""

    defines: frozenset[str]
    uses: frozenset[str]
    macros_defined: frozenset[str]
    macros_used: frozenset[str]


def file_names(tree: syntax.SyntaxTree, text: str) -> FileNames:
    """Collect the names of one syntax tree."""
    defines: set[str] = set()
    uses: set[str] = set()

    def defined(node: syntax.ModuleDeclarationSyntax) -> None:
        defines.add(node.header.name.valueText)

    def scoped(node: syntax.ScopedNameSyntax) -> None:
        if node.separator.valueText == "::":
            uses.add(node.left.getFirstToken().valueText)

    tree.root.visit(
        lookup_table={
            _KIND.ModuleDeclaration: defined,
            _KIND.InterfaceDeclaration: defined,
            _KIND.ProgramDeclaration: defined,
            _KIND.PackageDeclaration: defined,
            _KIND.UdpDeclaration: lambda n: defines.add(n.name.valueText),
            _KIND.HierarchyInstantiation: lambda n: uses.add(n.type.valueText),
            _KIND.PackageImportItem: lambda n: uses.add(n.package.valueText),
            _KIND.InterfacePortHeader: lambda n: uses.add(n.nameOrKeyword.valueText),
            _KIND.NamedType: lambda n: uses.add(n.name.getFirstToken().valueText),
            _KIND.ScopedName: scoped,
        }
    )
    macros_defined: set[str] = set()
    macros_used: set[str] = set()
    for directive in scan_directives(text):
        if directive.name == "define" and directive.arguments:
            macros_defined.add(directive.arguments[0].removeprefix("\\"))
        elif directive.name in {"ifdef", "ifndef", "elsif"} and directive.arguments:
            macros_used.add(directive.arguments[0])
        elif directive.name not in _DIRECTIVE_WORDS:
            macros_used.add(directive.name)
    return FileNames(
        frozenset(defines), frozenset(uses), frozenset(macros_defined), frozenset(macros_used)
    )


def shares_macros(files: Sequence[FileNames]) -> bool:
    """Whether a file uses a macro that only another file defines."""
    return any(
        (one.macros_used - one.macros_defined) & other.macros_defined
        for one in files
        for other in files
        if one is not other
    )


def order_files(files: Mapping[str, FileNames]) -> tuple[str, ...]:
    """File names so that each stands after the files it uses; given order where free.

    A cycle (two files that use each other's modules) is legal and keeps the given order.
    """
    needs = {name: _needs(name, files) for name in files}
    done: list[str] = []
    visiting: set[str] = set()

    def place(name: str) -> None:
        stack = [(name, iter(needs[name]))]
        visiting.add(name)
        while stack:
            current, rest = stack[-1]
            following = next((n for n in rest if n not in visiting), None)
            if following is None:
                done.append(current)
                stack.pop()
            else:
                visiting.add(following)
                stack.append((following, iter(needs[following])))

    for name in files:
        if name not in visiting:
            place(name)
    return tuple(done)


def _needs(name: str, files: Mapping[str, FileNames]) -> list[str]:
    mine = files[name]
    return [
        other
        for other, names in files.items()
        if other != name
        and (
            (mine.uses - mine.defines) & names.defines
            or (mine.macros_used - mine.macros_defined) & names.macros_defined
        )
    ]
