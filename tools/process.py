"""Run one program with limits: the whole process group is killed and reaped, output is capped.

Every program of this package is started here and nowhere else.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ._proctree import MARK_VARIABLE, descendants, kill_marked, new_mark
from .checks.types import Limits
from .errors import ToolMissing
from .rlimits import apply_limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from .sandbox.base import Sandbox

__all__ = ["Limits", "ProcessResult", "Silence", "StopCause", "base_environment", "run"]

_POLL_S = 0.05
_CHUNK = 65536
_GONE_TRIES = 400
_GONE_PAUSE_S = 0.01
# What a tool needs from our environment. Nothing else is handed on: keys and tokens stay here.
_INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "LD_LIBRARY_PATH")


class StopCause(StrEnum):
    """Why a program was ended from outside."""

    WALL = "wall-clock limit"
    OUTPUT = "output limit"
    PROCESSES = "process limit"
    SILENCE = "no more output"


@dataclass(frozen=True, slots=True)
class Silence:
    """A limit on quiet: once `after` was printed, this many seconds without output."""

    after: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How one program ended.

    `exit_code` is negative for a signal, as `subprocess` has it. `stdout` and `stderr` are text
    with undecodable bytes replaced; with `output_truncated` they end where the limit was.
    `seconds` is wall time.
    """

    argv: tuple[str, ...]
    exit_code: int
    stdout: str
    stderr: str
    seconds: float
    stopped: StopCause | None = None
    sandboxed: bool = False

    @property
    def timed_out(self) -> bool:
        """Whether the wall-clock limit ended it."""
        return self.stopped is StopCause.WALL

    @property
    def output_truncated(self) -> bool:
        """Whether the output limit ended it."""
        return self.stopped is StopCause.OUTPUT

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with exit code 0."""
        return self.stopped is None and self.exit_code == 0

    @property
    def output(self) -> str:
        """Standard output and standard error, one after the other."""
        return self.stdout + self.stderr


def base_environment(cwd: Path) -> dict[str, str]:
    """The environment a tool gets: where programs are, the locale, and `cwd` as home and temp."""
    env = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    env.setdefault("LANG", "C.UTF-8")
    return env | {"HOME": str(cwd), "TMPDIR": str(cwd), "PYTHONDONTWRITEBYTECODE": "1"}


def run(  # noqa: PLR0913
    argv: Sequence[str],
    *,
    cwd: Path,
    limits: Limits,
    env: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    sandbox: Sandbox | None = None,
    silence: Silence | None = None,
) -> ProcessResult:
    """Run `argv` in `cwd` and wait for it, never longer than `limits.left_s`.

    Args:
        argv: The program and its arguments; no shell.
        cwd: Working folder; inside a sandbox the only writable one.
        limits: Bounds on the program and all it starts.
        env: Added to `base_environment(cwd)`.
        stdin: Given on standard input; without it the input is empty.
        sandbox: What encloses the program; None starts it directly, with limits alone.
        silence: Ends a program that has fallen silent.

    Returns:
        The result. When it is there, no process started by the program is left.

    Raises:
        ToolMissing: The program does not exist.
    """
    program = shutil.which(argv[0])
    if program is None:
        raise ToolMissing(f"program not found: {argv[0]}", remedy="install it, or fix PATH")
    cwd = cwd.resolve()
    mark = new_mark()
    environ = base_environment(cwd) | dict(env or {}) | {MARK_VARIABLE: mark}
    inner = [program, *argv[1:]]
    command = apply_limits(inner, limits)
    if sandbox is not None:
        command = sandbox.wrap(command, cwd=cwd)
    started = time.monotonic()
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=environ,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        watch = _Watch(child, limits, started + limits.left_s, stdin or b"", silence)
        try:
            stopped = watch.follow()
        finally:
            _kill_group(child)
            _until_gone(mark)
        watch.drain()
        code = child.wait()
    return ProcessResult(
        tuple(inner),
        code,
        watch.text("out"),
        watch.text("err"),
        time.monotonic() - started,
        stopped,
        sandbox is not None and sandbox.isolates,
    )


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill the session of `child`; its leader is not reaped yet, so the id is still its own."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _until_gone(mark: str) -> None:
    """Kill what left the group, and wait until nothing that carries the mark is alive.

    A sandbox takes its processes with it, but not before its own end has been noticed.
    """
    for _ in range(_GONE_TRIES):
        if not kill_marked(mark):
            return
        time.sleep(_GONE_PAUSE_S)


class _Watch:
    """Collects the output of a child and says when a limit is reached."""

    def __init__(
        self,
        child: subprocess.Popen[bytes],
        limits: Limits,
        deadline: float,
        stdin: bytes,
        silence: Silence | None = None,
    ) -> None:
        self._silence = silence
        self._speaking = False
        self._child = child
        self._limits = limits
        self._deadline = deadline
        self._stdin = memoryview(stdin)
        self._last_output = time.monotonic()
        self._room = limits.output_mib * 1024 * 1024
        self._parts: dict[str, list[bytes]] = {"out": [], "err": []}
        self._selector = selectors.DefaultSelector()
        for name, pipe in (("out", child.stdout), ("err", child.stderr)):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, name)
        if child.stdin is not None:
            os.set_blocking(child.stdin.fileno(), False)
            self._selector.register(child.stdin, selectors.EVENT_WRITE, "in")

    def follow(self) -> StopCause | None:
        """Read until the child has ended or a limit is reached; None means it ended."""
        next_census = time.monotonic() + _POLL_S
        while not self._ended():
            now = time.monotonic()
            if now >= self._deadline:
                return StopCause.WALL
            if self._speaking and self._silence and now > self._last_output + self._silence.seconds:
                return StopCause.SILENCE
            if now >= next_census:
                next_census = now + _POLL_S
                if len(descendants(self._child.pid)) > self._limits.processes:
                    return StopCause.PROCESSES
            self._pump(min(_POLL_S, self._deadline - now))
            if self._room <= 0:
                return StopCause.OUTPUT
        return None

    def _ended(self) -> bool:
        """Whether the leader has exited; it is left unreaped so that its group id stays taken."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._child.pid, flags) is not None

    def _pump(self, timeout: float) -> None:
        if not self._selector.get_map():
            time.sleep(min(timeout, 0.002))
            return
        for key, _ in self._selector.select(timeout):
            if key.data == "in":
                self._feed()
            else:
                self._read(key.fd, key.data)

    def _read(self, fd: int, name: str) -> bool:
        try:
            data = os.read(fd, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._selector.unregister(fd)
            return False
        self._last_output = time.monotonic()
        self._parts[name].append(data[: max(self._room, 0)])
        self._room -= len(data)
        if self._silence is not None and not self._speaking:
            self._speaking = self._silence.after.encode() in b"".join(self._parts[name])
        return self._room > 0

    def _feed(self) -> None:
        pipe = self._child.stdin
        assert pipe is not None
        try:
            written = os.write(pipe.fileno(), self._stdin[:_CHUNK])
        except BrokenPipeError:
            written = len(self._stdin)
        self._stdin = self._stdin[written:]
        if not self._stdin:
            self._selector.unregister(pipe)
            pipe.close()

    def drain(self) -> None:
        """Take what is still in the pipes; every writer is dead by now."""
        for key in list(self._selector.get_map().values()):
            if key.data == "in":
                continue
            while self._read(key.fd, key.data):
                pass
        self._selector.close()

    def text(self, name: str) -> str:
        """The text of one stream, `out` or `err`."""
        return b"".join(self._parts[name]).decode("utf-8", errors="replace")
