"""Which kind of file may stand where: an RTL file is no spec, a spec is no RTL file.

A file is judged by its suffix alone, and only where the suffix leaves no doubt: Markdown that is
read as Verilog, or Verilog that is read as prose, gives errors that name anything but the cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["require_check", "require_rtl", "require_spec"]

_MARKDOWN, _VERILOG, _PYTHON = "Markdown", "Verilog", "Python"
_TABLE, _WAVES, _VHDL = "a table", "a recording", "VHDL"
_KINDS = {
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".v": _VERILOG,
    ".vh": _VERILOG,
    ".sv": _VERILOG,
    ".svh": _VERILOG,
    ".py": _PYTHON,
    ".csv": _TABLE,
    ".vcd": _WAVES,
    ".fst": _WAVES,
    ".vhd": _VHDL,
    ".vhdl": _VHDL,
}
_NO_PLACE = {
    _WAVES: "look into it with `rtl-agent waves {path}`",
    _VHDL: "only Verilog and SystemVerilog are read",
}
_NOT_RTL = _NO_PLACE | {
    _MARKDOWN: "name the spec with --spec {path}, and RTL files (.v, .sv) without an option",
    _PYTHON: "name a cocotb test with --test {path}, a reference model with --reference {path}",
    _TABLE: "name a table of vectors with --vectors {path}",
}
_SECOND_SPEC = {
    _MARKDOWN: "the spec is {spec}; name the RTL files (.v, .sv) of the design after it",
}
_NOT_SPEC = _NO_PLACE | {
    _VERILOG: "a spec is a Markdown file (.md); `rtl-agent check {path}` judges RTL without one",
    _PYTHON: "a spec is a Markdown file (.md), which may name this one as a check",
    _TABLE: "a spec is a Markdown file (.md), which may name this one as a check",
}
_TAKEN = {  # what each kind of check may be
    "test": ({_PYTHON}, "a cocotb test (.py)"),
    "testbench": ({_VERILOG}, "a self-checking Verilog bench (.v, .sv)"),
    "reference": ({_VERILOG, _PYTHON}, "a golden design (.v, .sv) or a Python model (.py)"),
    "vectors": ({_TABLE, _MARKDOWN}, "a table of vectors (.csv)"),
}


def require_rtl(path: Path, spec: Path | None = None) -> None:
    """Raise `UsageError` where a file cannot be RTL by its name; `spec` is the one at hand."""
    _refuse(path, "RTL", _NOT_RTL if spec is None else _NOT_RTL | _SECOND_SPEC, spec=spec)
    if any(c < " " or c == "\x7f" for c in str(path.absolute())):
        raise UsageError(
            f"{str(path)!r}: a line break or control character in the path of an RTL file",
            remedy="rename it; the simulator reads names line by line",
        )


def require_spec(path: Path) -> None:
    """Raise `UsageError` where a file that stands for a spec is clearly something else."""
    _refuse(path, "a spec", _NOT_SPEC)


def require_check(option: str, path: Path) -> None:
    """Raise `UsageError` where the file of --test, --testbench, … is clearly something else."""
    kinds, wanted = _TAKEN[option]
    kind = _kind(path)
    if kind and kind not in kinds:
        raise UsageError(f"--{option} {path}: is {kind}", remedy=f"--{option} takes {wanted}")


def _refuse(
    path: Path, wanted: str, remedies: Mapping[str, str], *, spec: Path | None = None
) -> None:
    kind = _kind(path)
    if kind in remedies:
        remedy = remedies[kind].format(path=path, spec=spec)
        raise UsageError(f"{path}: is {kind}, not {wanted}", remedy=remedy)


def _kind(path: Path) -> str:
    return "" if path.is_dir() else _KINDS.get(path.suffix.lower(), "")
