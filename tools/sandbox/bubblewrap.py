"""Bubblewrap: no network, a read-only system, and one writable folder."""

from __future__ import annotations

import functools
import importlib.util
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

__all__ = ["Bubblewrap"]

# What programs need of the system. Everything else, home folders first, is simply not there.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/etc/alternatives")
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime")
_PROBE_TIMEOUT_S = 5.0
# Programs that may live outside the system folders, with libraries beside them.
_TOOLS = ("iverilog", "vvp", "verilator", "yosys")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Encloses programs with `bwrap`.

    The program sees the system folders and this Python, all read-only, an empty `/tmp`, its own
    process table, and its working folder. It does not see home folders, other users' files or
    the network. `readable` adds read-only paths. Not covered: kernel bugs, and how much the disk
    below the working folder fills (limits bound single files only).
    """

    readable: tuple[Path, ...] = ()
    name: str = "bubblewrap"
    isolates: bool = True

    def available(self) -> bool:
        """Whether `bwrap` can enclose a program here; tried once a process."""
        return _works()

    def with_readable(self, *paths: Path) -> Bubblewrap:
        """The same, with these paths readable too."""
        return replace(self, readable=(*self.readable, *paths))

    def wrap(self, argv: list[str], *, cwd: Path) -> list[str]:
        """Put `argv` behind `bwrap`."""
        options = [_bwrap() or "bwrap", *_fixed_options()]
        for path in self.readable:
            options += ["--ro-bind-try", str(path), str(path)]
        options += ["--bind", str(cwd), str(cwd), "--chdir", str(cwd), "--"]
        return [*options, *argv]


@functools.cache
def _bwrap() -> str | None:
    return shutil.which("bwrap")


@functools.cache
def _fixed_options() -> tuple[str, ...]:
    options = ["--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    for folder in _SYSTEM:
        path = Path(folder)
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), folder]
        elif path.exists():
            options += ["--ro-bind", folder, folder]
    for name in _ETC:
        options += ["--ro-bind-try", name, name]
    options += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108
    for path in _extra_paths():
        options += ["--ro-bind", str(path), str(path)]
    return tuple(options)


def _extra_paths() -> list[Path]:
    """Folders outside the system that tools run from: this Python, its packages, EDA programs."""
    wanted = [Path(sys.prefix), Path(sys.base_prefix)]
    spec = importlib.util.find_spec("cocotb")
    if spec is not None and spec.origin is not None:
        wanted.append(Path(spec.origin).parent.parent)
    for tool in _TOOLS:
        found = shutil.which(tool)
        if found is not None:
            wanted += [Path(found).parent.parent, Path(found).resolve().parent.parent]
    kept: list[Path] = []
    for path in sorted({p.resolve() for p in wanted} | set(wanted)):
        inside = any(path.is_relative_to(known) for known in (*map(Path, _SYSTEM), *kept))
        if not inside and not _is_private(path) and path.is_dir():
            kept.append(path)
    return kept


def _is_private(path: Path) -> bool:
    """Whether binding `path` would show a whole home folder, or the whole machine."""
    home = Path.home()
    return path == home or home.is_relative_to(path) or path == Path("/")


@functools.cache
def _works() -> bool:
    """Try it: the program runs, and it runs without a network."""
    bwrap = _bwrap()
    if bwrap is None:
        return False
    only_loopback = 'test "$(grep -c : /proc/net/dev)" = 1'
    probe = [bwrap, *_fixed_options(), "--", "/bin/sh", "-c", only_loopback]
    try:
        done = subprocess.run(
            probe,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
