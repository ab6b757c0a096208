"""Every setting: its type, default and meaning. One flat namespace for all layers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

__all__ = ["PATH_KEYS", "Settings", "seconds"]

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def seconds(value: object) -> object:
    """A duration such as `90`, `90s`, `10m` or `1h`, in seconds; other values pass through.

    Raises:
        ValueError: text that is no duration.
    """
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|m|min|h)?\s*", value)
    if match is None:
        raise ValueError(f"{value!r} is no duration: write it as 90s, 10m or 1h")
    return float(match[1]) * _UNITS[match[2] or ""]


# Bounds that only a slip of the pen goes over: what is compared with such a number never ends.
_LONGEST = 30 * 24 * 3600.0  # seconds
_MOST = 1_000_000

Duration = Annotated[float, BeforeValidator(seconds), Field(ge=0, le=_LONGEST, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=_MOST)]


class Settings(BaseModel):
    """The settings of every front door, after all layers are merged."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    backend: Literal["local", "openai", "replay"] = Field(
        "local", description="where answers come from"
    )
    model: str = Field(
        "", description="local model (name or folder), or a server's; empty: embedded"
    )
    base_url: str = Field("", description="address of an OpenAI-compatible server")
    api_key: SecretStr = Field(SecretStr(""), description="key for that server")
    request_timeout: Duration = Field(120.0, description="seconds to wait for the server")
    device: str = Field("", description="device of a local model; empty: chosen")
    dtype: str = Field("", description="number format of a local model; empty: chosen")
    replay: Path | None = Field(None, description="recording that the replay backend gives back")
    record: Path | None = Field(None, description="recording to write")
    out: Path = Field(Path("rtl-out"), description="folder for designs, reports and runs")
    attempts: Count = Field(4, description="rounds of candidates at most")
    candidates: Count = Field(4, description="candidates an attempt")
    timeout: Duration = Field(600.0, description="wall-clock seconds for one spec; 0: no bound")
    max_tokens: int = Field(0, ge=0, le=10**9, description="new tokens for one spec; 0: no bound")
    answer_tokens: Count = Field(1024, description="new tokens of one answer")
    seed: int = Field(0, ge=0, le=2**32 - 1, description="seed of everything random")
    require: Literal["", "verified", "self-checked", "compiles"] = Field(
        "", description="verdict that is enough; empty: by what the spec offers"
    )
    library: bool = Field(True, description="show known-good designs to the model")
    library_folder: Path | None = Field(
        None, description="folder of your own designs to show, beside the shipped ones"
    )
    reuse: bool = Field(
        True, description="judge known-good designs that fit before the model is asked"
    )
    search: bool = Field(True, description="repair failing designs without a model as well")
    search_time: Duration = Field(15.0, description="seconds of that after each attempt")
    propose: bool = Field(True, description="ask the model for a check where the spec has none")
    diagnosis: bool | None = Field(
        None,
        description="tell the model where and how its design failed; unset: all but the embedded "
        "one, which gains nothing by it",
    )
    exemplars: int = Field(1, ge=0, le=100, description="how many of them")
    sandbox: Literal["auto", "require", "off"] = Field(
        "auto", description="use a sandbox where it works, insist on one, or use none"
    )
    check_timeout: Duration = Field(
        60.0, ge=1, description="seconds for one check of one candidate, one at least"
    )
    check_memory: int = Field(2048, ge=64, le=1 << 24, description="MiB for one check")
    jobs: int = Field(0, ge=0, le=4096, description="simulations at once; 0: one a processor")

    def shown(self, key: str) -> Any:
        """The value of `key` as it may be shown: secrets are masked, paths are text."""
        value = getattr(self, key)
        if isinstance(value, SecretStr):
            return "********" if value.get_secret_value() else ""
        return str(value) if isinstance(value, Path) else value


# Relative paths in a file are taken from the folder of that file.
PATH_KEYS = ("replay", "record", "out", "library_folder")
