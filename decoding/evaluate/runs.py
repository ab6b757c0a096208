"""One timed run of a contender."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Run", "busy_elsewhere", "read_run"]


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of the whole call and until its first token, the new tokens, what was spent on what.

    The rest is what this engine says of itself; 0 for others.
    """

    seconds: float
    first_s: float
    tokens: tuple[int, ...]
    passes: int = 0
    draft_s: float = 0.0
    target_s: float = 0.0
    accept_s: float = 0.0

    @property
    def decode_s(self) -> float:
        """Seconds behind the first token."""
        return max(self.seconds - self.first_s, 1e-9)


def read_run(fields: dict[str, Any]) -> Run:
    """A run as it was kept in a file."""
    return Run(**{**fields, "tokens": tuple(fields["tokens"])})


def busy_elsewhere() -> float:
    """CPU seconds since the start of the machine that this process has not used.

    Differences of it say how busy the machine was with other things. 0 where the system does not
    tell (only Linux does).
    """
    try:
        fields = Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:9]
    except OSError:
        return 0.0
    used = sum(map(int, fields)) - int(fields[3]) - int(fields[4])  # without idle and waiting
    own = os.times()
    return used / os.sysconf("SC_CLK_TCK") - own.user - own.system
