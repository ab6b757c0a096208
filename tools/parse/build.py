"""Parse a file set: order, syntax, elaboration, interfaces, diagnostics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyslang import ast, syntax

from ..diagnostic import Diagnostic, Severity
from ..interface import Interface
from .includes import find_includes
from .messages import TOOL, translate
from .model import Instance, ModuleInfo, SourceModel
from .order import file_names, order_files, shares_macros
from .ports import interface_of
from .truncation import is_truncated
from .unit import SlangUnit, build_unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["build_model"]

_KIND = syntax.SyntaxKind


def build_model(
    texts: Mapping[str, str], *, language: str, include_roots: Sequence[Path] = ()
) -> SourceModel:
    """Parse normalised texts (name to source, any order) into a model.

    An `include of a file outside `include_roots` turns all including off.
    """
    included = find_includes(texts, include_roots)
    includes = included.allowed
    unit = build_unit(texts, language=language, includes=includes)
    ordered = dict(texts)
    if len(texts) > 1:
        names = {
            name: file_names(tree, text)
            for (name, text), tree in zip(texts.items(), unit.trees, strict=True)
        }
        ordered = {name: texts[name] for name in order_files(names)}
        shared = shares_macros(list(names.values()))
        if shared or list(ordered) != list(texts):
            unit = build_unit(ordered, language=language, shared_macros=shared, includes=includes)
    truncated = any(is_truncated(tree) for tree in unit.trees)
    diagnostics = translate(unit.compilation.getAllDiagnostics(), unit)
    if language.startswith("verilog") and not truncated and _has_errors(diagnostics):
        upgraded = _as_systemverilog(ordered, unit, diagnostics, includes=includes)
        if upgraded is not None:
            unit, diagnostics = upgraded
    if truncated:
        diagnostics = [_cut_off(unit, ordered), *diagnostics]
    diagnostics = [*_fences(ordered), *diagnostics]
    return SourceModel(
        modules=_modules(unit),
        order=tuple(Path(name) for name in ordered),
        diagnostics=tuple(diagnostics),
        truncated=truncated,
        language=language,
        texts=ordered,
        included=included.texts,
        unit=unit,
    )


def _has_errors(diagnostics: list[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in diagnostics)


def _as_systemverilog(
    texts: Mapping[str, str], unit: SlangUnit, diagnostics: list[Diagnostic], *, includes: bool
) -> tuple[SlangUnit, list[Diagnostic]] | None:
    """Read a Verilog design that does not parse as SystemVerilog; None if that is no better."""
    later = build_unit(
        texts,
        language="systemverilog-2017",
        shared_macros=len(unit.trees) < len(texts),
        includes=includes,
    )
    found = translate(later.compilation.getAllDiagnostics(), later)
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    if sum(d.severity is Severity.ERROR for d in found) >= len(errors):
        return None
    first = errors[0]
    note = Diagnostic(
        first.file,
        first.line,
        first.column,
        Severity.ERROR,
        "needs-systemverilog",
        f"SystemVerilog, but the language is Verilog-2005: {first.message}",
        "write it in Verilog-2005 (reg, wire, always @(*)), or set the language to "
        "systemverilog-2017",
        TOOL,
    )
    return later, [note, *found]


def _fences(texts: Mapping[str, str]) -> Iterator[Diagnostic]:
    """An answer of a model that was saved as it came: Markdown around the code."""
    for name, text in texts.items():
        if "```" not in text:
            continue
        for number, line in enumerate(text.split("\n"), start=1):
            if line.lstrip().startswith("```"):
                column = line.index("`") + 1
                message = "a Markdown fence: this is a chat answer, not a source file"
                hint = "keep only what stands between the fences"
                code = "markdown-fence"
                yield Diagnostic(name, number, column, Severity.ERROR, code, message, hint, TOOL)
                break


def _cut_off(unit: SlangUnit, texts: Mapping[str, str]) -> Diagnostic:
    tree = next(t for t in unit.trees if is_truncated(t))
    place = unit.place(tree.root.getLastToken().location)
    text = texts.get(place.file, "").rstrip()
    lines = text.split("\n")
    return Diagnostic(
        place.file,
        len(lines),
        len(lines[-1]) + 1,
        Severity.ERROR,
        "truncated",
        "the source is cut off in the middle of a module",
        "continue writing from where it stops, down to `endmodule`",
        TOOL,
    )


def _modules(unit: SlangUnit) -> tuple[ModuleInfo, ...]:
    definitions: list[Any] = [
        d for d in unit.compilation.getDefinitions() if d.kind == ast.SymbolKind.Definition
    ]
    instances = {d.name: _instances(d.syntax, unit) for d in definitions}
    used = {i.module for name, inside in instances.items() for i in inside if i.module != name}
    bodies = {i.definition.name: i.body for i in unit.compilation.getRoot().topInstances}
    rest = {d.name for d in definitions} - set(bodies)
    if rest:
        again = unit.compile_with_tops(rest)
        bodies |= {i.definition.name: i.body for i in again.getRoot().topInstances}
        unit.keep(again)
    found = []
    for definition in definitions:
        body = bodies.get(definition.name)
        bare = Interface(definition.name)
        place = unit.place(definition.location)
        found.append(
            ModuleInfo(
                name=definition.name,
                file=place.file,
                line=place.line,
                interface=interface_of(body, as_written=False) if body else bare,
                interface_as_written=interface_of(body, as_written=True) if body else bare,
                instances=instances[definition.name],
                is_top=definition.name not in used,
                kind=definition.definitionKind.name.lower(),
            )
        )
    return tuple(found)


def _instances(node: syntax.SyntaxNode, unit: SlangUnit) -> tuple[Instance, ...]:
    found: list[Instance] = []

    def instantiation(item: syntax.HierarchyInstantiationSyntax) -> None:
        for part in item.instances:
            if part.kind == _KIND.HierarchicalInstance and part.decl is not None:
                line = unit.place(item.type.location).line
                found.append(Instance(item.type.valueText, part.decl.name.valueText, line))

    node.visit(lookup_table={_KIND.HierarchyInstantiation: instantiation})
    return tuple(found)
