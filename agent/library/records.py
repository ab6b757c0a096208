"""Library designs on disk: one JSON object a line, gzip-compressed."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

from .words import query_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = [
    "LibraryRecord",
    "interface_from_json",
    "interface_to_json",
    "read_records",
    "write_records",
]


@dataclass(frozen=True, slots=True)
class LibraryRecord:
    """One verified design.

    Attributes:
        family: its kind.
        search: text by whose words it is found.
        words: those words ready for the index, with spaces between; empty to make them anew.
        traits: the choices by which it differs from others of its family (see `traits`).
    """

    name: str
    family: str
    spec: str
    rtl: str
    interface: Interface
    search: str
    origin: str = "shipped"
    words: str = ""
    traits: Mapping[str, str] = field(default_factory=dict)


def interface_to_json(interface: Interface) -> dict[str, Any]:
    """A JSON object from which `interface_from_json` makes an equal interface."""
    return {
        "module": interface.module,
        "parameters": [[p.name, p.default] for p in interface.parameters],
        "ports": [
            [str(p.direction), p.name, p.width, p.signed, p.description] for p in interface.ports
        ],
    }


def interface_from_json(data: dict[str, Any]) -> Interface:
    """The inverse of `interface_to_json`."""
    return Interface(
        data["module"],
        tuple(
            Port(Direction(d), name, width, signed=signed, description=description)
            for d, name, width, signed, description in data["ports"]
        ),
        tuple(Parameter(name, default) for name, default in data["parameters"]),
    )


def write_records(path: Path, records: Iterable[LibraryRecord]) -> int:
    """Write `records` to a gzip JSONL file (no time stamp: equal input, equal bytes)."""
    count = 0
    partial = path.with_name(path.name + ".part")
    with (
        partial.open("wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as out,
    ):
        for record in records:
            line = {
                "name": record.name,
                "family": record.family,
                "spec": record.spec,
                "rtl": record.rtl,
                "interface": interface_to_json(record.interface),
                # Taking words out of texts is most of the cost of opening a library.
                "words": record.words or " ".join(query_words(record.search, record.interface)),
                "traits": dict(record.traits),
            }
            out.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            count += 1
    partial.replace(path)  # whoever reads meanwhile has the old file whole
    return count


def read_records(path: Path) -> Iterator[LibraryRecord]:
    """Read what `write_records` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            data = json.loads(line)
            yield LibraryRecord(
                data["name"],
                data["family"],
                data["spec"],
                data["rtl"],
                interface_from_json(data["interface"]),
                data.get("search", ""),
                words=data.get("words", ""),
                traits=data.get("traits", {}),
            )
