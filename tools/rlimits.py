"""Resource limits, put on a program before it starts."""

from __future__ import annotations

import functools
import math
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checks.types import Limits

__all__ = ["apply_limits"]

_MIB = 1024 * 1024
# A file may be larger than what is printed: waves and compiled designs are files.
_FILE_FACTOR = 8


def apply_limits(argv: list[str], limits: Limits) -> list[str]:
    """Prefix `argv` so that it starts with the limits already on.

    `prlimit` (util-linux) sets them and then becomes the program. A hook between fork and exec
    would not be safe in a process with threads. Where `prlimit` is missing, `sh` sets those of
    them that every shell knows.
    """
    cpu = math.ceil(limits.wall_s) * 2 + 5
    file_bytes = limits.output_mib * _FILE_FACTOR * _MIB
    prlimit = _which("prlimit")
    if prlimit is None:
        script = (
            f"ulimit -c 0; ulimit -t {cpu}; ulimit -f {file_bytes // 512}; "
            f'ulimit -v {limits.memory_mib * 1024} 2>/dev/null; exec "$@"'
        )
        return ["/bin/sh", "-c", script, "sh", *argv]
    options = [
        "--core=0",
        f"--cpu={cpu}",
        f"--fsize={file_bytes}",
        f"--as={limits.memory_mib * _MIB}",
    ]
    nproc = _nproc(limits.processes)
    if nproc is not None:
        options.append(f"--nproc={nproc}")
    return [prlimit, *options, "--", *argv]


@functools.cache
def _which(program: str) -> str | None:
    return shutil.which(program)


def _nproc(processes: int) -> int | None:
    """The kernel counts all tasks of the user, so what runs already has to be added.

    None for root, whom the kernel does not limit; `run` counts processes itself as well.
    """
    if os.getuid() == 0:
        return None
    total = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if entry.stat().st_uid == os.getuid():
                total += sum(1 for _ in (entry / "task").iterdir())
        except OSError:
            continue
    return total + processes + 16
