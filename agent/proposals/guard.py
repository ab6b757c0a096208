"""What a proposed reference may not contain, told from its syntax tree before it ever runs.

The sandbox keeps it from the machine. This keeps it from the *design*: it runs inside the
simulator, where an import of cocotb, or a walk from frame to frame, reaches the outputs it is to
judge; a reference that copies them agrees with every design. So it gets plain Python over numbers
and the public functions of a few modules that compute, and nothing that leads elsewhere.
"""

from __future__ import annotations

import ast
import importlib
import types

__all__ = ["ALLOWED_MODULES", "find_fault"]

ALLOWED_MODULES = frozenset(
    {
        "__future__",
        "collections",
        "copy",
        "dataclasses",
        "enum",
        "functools",
        "itertools",
        "math",
        "operator",
        "typing",
    }
)
# Doors to names given as text, to files, and to what differs from run to run.
_FORBIDDEN_NAMES = frozenset(
    {
        "breakpoint",
        "compile",
        "delattr",
        "eval",
        "exec",
        "exit",
        "getattr",
        "globals",
        "hash",
        "help",
        "id",
        "input",
        "locals",
        "memoryview",
        "open",
        "print",
        "quit",
        "setattr",
        "type",
        "vars",
    }
)
# Of the allowed modules: what evaluates text, or fetches attributes by name.
_FORBIDDEN_MEMBERS = frozenset(
    {
        "ForwardRef",
        "attrgetter",
        "get_type_hints",
        "make_dataclass",
        "methodcaller",
        "singledispatch",
        "singledispatchmethod",
    }
)
# Of any object: frames, and texts whose fields name attributes (`"{0.__class__}".format(x)`).
_FORBIDDEN_ATTRIBUTES = frozenset(
    {
        "ag_frame",
        "cr_frame",
        "f_back",
        "f_builtins",
        "f_globals",
        "f_locals",
        "format",
        "format_map",
        "gi_frame",
        "tb_frame",
        "tb_next",
        "with_traceback",
    }
)
_PLAIN_DUNDERS = frozenset({"__init__", "__post_init__", "__slots__"})
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
    modules = _modules(tree)
    bases = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for node in ast.walk(tree):
        problem = _of_import(node) or _of_name(node, modules, bases) or _of_rest(node, modules)
        if problem:
            return f"line {getattr(node, 'lineno', 0)}: {problem}"
    if not any(isinstance(n, ast.FunctionDef) and n.name == "step" for n in ast.walk(tree)):
        return "there is no step(inputs) in it"
    return ""


def _modules(tree: ast.Module) -> dict[str, str]:
    """The names that stand for modules in the text, and which."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def _of_import(node: ast.AST) -> str:
    if isinstance(node, ast.Import):
        return next((p for alias in node.names if (p := _module(alias.name))), "")
    if isinstance(node, ast.ImportFrom):
        name = "." * node.level + (node.module or "")
        members = (_member(name, alias.name) for alias in node.names)
        return _module(name) or next((p for p in members if p), "")
    return ""


def _of_name(node: ast.AST, modules: dict[str, str], bases: set[int]) -> str:
    """A name that may not be used, or a module used as a value: under another name it is free."""
    if not isinstance(node, ast.Name):
        return ""
    if node.id in _FORBIDDEN_NAMES or _hidden(node.id):
        return f"`{node.id}` may not be used"
    if node.id in modules and id(node) not in bases:
        return f"the module `{node.id}` may only be used as `{node.id}.name`"
    return ""


def _of_rest(node: ast.AST, modules: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id in modules:
            return _member(modules[node.value.id], node.attr)
        return _attribute(node.attr)
    if isinstance(node, ast.MatchClass):
        return next((p for name in node.kwd_attrs if (p := _attribute(name))), "")
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and _hidden(node.name):
        return f"`{node.name}` may not be defined"  # values that compare equal to everything
    if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
        return "a reference waits for nothing: no `async`"
    return ""


def _module(name: str) -> str:
    if name in ALLOWED_MODULES:
        return ""
    return f"`import {name}` is not allowed (only {', '.join(sorted(ALLOWED_MODULES))})"


def _member(module: str, name: str) -> str:
    """Why `module.name` may not be used: it is private, a module itself, or no harmless function.

    Standard modules hold the modules that they import (`enum.sys`, `typing.re`).
    """
    if module not in ALLOWED_MODULES:
        return _module(module)
    found = getattr(importlib.import_module(module), name, None)
    if name == "*" or name.startswith("_") or name in _FORBIDDEN_MEMBERS | _FORBIDDEN_ATTRIBUTES:
        return f"`{module}.{name}` may not be used"
    if isinstance(found, types.ModuleType):
        return f"`{module}.{name}` is a module and may not be used"
    return ""


def _attribute(name: str) -> str:
    return f"`.{name}` may not be used" if _hidden(name) or name in _FORBIDDEN_ATTRIBUTES else ""


def _hidden(name: str) -> bool:
    """Whether it is one of Python's own inner names, from which everything can be reached."""
    return name.startswith("__") and name.endswith("__") and name not in _PLAIN_DUNDERS
