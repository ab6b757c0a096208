"""Merges the layers into settings and remembers where each value came from."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from rtl_agent.agent.errors import ConfigError

from .layers import Layer, environment_layer, file_layers
from .schema import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Resolved", "resolve"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """Settings with the origin of each (`command line`, a file with line, …, `default`)."""

    settings: Settings
    origins: Mapping[str, str]


def resolve(
    overrides: Mapping[str, Any] | None = None,
    *,
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Resolved:
    """Settings from command line (`overrides`), environment and files, strongest first.

    `None` among `overrides` means that an option was not given.

    Raises:
        ConfigError: An unknown key or a value that cannot be used; names where it stands.
    """
    environment = os.environ if environ is None else environ
    given = {k: v for k, v in (overrides or {}).items() if v is not None}
    layers = [
        Layer("command line", given, {k: f"option --{k.replace('_', '-')}" for k in given}),
        environment_layer(environment),
        *file_layers((cwd or Path.cwd()).absolute(), environment),
    ]
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    for layer in layers:
        for key, value in layer.values.items():
            if key not in values:
                values[key], places[key] = value, layer.where[key]
    try:
        settings = Settings(**values)
    except ValidationError as error:
        raise _explain(error, places) from error
    origins = {k: places.get(k, "default") for k in Settings.model_fields}
    return Resolved(settings, origins)


def _explain(error: ValidationError, places: Mapping[str, str]) -> ConfigError:
    first = error.errors(include_url=False)[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    message = str(first["msg"]).removeprefix("Value error, ")
    shown = "" if key == "api_key" else f" (given: {first['input']!r})"
    meaning = Settings.model_fields[key].description if key in Settings.model_fields else ""
    return ConfigError(
        f"{places.get(key, 'settings')}: {key}: {message}{shown}",
        remedy=f"{key}: {meaning}. See `rtl-agent config show`.",
    )
