"""System tasks and functions: what a design may call, and why the others are refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pyslang import syntax

from ..diagnostic import Severity
from .finding import at_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyslang import parsing

    from ..diagnostic import Diagnostic
    from .finding import Context

__all__ = ["FORBIDDEN", "system_task_findings"]

_KIND = syntax.SyntaxKind


def _words(text: str) -> frozenset[str]:
    return frozenset(f"${word}" for word in text.split())


_ENDS = _words("finish stop fatal exit")
_PRINTS = _words(
    "display displayb displayh displayo write writeb writeh writeo monitor monitorb monitorh "
    "monitoro monitoron monitoroff strobe strobeb strobeh strobeo error warning info printtimescale "
    "showscopes showvars list scope"
)
_FILES = _words(
    "fopen fclose fdisplay fdisplayb fdisplayh fdisplayo fwrite fwriteb fwriteh fwriteo fmonitor "
    "fmonitorb fmonitorh fmonitoro fstrobe fstrobeb fstrobeh fstrobeo fgetc ungetc fgets fscanf "
    "fread fseek ftell rewind fflush feof ferror writememb writememh sreadmemb sreadmemh sdf_annotate"
    " dumpfile dumpvars dumpon dumpoff dumpall dumplimit dumpflush dumpports dumpportsoff "
    "dumpportson dumpportsall dumpportslimit dumpportsflush log nolog key nokey input save restart "
    "incsave reset getpattern"
)
_HOST = _words("system test$plusargs value$plusargs getenv plusargs")
_READS = _words("readmemh readmemb")
_HARMLESS = _words(
    "clog2 signed unsigned bits size left right low high increment dimensions unpacked_dimensions "
    "countones countbits onehot onehot0 isunknown cast typename itor rtoi realtobits bitstoreal "
    "shortrealtobits bitstoshortreal ln log10 exp sqrt pow floor ceil sin cos tan asin acos atan "
    "atan2 hypot sinh cosh tanh asinh acosh atanh rose fell stable changed past sampled"
)
_SIMULATION_ONLY = _words(
    "random urandom urandom_range dist_uniform dist_normal dist_exponential dist_poisson dist_chi_square "
    "dist_t dist_erlang time stime realtime timeformat sformatf sformat swrite swriteb swriteh swriteo"
)

FORBIDDEN = _ENDS | _PRINTS | _FILES | _HOST | _READS

_PLAIN_PATH = re.compile(r'"[\w./-]+"')


def system_task_findings(context: Context) -> Iterator[Diagnostic]:
    """Findings for every system task or function named anywhere in the trees.

    Elaboration-time `$error` and `$fatal` (in a generate block, on a parameter) are not
    simulated and are left alone.
    """
    names: list[syntax.SystemNameSyntax] = []
    for tree in context.unit.trees:
        tree.root.visit(lookup_table={_KIND.SystemName: names.append})
    for node in names:
        yield from _judge(context, node)


def _judge(context: Context, node: syntax.SystemNameSyntax) -> Iterator[Diagnostic]:
    token = node.systemIdentifier
    name = token.valueText
    if name in _HARMLESS:
        return
    if name in _READS:
        yield from _judge_read(context, node, name)
        return
    code, why, hint, severity = _reason(name)
    yield at_token(context, token, code, f"{name} {why}", hint, severity)


def _reason(name: str) -> tuple[str, str, str, Severity]:
    error = Severity.ERROR
    if name in _ENDS:
        return (
            "ends-simulation",
            "in the design ends the simulation before it is judged",
            "remove it; only a testbench may end the simulation",
            error,
        )
    if name in _PRINTS:
        return (
            "prints",
            "in the design can imitate a testbench's report",
            "remove it; a design prints nothing",
            error,
        )
    if name in _FILES:
        return ("file-access", "in the design reaches files", "remove it", error)
    if name in _HOST:
        return ("host-access", "in the design reaches outside the simulation", "remove it", error)
    if name in _SIMULATION_ONLY:
        return (
            "simulation-only",
            "has no meaning in hardware",
            "describe the behaviour with logic and registers",
            Severity.WARNING,
        )
    return (
        "unknown-system-task",
        "is no system function that a design may use",
        "write the function in Verilog",
        error,
    )


def _judge_read(context: Context, node: syntax.SystemNameSyntax, name: str) -> Iterator[Diagnostic]:
    """A memory may be filled from a file in the work folder, named by a plain string."""
    token: parsing.Token = node.systemIdentifier
    argument = _first_argument(node)
    if not _PLAIN_PATH.fullmatch(argument):
        message = f"{name} with a file name that is no plain string"
        yield at_token(
            context, token, "file-access", message, 'name the file directly: "table.hex"'
        )
        return
    target = Path(argument.strip('"'))
    inside = any(_stays_inside(root, target) for root in context.roots)
    if not inside:
        yield at_token(
            context,
            token,
            "file-access",
            f"{name} reads {argument}, outside the work folder",
            "put the file beside the design, or fill the memory with a case or an initial block",
        )


def _first_argument(node: syntax.SystemNameSyntax) -> str:
    call = node.parent
    arguments = getattr(call, "arguments", None)
    parameters = getattr(arguments, "parameters", ())
    return str(parameters[0]).strip() if len(parameters) else ""


def _stays_inside(root: Path, target: Path) -> bool:
    base = root.resolve()
    return (base / target).resolve().is_relative_to(base)
