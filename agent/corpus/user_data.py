"""The user's own Verilog as training pairs: parsed, de-duplicated, what is left out told."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import ConfigError, OutputError
from rtl_agent.agent.library.verilog_text import split_module
from rtl_agent.decoding.training.minhash import Deduplicator
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.errors import ToolError
from rtl_agent.tools.parse import parse_text, read_source

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.tools.parse import SourceModel

__all__ = ["FolderReport", "pairs_of_folder", "write_pairs"]

_SUFFIXES = (".v", ".sv", ".vh", ".svh")
_COMMENT = re.compile(r"^\s*(?://+|/?\*+/?)\s?(.*?)(?:\*+/)?\s*$")
_HELD = 10  # one file in so many is held out
# What a file says that stands in other files: no fault of its own.
_ELSEWHERE = frozenset({"unknown-module", "include-outside", "undefined-macro", "unknown-package"})


@dataclass(slots=True)
class FolderReport:
    """What a folder gave and what was left out, each with its reason."""

    files: int = 0
    pairs: int = 0
    held: int = 0
    not_parsed: list[str] = field(default_factory=list)
    no_module: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)

    def lines(self, shown: int = 20) -> list[str]:
        """What to tell the user: counts, and the files behind them."""
        out = [
            f"{self.files} files: {self.pairs} pairs to train on, {self.held} held out, "
            f"{len(self.not_parsed)} files do not parse, {len(self.no_module)} hold no module, "
            f"{len(self.duplicates)} are near-duplicates"
        ]
        for title, names in (
            ("does not parse", self.not_parsed),
            ("no module", self.no_module),
            ("near-duplicate", self.duplicates),
        ):
            out += [f"  {title}: {name}" for name in names[:shown]]
            if len(names) > shown:
                out.append(f"  {title}: and {len(names) - shown} more")
        return out


def _own_errors(model: SourceModel) -> list[str]:
    found = [d for d in model.diagnostics if d.severity is Severity.ERROR]
    missing = any(d.code in _ELSEWHERE for d in found)
    # Where a macro or an include is missing, what follows from that cannot be told apart.
    own = [d for d in found if d.code not in _ELSEWHERE and not (missing and d.code != "syntax")]
    return [f"line {d.line}: {d.message}" for d in own]


def _said_before(text: str, line: int) -> str:
    """The comment that ends just above line `line`, as one line."""
    said: list[str] = []
    for row in reversed(text.splitlines()[: max(line - 1, 0)]):
        match = _COMMENT.match(row)
        if match is None or row.strip().startswith("`"):
            if row.strip():
                break
            continue
        said.insert(0, match[1].strip())
    return " ".join(" ".join(said).split())[:600]


def _pairs_of(text: str, model: SourceModel) -> list[dict[str, str]]:
    """A pair a module: comment and header as the prompt, the rest of the module as the answer."""
    lines = text.splitlines(keepends=True)
    starts = sorted(m.line for m in model.modules if m.kind == "module")
    pairs = []
    for module in model.modules:
        if module.kind != "module":
            continue
        later = [start for start in starts if start > module.line]
        own = "".join(lines[module.line - 1 : later[0] - 1 if later else None])
        end = re.search(r"\bendmodule\b[^\n]*", own)
        parts = split_module(own[: end.end()] if end else own, module.name)
        if parts is None or end is None:
            continue
        said = _said_before(text, module.line) or module.name.replace("_", " ")
        pairs.append(
            {
                "prompt": f"// Task: {said}\n{parts.header.strip()}",
                "answer": parts.body.rstrip() + "\n",
                "kind": "user",
                "family": module.name,
            }
        )
    return pairs


def pairs_of_folder(
    folder: Path,
) -> tuple[list[dict[str, str]], list[dict[str, str]], FolderReport]:
    """Training pairs and held-out pairs from the Verilog files below `folder`.

    Files that do not parse on their own are left out (a module, macro or include that stands
    elsewhere is no reason), and so are near-duplicates of earlier files. Which files are held
    out depends on their text alone.

    Raises:
        ConfigError: `folder` is not a folder, or holds no Verilog, or none that can be used.
    """
    if not folder.is_dir():
        raise ConfigError(f"{folder}: not a folder", remedy="give a folder of Verilog or a JSONL")
    paths = sorted(p for p in folder.rglob("*") if p.suffix in _SUFFIXES and p.is_file())
    if not paths:
        raise ConfigError(
            f"{folder}: no Verilog in it (no file ends in {', '.join(_SUFFIXES)})",
            remedy="give a folder with .v or .sv files, or a JSONL file of pairs",
        )
    report, seen = FolderReport(files=len(paths)), Deduplicator()
    kept: list[Path] = []
    train: list[dict[str, str]] = []
    held: list[dict[str, str]] = []
    for path in paths:
        name = str(path.relative_to(folder))
        try:
            text = read_source(path)
        except ToolError as error:
            report.not_parsed.append(f"{name}: {error.message}")
            continue
        language = "systemverilog-2017" if path.suffix in (".sv", ".svh") else "verilog-2005"
        model = parse_text(text, name=path.name, language=language)
        errors = _own_errors(model)
        if errors:
            report.not_parsed.append(f"{name}: {errors[0]}")
            continue
        pairs = _pairs_of(text, model)
        if not pairs:
            report.no_module.append(name)
            continue
        same = seen.add(text)
        if same is not None:
            report.duplicates.append(f"{name} (of {kept[same].relative_to(folder)})")
            continue
        kept.append(path)
        digest = hashlib.sha256(text.encode()).digest()
        (held if digest[0] % _HELD == 0 else train).extend(pairs)
    if not train:
        raise ConfigError(
            f"{folder}: none of its {len(paths)} files can be learned from",
            remedy="\n".join(report.lines()),
        )
    report.pairs, report.held = len(train), len(held)
    return train, held, report


def write_pairs(path: Path, pairs: list[dict[str, str]]) -> None:
    """Write pairs as JSONL.

    Raises:
        OutputError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
    except OSError as error:
        raise OutputError(
            f"{path}: {error.strerror}", remedy="free space or choose --out"
        ) from error
