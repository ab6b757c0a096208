"""Data of a run to JSON and back, for the files of the run folder.

Works on frozen dataclasses made of plain values, paths, enums, tuples, mappings and one another,
by their annotations; names that a module imports for type checkers only are looked up here.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from rtl_agent.agent.errors import OutputError
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.verdict import Verdict
from rtl_agent.decoding.api import DecodeStats, FinishReason
from rtl_agent.tools.checks.types import (
    CheckResult,
    CheckSource,
    CheckStatus,
    Cycle,
    Limits,
    Mismatch,
)
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

from .folder import write_text
from .options import SolveOptions

__all__ = ["check_version", "decode", "dump", "encode", "load", "load_if_there"]

T = TypeVar("T")

_NAMES: dict[str, Any] = {
    t.__name__: t
    for t in (
        # What the modules of dataclasses import for type checkers only.
        CheckResult,
        CheckSource,
        CheckStatus,
        Clocking,
        Cycle,
        DecodeStats,
        Diagnostic,
        Direction,
        FinishReason,
        Interface,
        Limits,
        Mapping,
        Mismatch,
        Parameter,
        Path,
        Port,
        Sequence,
        Severity,
        SolveOptions,
        Spec,
        Verdict,
    )
}


def encode(value: Any) -> Any:
    """`value` as plain JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(k): encode(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [encode(v) for v in value]
    return value


def decode(kind: Any, value: Any) -> Any:
    """The value of type `kind` that `encode` turned into `value`.

    Raises:
        TypeError, ValueError, KeyError: `value` is not of that form.
    """
    origin = get_origin(kind)
    if origin in {types.UnionType, Union}:
        return _decode_union(get_args(kind), value)
    if origin is tuple:
        return tuple(decode(get_args(kind)[0], v) for v in _expect(list, value))
    if origin in {dict, Mapping}:
        inner = get_args(kind)[1]
        return {k: decode(inner, v) for k, v in _expect(dict, value).items()}
    return _decode_dataclass(kind, value) if is_dataclass(kind) else _decode_plain(kind, value)


def dump(path: Path, value: object) -> None:
    """Write `value` to `path`, all of it or nothing."""
    write_text(path, json.dumps(encode(value)) + "\n")


def load(path: Path, kind: type[T]) -> T:
    """Read what `dump` wrote.

    Raises:
        OutputError: the file is missing, or is not what a run writes.
    """
    try:
        found: T = decode(kind, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise OutputError(
            f"{path}: not a file of a run that can be read ({error})",
            remedy="start a new run; this run folder is damaged",
        ) from error
    check_version(path, found, next((f.default for f in _versions(kind)), None))
    return found


def check_version(path: Path, found: Any, ours: Any) -> None:
    """Refuse a file that another version of this program wrote.

    Raises:
        OutputError: its `schema_version` is not `ours`.
    """
    theirs = found.get("schema_version", ours) if isinstance(found, dict) else ours
    theirs = getattr(found, "schema_version", theirs)
    if theirs != ours:
        raise OutputError(
            f"{path}: written in format {theirs}, this version reads {ours}",
            remedy="use the version of rtl-agent that made the run, or start a new run",
        )


def _versions(kind: Any) -> list[Any]:
    found = fields(kind) if is_dataclass(kind) else ()
    return [f for f in found if f.name == "schema_version"]


def load_if_there(path: Path, kind: type[T]) -> T | None:
    """Read `path`, or None when the step that writes it has not finished yet."""
    return load(path, kind) if path.is_file() else None


def _decode_dataclass(kind: Any, value: Any) -> Any:
    hints = _hints(kind)
    known = {k: v for k, v in _expect(dict, value).items() if k in hints}
    return kind(**{k: decode(hints[k], v) for k, v in known.items()})


def _decode_plain(kind: Any, value: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, Enum | Path):
        return kind(value)
    if kind is float:
        return float(_expect((int, float), value))
    return _expect(kind, value)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, localns=_NAMES)


def _decode_union(kinds: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in kinds:
        return None
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return decode(kind, value)
        except (TypeError, ValueError, KeyError):
            continue
    raise TypeError(f"{value!r} is none of {kinds}")


def _expect(kind: Any, value: Any) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"{value!r} is not {kind}")
    return value
