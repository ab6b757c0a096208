"""Finds the specs that arguments name: files, folders, standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import RtlAgentError, SpecError, UsageError

from .roles import require_spec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.spec.model import Spec

__all__ = ["find_specs", "read_all"]

_NOT_SPECS = frozenset({"readme.md", "changelog.md", "license.md", "contributing.md"})


def find_specs(arguments: Sequence[str]) -> list[Path | None]:
    """The spec files that `arguments` name, in order; None stands for standard input.

    A folder stands for the `*.md` files in it and below, without READMEs and run output.

    Raises:
        UsageError: A folder without specs, a file that is clearly no spec, or nothing at all.
    """
    found: list[Path | None] = []
    for argument in arguments:
        path = Path(argument)
        if argument == "-":
            found.append(None)
        elif path.is_dir():
            inside = sorted(
                p
                for p in path.rglob("*.md")
                if p.name.lower() not in _NOT_SPECS
                and not p.name.endswith(".report.md")
                and not {"runs", "rtl-out"} & set(p.relative_to(path).parts[:-1])
                and not any(part.startswith(".") for part in p.relative_to(path).parts)
            )
            if not inside:
                raise UsageError(
                    f"{path}: no spec in this folder", remedy="Specs are files that end in .md."
                )
            found.extend(inside)
        else:
            require_spec(path)
            found.append(path)
    if not found:
        raise UsageError(
            "no spec was named",
            remedy="Name a file, a folder of specs, or `-` for standard input: "
            "`rtl-agent solve spec.md`.",
        )
    return list(dict.fromkeys(found))


def _read(path: Path | None) -> Spec:
    from rtl_agent.agent.spec.load import MAX_BYTES, decode_spec
    from rtl_agent.agent.spec.read import read_spec, read_spec_text

    if path is not None:
        return read_spec(path)
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    return read_spec_text(decode_spec(data, "standard input"), name="standard input")


def read_all(paths: Sequence[Path | None]) -> list[Spec]:
    """Read every spec before anything else is done with any.

    Raises:
        SpecError: One or more cannot be read; the message has them all.
    """
    specs: list[Spec] = []
    errors: list[RtlAgentError] = []
    for path in paths:
        try:
            specs.append(_read(path))
        except SpecError as error:
            errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        lines = [f"{e.message}\n  -> {e.remedy}" if e.remedy else e.message for e in errors]
        raise SpecError("\nerror: ".join(lines))
    return specs
