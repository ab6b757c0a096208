"""Files that a check needs from beside itself: modules it imports, data files it names."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import CheckUnusable

if TYPE_CHECKING:
    from .types import CheckSource

__all__ = ["copy_python_companions", "copy_verilog_companions", "home_of", "resolve_files"]

_MAX_BYTES = 8 * 1024 * 1024
_STRING = re.compile(r'"([^"\n\\]{1,200})"')


def home_of(source: CheckSource) -> Path | None:
    """The folder that paths in a check are relative to: where the check or its spec lies."""
    if source.path is not None:
        return source.path.resolve().parent
    file = Path(source.origin.rpartition(":")[0] or source.origin)
    return file.resolve().parent if file.is_file() else None


def resolve_files(source: CheckSource, option: str) -> list[Path]:
    """The files that `option` names, separated by commas or blanks, relative to the check.

    Raises:
        CheckUnusable: One of them does not exist.
    """
    home = home_of(source) or Path.cwd()
    found = []
    for name in re.split(r"[,\s]+", source.options.get(option, "").strip()):
        if not name:
            continue
        path = home / name
        if not path.is_file():
            raise CheckUnusable(
                f"{source.origin}: {option}: no such file: {name}",
                remedy=f"paths are relative to {home}",
            )
        found.append(path)
    return found


def copy_python_companions(text: str, home: Path | None, folder: Path) -> None:
    """Copy modules that `text` imports, and files it names, from `home` to `folder`."""
    if home is None:
        return
    tree = ast.parse(text)
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            _copy_data(node.value, home, folder)
    for name in names:
        source, target = home / f"{name}.py", folder / f"{name}.py"
        if source.is_file() and not target.exists():
            body = source.read_text(encoding="utf-8")
            target.write_text(body, encoding="utf-8")
            try:
                copy_python_companions(body, home, folder)
            except SyntaxError:
                continue  # the import will fail, with its own message
        elif (home / name / "__init__.py").is_file() and not (folder / name).exists():
            shutil.copytree(
                home / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )


def copy_verilog_companions(text: str, home: Path | None, folder: Path) -> None:
    """Copy data files that a bench names in string literals from `home` to `folder`."""
    if home is None:
        return
    for name in set(_STRING.findall(text)):
        _copy_data(name, home, folder)


def _copy_data(name: str, home: Path, folder: Path) -> None:
    """Copy one named file, if it lies in `home` or below and is small."""
    if not name or len(name) > 200 or "\n" in name or "\0" in name:
        return
    relative = Path(name)
    if relative.is_absolute() or ".." in relative.parts:
        return
    try:
        source = (home / relative).resolve()
        good = source.is_file() and source.is_relative_to(home)
        good = good and source.stat().st_size <= _MAX_BYTES
    except OSError:
        return
    target = folder / relative
    if good and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
