"""Errors and exit codes of the command line.

RtlAgentError            exit code on each class
├── UsageError           2   wrong options
├── ConfigError          2   a setting that cannot be used; names where it came from
├── SpecError            2   a spec that cannot be read; names file, line and what was expected
├── MissingError         3   a required tool or model is not here
├── BackendError         3   a model server that cannot be reached or answers nonsense
└── OutputError          2   a place that cannot be written

`tools.errors` and `decoding.errors` are turned into these at the edge of the command line, in
`cli/main.py`, and nowhere else.
"""

from __future__ import annotations

from enum import IntEnum

__all__ = [
    "BackendError",
    "ConfigError",
    "ExitCode",
    "MissingError",
    "OutputError",
    "RtlAgentError",
    "SpecError",
    "UsageError",
]


class ExitCode(IntEnum):
    """What the process exit status means."""

    REACHED = 0
    NOT_REACHED = 1
    USAGE = 2
    MISSING = 3
    BUDGET = 4
    INTERRUPTED = 130


class RtlAgentError(Exception):
    """An error with a remedy; `message` names the file and the place."""

    exit_code: ExitCode = ExitCode.USAGE

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(RtlAgentError):
    """Options or arguments that do not fit together."""


class ConfigError(RtlAgentError):
    """A setting that cannot be used."""


class SpecError(RtlAgentError):
    """A spec that cannot be read: names file, line and what was expected."""


class OutputError(RtlAgentError):
    """A file or folder that cannot be written."""


class MissingError(RtlAgentError):
    """A tool or model that is required is not installed."""

    exit_code = ExitCode.MISSING


class BackendError(RtlAgentError):
    """A model server that cannot be reached, or whose answer is unusable."""

    exit_code = ExitCode.MISSING
