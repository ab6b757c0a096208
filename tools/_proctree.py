"""Find processes by ancestry or by a mark in their environment (Linux; elsewhere: none found)."""

from __future__ import annotations

import os
import re
import secrets
import signal
from pathlib import Path

__all__ = ["MARK_VARIABLE", "descendants", "kill_marked", "new_mark"]

_PROC = Path("/proc")


def descendants(pid: int) -> set[int]:
    """All living descendants of `pid`, without `pid` itself."""
    found: set[int] = set()
    todo = [pid]
    while todo:
        parent = todo.pop()
        for task in _listdir(_PROC / str(parent) / "task"):
            for child in _read(_PROC / str(parent) / "task" / task / "children").split():
                if int(child) not in found:
                    found.add(int(child))
                    todo.append(int(child))
    return found


MARK_VARIABLE = "RTL_AGENT_JOB"


def new_mark() -> str:
    """A mark that no other process can carry."""
    return secrets.token_hex(16)


def kill_marked(mark: str) -> int:
    """Kill every process that was started with `mark`; returns how many there were.

    Catches what left the process group by starting a session of its own. A process carries a
    mark if its environment has exactly the entry `MARK_VARIABLE=mark`; part of an entry is not
    enough, or processes of others would be killed.

    Raises:
        ValueError: `mark` is not one that `new_mark` made.
    """
    if re.fullmatch(r"[0-9a-f]{32}", mark) is None:
        raise ValueError(f"not a mark: {mark!r}")
    wanted = f"{MARK_VARIABLE}={mark}".encode()
    killed = 0
    for entry in _listdir(_PROC):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            if wanted in (_PROC / entry / "environ").read_bytes().split(b"\0"):
                os.kill(int(entry), signal.SIGKILL)
                killed += 1
        except OSError:  # gone meanwhile, or another user's
            continue
    return killed


def _listdir(path: Path) -> list[str]:
    try:
        return [entry.name for entry in path.iterdir()]
    except OSError:
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
