"""Finds and reads the layers of settings: files and environment, each with its origin."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.errors import ConfigError

from .schema import PATH_KEYS, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ENV_PREFIX", "PROJECT_FILE", "Layer", "environment_layer", "file_layers", "user_file"]

ENV_PREFIX = "RTL_AGENT_"
PROJECT_FILE = ".rtl-agent.toml"
_NOT_SETTINGS = frozenset({"RTL_AGENT_CACHE", "RTL_AGENT_CONFIG", "RTL_AGENT_DEBUG"})


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of values; `where` tells, for each key, the place to show."""

    origin: str
    values: Mapping[str, Any]
    where: Mapping[str, str]


def _near(key: str) -> str:
    import difflib

    match = difflib.get_close_matches(key, Settings.model_fields, n=1)
    return f"Did you mean {match[0]!r}? " if match else ""


def _known() -> str:
    return f"Known keys: {', '.join(Settings.model_fields)}."


def _line_of(text: str, key: str, table: str) -> int:
    """The line of `key` in a TOML text, within `[table]` when one is given; 1 if not found."""
    start = 0
    if table and (match := re.search(rf"^\s*\[\s*{re.escape(table)}\s*\]", text, re.MULTILINE)):
        start = match.end()
    match = re.compile(
        rf"^\s*[\"']?{re.escape(key)}[\"']?\s*[=.]|^\s*\[{re.escape(key)}", re.M
    ).search(text, start)
    return text.count("\n", 0, match.start() + len(match[0]) - 1) + 1 if match else 1


def _parse(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}", remedy="Correct the file.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: not UTF-8 at byte {error.start}", remedy="Save the file as UTF-8."
        ) from error
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read: {error.strerror or error}", remedy="Check its permissions."
        ) from error


def _file_layer(path: Path, table: str = "") -> Layer | None:
    """The settings in a TOML file, or in one of its tables; None where there are none."""
    text, data = _parse(path)
    for name in table.split("."):
        if name:
            data = data.get(name, {})
            if not isinstance(data, dict):
                raise ConfigError(
                    f"{path}: `{table}` must be a table", remedy=f"Write `[{table}]`."
                )
    if not data:
        return None
    where, values = {}, {}
    for written, value in data.items():
        key = written.replace("-", "_")
        place = f"{path}:{_line_of(text, written, table)}"
        if key not in Settings.model_fields:
            raise ConfigError(f"{place}: unknown setting {written!r}", remedy=_near(key) + _known())
        is_path = key in PATH_KEYS and isinstance(value, str) and value
        values[key] = str(path.parent / Path(value).expanduser()) if is_path else value
        where[key] = place
    return Layer(str(path), values, where)


def user_file(environ: Mapping[str, str]) -> Path:
    """The user's own configuration file, whether it exists or not."""
    if environ.get("RTL_AGENT_CONFIG"):
        return Path(environ["RTL_AGENT_CONFIG"])
    import platformdirs

    return Path(platformdirs.user_config_dir("rtl-agent")) / "config.toml"


def _upward(start: Path, name: str) -> Path | None:
    for folder in (start, *start.parents):
        if (folder / name).is_file():
            return folder / name
    return None


def file_layers(cwd: Path, environ: Mapping[str, str]) -> list[Layer]:
    """The layers from files, strongest first: project file, pyproject.toml, the user's file.

    Raises:
        ConfigError: A file is no TOML, or has an unknown key.
    """
    found: list[Layer | None] = []
    project = _upward(cwd, PROJECT_FILE)
    if project:
        found.append(_file_layer(project))
    pyproject = _upward(cwd, "pyproject.toml")
    if pyproject:
        found.append(_file_layer(pyproject, "tool.rtl-agent"))
    user = user_file(environ)
    if user.exists() and not user.is_dir():  # also /dev/null, for "none"
        found.append(_file_layer(user))
    elif environ.get("RTL_AGENT_CONFIG"):
        raise ConfigError(
            f"{user}: no such file (named by RTL_AGENT_CONFIG)",
            remedy="Correct or unset the variable.",
        )
    return [layer for layer in found if layer is not None]


def environment_layer(environ: Mapping[str, str]) -> Layer:
    """The layer from `RTL_AGENT_*` variables.

    Raises:
        ConfigError: A variable with the prefix that is no setting.
    """
    values, where = {}, {}
    for name, value in sorted(environ.items()):
        if not name.startswith(ENV_PREFIX) or name in _NOT_SETTINGS:
            continue
        key = name.removeprefix(ENV_PREFIX).lower()
        if key not in Settings.model_fields:
            raise ConfigError(
                f"environment variable {name}: unknown setting {key!r}",
                remedy=_near(key) + _known(),
            )
        values[key], where[key] = value, f"environment {name}"
    return Layer("environment", values, where)
