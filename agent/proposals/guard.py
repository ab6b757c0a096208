"""What a proposed reference may not contain, told from its syntax tree before it ever runs.

The sandbox keeps it from the machine. This keeps it from the *design*: it runs inside the
simulator, where an import of cocotb, or a walk from frame to frame, reaches the outputs it is to
judge; a reference that copies them agrees with every design. So it gets plain Python over numbers
and what `allowed.py` lists. Lists say what is allowed, not what is refused: standard modules hold
many doors (`functools.update_wrapper` merges the globals of two functions, `enum.Enum._convert_`
reads any module, a `ForwardRef` evaluates text), and the next version of Python may add one.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .allowed import ALLOWED_MODULES, BUILTINS, MEMBERS
from .enums import find_enum_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["ALLOWED_MODULES", "find_fault"]

# Of any object: frames and code, texts whose fields name attributes (`"{0.__class__}".format(x)`),
# the object an AttributeError was about.
_FORBIDDEN_ATTRIBUTES = frozenset(
    {
        "ag_code",
        "ag_frame",
        "cr_code",
        "cr_frame",
        "f_back",
        "f_builtins",
        "f_globals",
        "f_locals",
        "format",
        "format_map",
        "gi_code",
        "gi_frame",
        "mro",
        "obj",
        "tb_frame",
        "tb_next",
        "with_traceback",
    }
)
_PLAIN_DUNDERS = frozenset({"__init__", "__post_init__", "__slots__"})
_OF_NAMEDTUPLES = frozenset({"_asdict", "_fields", "_make", "_replace"})
_MOST_CHARACTERS = 20_000


def find_fault(text: str) -> str:
    """Why `text` is no reference that may run, with its line; empty when it is one."""
    if len(text) > _MOST_CHARACTERS:
        return f"the model has {len(text)} characters, {_MOST_CHARACTERS} are the most"
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno or 0}: syntax error: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"it is not Python: {error}"
    nodes = list(ast.walk(tree))
    modules = _modules(nodes)
    bases = {id(n.value) for n in nodes if isinstance(n, ast.Attribute)}
    defined = {name for node in nodes for name in _defined(node)}
    for node in nodes:
        problem = (
            _of_import(node)
            or _of_identifiers(node)
            or _of_name(node, modules, bases, defined)
            or _of_attribute(node, modules, defined)
            or _of_rest(node)
        )
        if problem:
            return f"line {getattr(node, 'lineno', 0)}: {problem}"
    if not any(isinstance(n, ast.FunctionDef) and n.name == "step" for n in nodes):
        return "there is no step(inputs) in it"
    return find_enum_fault(nodes)


def _modules(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The names that stand for modules in the text, and which; empty for two at once."""
    found: dict[str, str] = {}
    for node in nodes:
        for alias in node.names if isinstance(node, ast.Import) else ():
            name = alias.asname or alias.name
            found[name] = alias.name if found.get(name, alias.name) == alias.name else ""
    return found


def _defined(node: ast.AST) -> Iterator[str]:
    """The names that a node of the text gives a meaning to, those of attributes among them."""
    if isinstance(node, ast.Name | ast.Attribute):
        if isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
    elif isinstance(node, ast.alias):
        yield node.asname or node.name
    elif not isinstance(node, ast.keyword):  # arguments, functions, classes, handlers, captures
        yield from _identifiers(node)


def _identifiers(node: ast.AST) -> Iterator[str]:
    """Everything in a node itself that is a name, whatever it names."""
    if isinstance(node, ast.Constant | ast.ImportFrom):  # text; `__future__`
        return
    for field, value in ast.iter_fields(node):
        if field != "type_comment":
            yield from (v for v in (value if isinstance(value, list) else [value]) if _text(v))


def _text(value: object) -> bool:
    return isinstance(value, str)


def _of_import(node: ast.AST) -> str:
    if isinstance(node, ast.Import):
        return next((p for alias in node.names if (p := _module(alias.name))), "")
    if isinstance(node, ast.ImportFrom):
        name = "." * node.level + (node.module or "")
        members = (_member(name, alias.name) for alias in node.names)
        return _module(name) or next((p for p in members if p), "")
    return ""


def _of_identifiers(node: ast.AST) -> str:
    """One of Python's own inner names: from them everything can be reached.

    A class that defines one may have values that compare equal to everything.
    """
    hidden = next((name for name in _identifiers(node) if _hidden(name)), "")
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and hidden:
        return f"`{hidden}` may not be defined"
    return f"`{hidden}` may not be used" if hidden else ""


def _of_name(node: ast.AST, modules: dict[str, str], bases: set[int], defined: set[str]) -> str:
    """A name that may not be used, or a module used as a value: under another name it is free."""
    if not isinstance(node, ast.Name):
        return ""
    if node.id not in defined and node.id not in BUILTINS:
        return f"`{node.id}` may not be used: it is not defined here"
    if node.id in modules and id(node) not in bases:
        return f"the module `{node.id}` may only be used as `{node.id}.name`"
    return ""


def _of_attribute(node: ast.AST, modules: dict[str, str], defined: set[str]) -> str:
    if isinstance(node, ast.MatchClass):
        return next((p for name in node.kwd_attrs if (p := _attribute(name, defined))), "")
    if not isinstance(node, ast.Attribute):
        return ""
    if isinstance(node.value, ast.Name) and node.value.id in modules:
        if not isinstance(node.ctx, ast.Load):
            return f"`{node.value.id}.{node.attr}` may not be changed"
        return _member(modules[node.value.id], node.attr)
    if node.attr == "name" and not isinstance(node.ctx, ast.Load):
        return "`.name` may not be assigned"  # of a dataclass's field it becomes source text
    return _attribute(node.attr, defined)


def _of_rest(node: ast.AST) -> str:
    if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
        return "a reference waits for nothing: no `async`"
    return ""


def _module(name: str) -> str:
    if name in ALLOWED_MODULES:
        return ""
    return f"`import {name}` is not allowed (only {', '.join(sorted(ALLOWED_MODULES))})"


def _member(module: str, name: str) -> str:
    """Why `module.name` may not be used."""
    if not module:
        return "one name may not stand for two modules"
    if module not in ALLOWED_MODULES:
        return _module(module)
    if module == "__future__" or name in MEMBERS[module]:
        return ""
    return f"`{module}.{name}` may not be used"


def _attribute(name: str, defined: set[str]) -> str:
    """Why no attribute of that name may be used.

    Private ones are for what the text itself defines.
    """
    foreign = name.startswith("_") and name not in defined | _OF_NAMEDTUPLES | _PLAIN_DUNDERS
    return f"`.{name}` may not be used" if foreign or name in _FORBIDDEN_ATTRIBUTES else ""


def _hidden(name: str) -> bool:
    """Whether it is an inner name of Python (`__class__`) or of enumerations (`_convert_`)."""
    inner = name.startswith("_") and name.endswith("_") and name.strip("_")
    return bool(inner) and name not in _PLAIN_DUNDERS
