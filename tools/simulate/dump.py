"""Record waves of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parse import written_name

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DUMP_TOP", "recorded", "write_dump"]

DUMP_TOP = "rtl_agent_dump"
_FILE = "waves.fst"


def write_dump(folder: Path, top: str) -> Path:
    """Write a module that records all signals of `top` and below, to be a further top.

    The recording is `waves.fst` in the folder in which the simulation runs, if `vvp` is told to
    write FST.
    """
    path = folder / f"{DUMP_TOP}.v"
    path.write_text(
        f"module {DUMP_TOP};\n"
        f'    initial begin $dumpfile("{_FILE}"); $dumpvars(0, {written_name(top)}); end\n'
        "endmodule\n",
        encoding="utf-8",
    )
    return path


def recorded(folder: Path) -> Path | None:
    """The recording in a folder: ours, or the one that the sources themselves asked for."""
    own = folder / _FILE
    if own.is_file():
        return own
    others = sorted(p for p in folder.iterdir() if p.suffix in {".fst", ".vcd"})
    return others[0] if others else None
