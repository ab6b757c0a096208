"""Errors of `rtl_agent.tools`.

ToolError
├── ToolMissing          a required program or wheel is not installed
├── SourceUnreadable     a file cannot be read as RTL source
└── CheckUnusable        a check cannot run whatever the DUT is (bad path, bad columns, …)

Each carries a remedy: what the user can do about it, in one sentence. A DUT that is wrong is
never an error here: it is a result with diagnostics.
"""

from __future__ import annotations

__all__ = ["CheckUnusable", "SourceUnreadable", "ToolError", "ToolMissing"]


class ToolError(Exception):
    """Something the tools layer cannot do, with what to do about it."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class ToolMissing(ToolError):
    """A program or wheel that the request needs is not installed."""


class SourceUnreadable(ToolError):
    """A file cannot be read as RTL source (missing, a folder, not text)."""


class CheckUnusable(ToolError):
    """A check that cannot run whatever the DUT is; names file and line."""
