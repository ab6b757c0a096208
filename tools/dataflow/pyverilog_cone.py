"""Cones from pyverilog, for Verilog-2001 designs; never a gate.

pyverilog builds its tables anew for each parser (a second of work), prints, and writes files
into the working folder. So one parser is built, quietly and without files, and kept; a lock
makes it safe to use from several threads.
"""

from __future__ import annotations

import re
import tempfile
import threading
import warnings
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ToolError
from .cone import cone_from_edges

if TYPE_CHECKING:
    from ..parse.model import SourceModel
    from .model import Cone

__all__ = ["parse_verilog_2001", "pyverilog_cone"]

# Larger designs would keep the caller waiting: the analysis is written in Python.
_MAX_CHARACTERS = 60_000
# How pyverilog names the steps of a variable that a block assigns more than once, and the inside
# of a function call.
_RENAMED = re.compile(r"\.(_rn\d+_[^.]*|\w*functioncall\d+\..*)$")
_LOCK = threading.RLock()
# What pyverilog is seen to raise on code it does not understand, besides its own errors.
_FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
)


def pyverilog_cone(model: SourceModel, signal: str, *, top: str) -> tuple[Cone | None, str]:
    """The cone of `signal`, or None and the reason why pyverilog cannot tell."""
    try:
        edges = _edges(model, top)
    except _RefusedError as refusal:
        return None, str(refusal)
    wanted = f"{top}.{signal}"
    if wanted not in edges:
        return None, f"pyverilog does not know the signal {signal}"
    cone = cone_from_edges(edges, wanted, "pyverilog")
    strip = len(top) + 1
    names = tuple(name[strip:] for name in cone.signals)
    return type(cone)(signal, names, cone.distances, cone.engine), ""


class _RefusedError(Exception):
    """pyverilog cannot read or analyse the design; the text says why."""


def parse_verilog_2001(text: str) -> Any:
    """The pyverilog AST of preprocessed Verilog-2001 text.

    Raises:
        ValueError: pyverilog does not understand it; the message says where.
    """
    try:
        return _parse(text)
    except _RefusedError as refusal:
        raise ValueError(str(refusal)) from refusal


def _parse(text: str) -> Any:
    with _LOCK:
        parser, parse_error = _parser()
        parser.lexer.reset_lineno()
        parser.lexer.lexer.begin("INITIAL")
        try:
            return parser.parse(text)
        except parse_error as error:
            where = " ".join(str(error).split())
            raise _RefusedError(f"pyverilog cannot parse the design ({where})") from error
        except _FAILURES as error:
            raise _RefusedError(f"pyverilog failed: {type(error).__name__}") from error


@lru_cache(maxsize=1)
def _parser() -> tuple[Any, type[Exception]]:
    """The parser and its error class, built once: without tables on disk, and silent."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # it leaves its version file open
            from ply import yacc
            from pyverilog.vparser import lexer, parser
    except ImportError as error:
        raise _RefusedError("pyverilog is not installed") from error

    class Quiet(parser.VerilogParser):  # type: ignore[misc]
        def __init__(self) -> None:
            self.lexer = lexer.VerilogLexer(error_func=self._lexer_error_func)
            self.lexer.build()
            self.tokens = self.lexer.tokens
            self.parser = yacc.yacc(
                module=self,
                method="LALR",
                debug=False,
                write_tables=False,
                errorlog=yacc.NullLogger(),
            )

    return Quiet(), parser.ParseError


def _edges(model: SourceModel, top: str) -> dict[str, list[str]]:
    """What each signal directly depends on, by full path."""
    text = _preprocessed(model)
    tree = _parse(text)
    with _LOCK:
        try:
            return _analyse(tree, top)
        except _FAILURES as error:
            raise _RefusedError(f"pyverilog cannot analyse the design ({error})") from error


def _analyse(tree: Any, top: str) -> dict[str, list[str]]:
    from pyverilog.dataflow.bindvisitor import BindVisitor
    from pyverilog.dataflow.modulevisitor import ModuleVisitor
    from pyverilog.dataflow.signalvisitor import SignalVisitor
    from pyverilog.utils import verror

    try:
        modules = ModuleVisitor()
        modules.visit(tree)
        table = modules.get_moduleinfotable()
        signals = SignalVisitor(table, top)
        signals.start_visit()
        binds = BindVisitor(table, top, signals.getFrameTable(), noreorder=False)
        binds.start_visit()
    except (verror.FormatError, verror.DefinitionError, verror.ImplementationError) as error:
        raise _RefusedError(f"pyverilog cannot analyse the design ({error})") from error
    edges: dict[str, list[str]] = defaultdict(list)
    for target, group in binds.getDataflows().getBinddict().items():
        for bind in group:
            if bind.parameterinfo in {"parameter", "localparam"}:
                continue
            edges[str(target)] += _terminals(bind.tree)
            if bind.alwaysinfo is not None and bind.alwaysinfo.isClockEdge():
                edges[str(target)].append(str(bind.alwaysinfo.getClockName()))
    return {name: _through_renames(edges, name) for name in edges if not _RENAMED.search(name)}


def _through_renames(edges: dict[str, list[str]], name: str) -> list[str]:
    """Sources of a signal, with the names that pyverilog invents replaced by theirs."""
    found: dict[str, None] = {}
    stack = list(reversed(edges[name]))
    seen: set[str] = set()
    while stack:
        source = stack.pop()
        if source in seen:
            continue
        seen.add(source)
        if _RENAMED.search(source):
            stack.extend(edges.get(source, ()))
        else:
            found.setdefault(source)
    return list(found)


def _terminals(node: Any) -> list[str]:
    """The signals named in a dataflow tree."""
    from pyverilog.dataflow.dataflow import DFTerminal

    found: list[str] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if item is None:
            continue
        if isinstance(item, DFTerminal):
            found.append(str(item.name))
        stack.extend(item.children())
    return found


def _preprocessed(model: SourceModel) -> str:
    text = "\n".join(model.texts.values())
    if not model.ok:
        raise _RefusedError("the design has errors")
    if len(text) > _MAX_CHARACTERS:
        raise _RefusedError(f"the design is longer than {_MAX_CHARACTERS} characters")
    if "`" not in text:
        return text
    from ..process import Limits, run
    from ..toolchain import ICARUS

    with tempfile.TemporaryDirectory(prefix="rtl-agent-") as name:
        folder = Path(name)
        (folder / "in.v").write_text(text, encoding="utf-8")
        includes = [f"-I{path.absolute().parent}" for path in model.order]
        argv = [str(_icarus(ICARUS)), "-E", "-o", "out.v", *includes, "in.v"]
        result = run(argv, cwd=folder, limits=Limits(wall_s=10.0))
        if not result.ok:
            raise _RefusedError("the preprocessor failed")
        return (folder / "out.v").read_text(encoding="utf-8")


def _icarus(tool: Any) -> Path:
    try:
        path: Path = tool.require()
    except ToolError as error:
        raise _RefusedError("pyverilog needs Icarus to expand macros") from error
    return path
