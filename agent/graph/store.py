"""Opens a run's checkpoints: one process at a time, and every failure as one clear error."""

from __future__ import annotations

import fcntl
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from langgraph.checkpoint.sqlite import SqliteSaver
from rtl_agent.agent.errors import OutputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .folder import RunFolder

__all__ = ["open_checkpoints"]


@contextmanager
def open_checkpoints(folder: RunFolder) -> Iterator[SqliteSaver]:
    """The run's checkpoints, for this process alone.

    Raises:
        UsageError: another process is working on this run.
        OutputError: the file is damaged, or the disk is full.
    """
    with _alone(folder):
        try:
            with closing(sqlite3.connect(folder.checkpoints, check_same_thread=False)) as db:
                saver = SqliteSaver(db)
                saver.setup()  # turns on write-ahead logging, with which NORMAL survives any kill
                db.execute("PRAGMA synchronous=NORMAL")
                yield saver
        except sqlite3.Error as error:
            raise OutputError(
                f"{folder.checkpoints}: cannot be used ({error})",
                remedy="free space on the disk; if the file is damaged, start a new run",
            ) from error


@contextmanager
def _alone(folder: RunFolder) -> Iterator[None]:
    """Hold the run's lock; the system lets go of it when the process dies, however it dies."""
    path = folder.root / "run.lock"
    try:
        lock = path.open("w")
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror or error})",
            remedy="make the run folder writable, or start a new run with another --out",
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(
                f"run {folder.run_id} is already going on in another process",
                remedy="wait for it, or start a new run without --resume",
            ) from error
        yield
