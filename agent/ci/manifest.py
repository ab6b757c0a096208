"""`rtl-agent.yaml`: which designs a repository has, and by which spec each is judged."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml
from rtl_agent.agent.errors import ConfigError, UsageError
from rtl_agent.agent.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["MANIFEST_NAME", "Design", "Manifest", "read_manifest"]

MANIFEST_NAME = "rtl-agent.yaml"

_KEYS = ("designs",)
_DESIGN_KEYS = ("name", "spec", "rtl", "require")
_REQUIRES = tuple(v.value for v in Verdict if v is not Verdict.FAILED)
_EXAMPLE = "designs: [{name: fifo, spec: specs/fifo.md, rtl: [rtl/fifo.v]}]"


@dataclass(frozen=True, slots=True)
class Design:
    """One entry. `require` is None where the spec's own default holds; `line` is its place."""

    name: str
    spec: Path
    rtl: tuple[Path, ...]
    require: Verdict | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    """All entries, and the folder from which their paths are taken."""

    path: Path
    designs: tuple[Design, ...]

    @property
    def root(self) -> Path:
        """The manifest's folder."""
        return self.path.parent

    def choose(self, names: Sequence[str]) -> tuple[Design, ...]:
        """The designs called `names`, in the manifest's order; all of them without names.

        Raises:
            UsageError: there is no design of that name.
        """
        known = [d.name for d in self.designs]
        for name in names:
            if name not in known:
                raise UsageError(
                    f"{self.path}: no design {name!r}", remedy=f"Designs: {', '.join(known)}."
                )
        return tuple(d for d in self.designs if not names or d.name in names)


def read_manifest(path: Path) -> Manifest:
    """Read and check the manifest; every file it names must exist.

    Raises:
        ConfigError: it cannot be read or used; the message names file and line.
    """
    path = path.absolute()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError(
            f"{path}: no such file", remedy=f"Write it, or name it with --config. Form: {_EXAMPLE}"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from error
    return _Reader(path).manifest(text)


class _Reader:
    """Walks the YAML nodes, which know their lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def manifest(self, text: str) -> Manifest:
        root = self._compose(text)
        if not isinstance(root, yaml.MappingNode):
            raise self._error(root, "`key: value` lines were expected", f"Form: {_EXAMPLE}")
        entries = dict(self._pairs(root, _KEYS, "the manifest")).get("designs")
        if not isinstance(entries, yaml.SequenceNode) or not entries.value:
            raise self._error(entries or root, "`designs` must list designs", f"Form: {_EXAMPLE}")
        designs: list[Design] = []
        for entry in entries.value:
            design = self._design(entry)
            if design.name in {d.name for d in designs}:
                raise self._error(
                    entry, f"there are two designs {design.name!r}", "Names tell designs apart."
                )
            designs.append(design)
        return Manifest(self._path, tuple(designs))

    def _compose(self, text: str) -> yaml.Node | None:
        try:
            return yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise ConfigError(
                f"{self._path}:{line}: not valid YAML: {error.problem or error}",
                remedy="Values with `:` or `#` in them need quotes.",
            ) from error
        except yaml.YAMLError as error:
            raise ConfigError(f"{self._path}: not valid YAML: {error}") from error

    def _design(self, node: yaml.Node) -> Design:
        if not isinstance(node, yaml.MappingNode):
            raise self._error(
                node, "a design has the keys " + ", ".join(_DESIGN_KEYS), f"Form: {_EXAMPLE}"
            )
        values = dict(self._pairs(node, _DESIGN_KEYS, "a design"))
        for key in ("name", "spec", "rtl"):
            if key not in values:
                raise self._error(node, f"the design has no `{key}`", f"Form: {_EXAMPLE}")
        name = self._text(values["name"], "name")
        if not re.fullmatch(r"\w[\w.-]*", name):
            raise self._error(
                values["name"],
                f"{name!r} is no name",
                "Use letters, digits, `_`, `-` and `.`: results are filed under it.",
            )
        rtl = values["rtl"]
        files = rtl.value if isinstance(rtl, yaml.SequenceNode) else [rtl]
        if not files:
            raise self._error(rtl, "`rtl` names no file", "Name the RTL files of the design.")
        return Design(
            name,
            self._file(values["spec"], "spec"),
            tuple(self._file(file, "rtl") for file in files),
            self._require(values.get("require")),
            self._line(node),
        )

    def _require(self, node: yaml.Node | None) -> Verdict | None:
        if node is None:
            return None
        word = self._text(node, "require")
        if word not in _REQUIRES:
            raise self._error(
                node, f"{word!r} cannot be required", f"One of {', '.join(_REQUIRES)}."
            )
        return Verdict(word)

    def _file(self, node: yaml.Node, key: str) -> Path:
        written = self._text(node, key)
        path = self._path.parent / written
        if not path.is_file():
            wrong = f"no such {key} file: {written!r}"
            if path.is_dir():
                wrong = f"{key} file {written!r} is a folder; name its files"
            raise self._error(
                node,
                wrong,
                "Paths are taken from the manifest's folder.",
            )
        return path

    def _text(self, node: yaml.Node, key: str) -> str:
        if not isinstance(node, yaml.ScalarNode) or not str(node.value).strip():
            raise self._error(node, f"{key!r} must be one line of text", "Give a value.")
        return str(node.value).strip()

    def _pairs(
        self, node: yaml.MappingNode, known: Sequence[str], what: str
    ) -> Iterator[tuple[str, yaml.Node]]:
        """Keys with their nodes; refuses unknown and repeated ones."""
        seen: set[str] = set()
        for key, value in node.value:
            text = str(key.value) if isinstance(key, yaml.ScalarNode) else "?"
            if text not in known:
                near = difflib.get_close_matches(text, known, n=1)
                hint = f"Did you mean {near[0]!r}? " if near else ""
                raise self._error(
                    key,
                    f"{text!r} is no key of {what}",
                    f"{hint}Known keys: {', '.join(known)}.",
                )
            if text in seen:
                raise self._error(key, f"{text!r} is given twice", "Keep one of the two.")
            seen.add(text)
            yield text, value

    def _line(self, node: yaml.Node | None) -> int:
        return int(node.start_mark.line) + 1 if node is not None else 1

    def _error(self, node: yaml.Node | None, message: str, remedy: str) -> ConfigError:
        return ConfigError(f"{self._path}:{self._line(node)}: {message}", remedy=remedy)
