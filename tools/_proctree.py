"""Find processes by ancestry or by a mark in their environment (Linux; elsewhere: none found)."""

from __future__ import annotations

import os
import signal
from pathlib import Path

__all__ = ["descendants", "kill_marked"]

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


def kill_marked(name: str, value: str) -> int:
    """Kill every process whose environment has `name=value`; returns how many there were.

    Catches what left the process group by starting a session of its own.
    """
    mark = f"{name}={value}".encode()
    killed = 0
    for entry in _listdir(_PROC):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            if mark in (_PROC / entry / "environ").read_bytes():
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
