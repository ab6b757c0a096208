"""System tasks and functions: what a design may call, and why the others are refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyslang import syntax

from ..diagnostic import Severity
from .finding import at_token, finding
from .system_names import ENDS, FILES, HARMLESS, HOST, PRINTS, READS, SIMULATION_ONLY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostic import Diagnostic
    from .finding import Context

__all__ = ["system_task_findings"]

# Names: code, why, hint.
_REASONS = (
    (
        ENDS,
        "ends-simulation",
        "ends the simulation before the design is judged",
        "remove it; only a testbench may end the simulation",
    ),
    (
        PRINTS,
        "prints",
        "can imitate a testbench's report",
        "remove it; a design prints nothing",
    ),
    (FILES, "file-access", "reaches files", "remove it"),
    (HOST, "host-access", "reaches outside the simulation", "remove it"),
)
_PLAIN_PATH = re.compile(r'"[\w./-]+"')


def system_task_findings(context: Context) -> Iterator[Diagnostic]:
    """Findings for every system task or function named anywhere in the trees.

    Elaboration-time `$error` and `$fatal` (outside any process, on a parameter) are not
    simulated, have another syntax kind, and are left alone.
    """
    kinds = syntax.SyntaxKind
    names: list[Any] = []
    disguised: list[Any] = []

    def called(node: Any) -> None:
        if node is not None and node.kind == kinds.IdentifierName:
            disguised.append(node)

    table = {
        kinds.SystemName: names.append,
        kinds.InvocationExpression: lambda n: called(n.left),
        kinds.ExpressionStatement: lambda n: called(n.expr),
    }
    for tree in context.unit.trees:
        tree.root.visit(lookup_table=table)
    for node in names:
        yield from _judge(context, node)
    for node in disguised:
        yield from _judge_disguised(context, node)


def _judge_disguised(context: Context, node: Any) -> Iterator[Diagnostic]:
    r"""A call of `\$finish `: to the standard a task of the design, to Icarus the real one."""
    name = node.identifier.valueText
    if name.startswith("$"):
        message = f"a call of the escaped name `{name}`: Icarus runs the system task"
        hint = "call it by a name that does not start with $"
        yield at_token(context, node, "disguised-system-task", message, hint)


def _judge(context: Context, node: Any) -> Iterator[Diagnostic]:
    token = node.systemIdentifier
    name = token.valueText
    if name in HARMLESS:
        return
    if name in READS:
        yield from _judge_read(context, node, name)
    elif name in SIMULATION_ONLY:
        yield finding(
            context.unit.place(token.location),
            "simulation-only",
            f"{name} has no meaning in hardware",
            "describe the behaviour with logic and registers",
            severity=Severity.WARNING,
        )
    else:
        for names, code, why, hint in _REASONS:
            if name in names:
                yield at_token(context, token, code, f"{name} in the design {why}", hint)
                return
        message = f"{name} is no system function that a design may use"
        hint = "write the function in Verilog"
        yield at_token(context, token, "unknown-system-task", message, hint)


def _judge_read(context: Context, node: Any, name: str) -> Iterator[Diagnostic]:
    """A memory may be filled from a file in the work folder, named by a plain string."""
    token = node.systemIdentifier
    argument = _first_argument(node)
    if not _PLAIN_PATH.fullmatch(argument):
        message = f"{name} with a file name that is no plain string"
        hint = 'name the file directly: "table.hex"'
        yield at_token(context, token, "file-access", message, hint)
        return
    target = Path(argument.strip('"'))
    if any(_stays_inside(root, target) for root in context.roots):
        return
    message = f"{name} reads {argument}, outside the work folder"
    hint = "put the file beside the design, or fill the memory with a case or an initial block"
    yield at_token(context, token, "file-access", message, hint)


def _first_argument(node: Any) -> str:
    arguments = getattr(node.parent, "arguments", None)
    parameters: Any = getattr(arguments, "parameters", ())
    return str(parameters[0]).strip() if len(parameters) else ""


def _stays_inside(root: Path, target: Path) -> bool:
    base = root.resolve()
    return (base / target).resolve().is_relative_to(base)
