"""The one form in which every tool reports what it found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Diagnostic", "Severity"]


class Severity(StrEnum):
    """How bad a finding is; ours, whatever the tool that found it called it."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about one place in a source file.

    `line` and `column` count from 1; 0 means the tool did not say. `code` is stable
    (`implicit-net`, `latch`, …) so that nobody has to read `message` to decide anything.
    """

    file: str
    line: int
    column: int
    severity: Severity
    code: str
    message: str
    hint: str
    tool: str

    def __str__(self) -> str:
        """Format as `file:line:column: severity: message [code]`."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.severity}: {self.message} [{self.code}]"
