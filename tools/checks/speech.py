"""What a source says and does to the simulator: system tasks it calls, text it can print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Speech", "read_speech"]

_PRINTING = frozenset(
    f"${task}{suffix}"
    for task in ("display", "write", "strobe", "monitor", "fdisplay", "fwrite", "fstrobe", "info",
                 "warning", "error", "fatal", "fmonitor")
    for suffix in ("", "b", "h", "o")
)  # fmt: skip
_ENDING = frozenset({"$finish", "$stop", "$fatal"})


@dataclass(frozen=True, slots=True)
class Speech:
    """System tasks with the place of their first call, string literals, and identifiers."""

    tasks: Mapping[str, str]
    literals: tuple[str, ...]
    names: frozenset[str] = frozenset()

    @property
    def ends(self) -> tuple[str, str] | None:
        """A task that ends the simulation, with its place."""
        return next(((t, p) for t, p in self.tasks.items() if t in _ENDING), None)

    @property
    def prints(self) -> bool:
        """Whether the source can write to the simulation's output."""
        return any(task in _PRINTING for task in self.tasks)


def read_speech(sources: Iterable[tuple[str, str]]) -> Speech:
    """Read `(file name, text)` pairs, token by token, macros expanded."""
    from pyslang import SourceManager
    from pyslang.parsing import Token, TokenKind
    from pyslang.syntax import SyntaxTree

    tasks: dict[str, str] = {}
    literals: list[str] = []
    names: set[str] = set()
    for name, text in sources:
        manager = SourceManager()
        tree = SyntaxTree.fromText(text, manager, name)

        def note(item: object, name: str = name, manager: SourceManager = manager) -> None:
            if not isinstance(item, Token):
                return
            if item.kind == TokenKind.SystemIdentifier:
                line = manager.getLineNumber(manager.getFullyOriginalLoc(item.location))
                tasks.setdefault(item.valueText, f"{name}:{line}")
            elif item.kind == TokenKind.StringLiteral:
                literals.append(item.valueText)
            elif item.kind == TokenKind.Identifier:
                names.add(item.valueText)

        tree.root.visit(note)
    return Speech(tasks, tuple(literals), frozenset(names))
