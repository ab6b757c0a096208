"""An ordinary install, not only one from a checkout, has all that the packages read."""

from __future__ import annotations

import tomllib
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[1]
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def _package_of(file: Path) -> Path:
    return next(folder for folder in file.parents if (folder / "__init__.py").is_file())


def test_every_data_file_is_installed() -> None:
    patterns = SETUP["tool"]["setuptools"]["package-data"]["*"]
    files = [
        file
        for part in ("agent", "decoding", "tools", "prompts")
        for file in (ROOT / part).rglob("*")
        if file.is_file() and file.suffix not in {".py", ".pyc"}
    ]
    assert ROOT / "decoding" / "models" / "data" / "adapter.safetensors" in files
    lost = [
        str(file.relative_to(ROOT))
        for file in files
        if not any(
            # A pattern counts from the package's folder and does not reach below what it names.
            len(PurePath(p).parts) == len(file.relative_to(_package_of(file)).parts)
            and file.relative_to(_package_of(file)).match(p)
            for p in patterns
        )
    ]
    assert not lost


def test_what_reads_the_embedded_model_is_installed_with_it() -> None:
    names = {line.split(">=")[0] for line in SETUP["project"]["dependencies"]}
    assert {"accelerate", "gguf"} <= names  # transformers asks for both when it opens a GGUF file
