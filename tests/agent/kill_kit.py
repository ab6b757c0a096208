"""A run in a child process that is killed at a point of it, as tests of resuming need."""

from __future__ import annotations

import os
import signal
import warnings
from typing import TYPE_CHECKING

from rtl_agent.agent.graph import session  # noqa: F401 - imported once, here, and not in each child

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Killer", "killed"]


class Killer:
    """Kills the process when it has been called `at` times."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, _event: object) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def killed(
    run: Callable[[Path, Killer, str], object], out: Path, at: int, resume: str = ""
) -> bool:
    """Call `run` in a child that is killed at point `at`; false when it returned before.

    `run` calls its second argument at every point at which it can be killed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads; none run here
        pid = os.fork()
    if pid == 0:
        code = 1
        try:
            run(out, Killer(at), resume)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0
    return False
