"""Tell a simulation that is slow from one in which time stands still."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..process import Silence, StopCause

if TYPE_CHECKING:
    from pathlib import Path

    from ..process import ProcessResult

__all__ = [
    "HEARTBEAT_SILENCE",
    "HEARTBEAT_TOP",
    "PROBE_S",
    "last_beat",
    "stands_still",
    "write_heartbeat",
]

HEARTBEAT_TOP = "rtl_agent_heartbeat"
PROBE_S = 15.0  # wall time of a run with the heartbeat, at most
HEARTBEAT_SILENCE = Silence("BEAT ", 2.5)  # give this to the run
_BEAT = re.compile(r"^BEAT (\d+)$", re.MULTILINE)


def write_heartbeat(folder: Path) -> Path:
    """Write a module that prints the time in every picosecond, to be compiled as a further top.

    Only for a run that is stopped anyway: a simulation with a heartbeat never ends by itself.
    The beat is as fine as that, because a busy design may need long for a nanosecond.
    """
    path = folder / f"{HEARTBEAT_TOP}.v"
    path.write_text(
        "`timescale 1ps/1ps\n"
        f"module {HEARTBEAT_TOP};\n"
        '    always begin $display("BEAT %0d", $time); $fflush; #1; end\n'
        "endmodule\n",
        encoding="utf-8",
    )
    return path


def stands_still(probe: ProcessResult) -> bool:
    """Whether a run with the heartbeat shows that simulated time stopped.

    While time goes on the heartbeat prints without pause, and the run ends at its output limit.
    """
    return probe.stopped is StopCause.SILENCE


def last_beat(probe: ProcessResult) -> int | None:
    """The last simulated time that was printed, in ps."""
    beats = _BEAT.findall(probe.stdout)
    return int(beats[-1]) if beats else None
