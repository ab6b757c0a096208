"""The one place that builds pyslang syntax trees and compilations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyslang
from pyslang import ast, parsing, syntax

from .place import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["SIMULATOR_MACROS", "SlangUnit", "build_unit"]

# Icarus defines the first by itself, the cocotb runner the second: text that stands under them
# is simulated, so it has to be read.
SIMULATOR_MACROS = ("__ICARUS__=1", "COCOTB_SIM=1")

_INSTANCE_DEPTH = 1024
_VERSIONS = {
    "verilog-2005": "v1364_2005",
    "verilog-2001": "v1364_2005",
    "systemverilog-2017": "v1800_2017",
    "systemverilog-2023": "v1800_2023",
}


class SlangUnit:
    """Syntax trees of a file set and their elaboration.

    Attributes:
        trees: one `SyntaxTree` a file, or a single one where files share macros.
        compilation: elaborated with the modules nobody instantiates as tops.
        includes: whether `include was followed.
        manager: maps locations to files and lines.
    """

    def __init__(
        self,
        manager: pyslang.SourceManager,
        trees: tuple[syntax.SyntaxTree, ...],
        options: pyslang.Bag,
        *,
        includes: bool,
    ) -> None:
        self.manager = manager
        self.trees = trees
        self.includes = includes
        self._options = options
        self.compilation = self._compile(options)
        self.engine = pyslang.DiagnosticEngine(manager)
        self._kept: list[ast.Compilation] = []

    def keep(self, compilation: ast.Compilation) -> None:
        """Hold a second compilation for as long as this unit lives."""
        self._kept.append(compilation)

    def _compile(self, options: pyslang.Bag) -> ast.Compilation:
        compilation = ast.Compilation(options)
        for tree in self.trees:
            compilation.addSyntaxTree(tree)
        return compilation

    def compile_with_tops(self, names: set[str]) -> ast.Compilation:
        """Elaborate once more with each named module as a top, for its default widths."""
        bag = pyslang.Bag([self._options.parserOptions, self._options.preprocessorOptions])
        chosen = ast.CompilationOptions()
        chosen.topModules = names
        bag.compilationOptions = chosen
        return self._compile(bag)

    @property
    def compilations(self) -> tuple[ast.Compilation, ...]:
        """Elaborations that have, between them, each module as a top."""
        return (self.compilation, *self._kept)

    def defined_names(self) -> frozenset[str]:
        """Names of the modules, interfaces and primitives that the trees define."""
        names: set[str] = set()
        kind = syntax.SyntaxKind
        modules = (kind.ModuleDeclaration, kind.InterfaceDeclaration, kind.ProgramDeclaration)
        table = dict.fromkeys(modules, lambda n: names.add(n.header.name.valueText))
        table[kind.UdpDeclaration] = lambda n: names.add(n.name.valueText)
        for tree in self.trees:
            tree.root.visit(lookup_table=table)
        return frozenset(names)

    def place(self, location: pyslang.SourceLocation) -> Place:
        """Where a location stands in the files; for a macro, where it is used."""
        spot = self.manager.getFullyExpandedLoc(location)
        return Place(
            self.manager.getFileName(spot),
            self.manager.getLineNumber(spot),
            self.manager.getColumnNumber(spot),
        )


def build_unit(
    texts: Mapping[str, str],
    *,
    language: str,
    shared_macros: bool = False,
    defines: Sequence[str] = SIMULATOR_MACROS,
    includes: bool = True,
) -> SlangUnit:
    """Parse the texts (name to source, in compile order).

    With `shared_macros` all files are one compilation unit, as Icarus reads them. Without
    `includes` no `include is followed.
    """
    manager = pyslang.SourceManager()
    manager.setDisableProximatePaths(True)
    options = _options(language, defines, includes=includes)
    buffers = [manager.assignText(name, text) for name, text in texts.items()]
    if shared_macros:
        trees: tuple[syntax.SyntaxTree, ...] = (
            syntax.SyntaxTree.fromBuffers(buffers, manager, options),
        )
    else:
        trees = tuple(syntax.SyntaxTree.fromBuffer(b, manager, options) for b in buffers)
    return SlangUnit(manager, trees, options, includes=includes)


def _options(language: str, defines: Sequence[str], *, includes: bool) -> pyslang.Bag:
    version = getattr(pyslang.LanguageVersion, _VERSIONS.get(language, "v1800_2017"))
    parser, lexer = parsing.ParserOptions(), parsing.LexerOptions()
    preprocessor, compilation = parsing.PreprocessorOptions(), ast.CompilationOptions()
    for part in (parser, lexer, preprocessor, compilation):
        part.languageVersion = version
    compilation.maxInstanceDepth = _INSTANCE_DEPTH
    preprocessor.predefines = list(defines)
    if not includes:
        preprocessor.maxIncludeDepth = 0
    return pyslang.Bag([parser, lexer, preprocessor, compilation])
