"""`rtl-agent waves`: look into a recording (VCD or FST) without a viewer."""

from __future__ import annotations

import difflib
import fnmatch
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .numbers import Number
from .teach import with_examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.tools.waves import WaveFile, WaveSignal

__all__ = ["waves_command"]

_HELP = with_examples(
    """Show signals of a recording as a table, one column for each moment at which one of them
    changes (or for each edge of --clock).

    Without SIGNAL the ports and registers of the top scope are shown; SIGNAL is a name or a
    pattern (`*state*`, `tb.dut.*`), matched against the whole hierarchical name or its end.""",
    "rtl-agent waves dump.vcd --list",
    "rtl-agent waves dump.fst clk state 'fifo.*_ptr' --around 1250 --columns 12",
    "rtl-agent waves dump.fst --clock clk --from 0 --to 500 --json > wave.json    WaveDrom",
)
_DEFAULT_SIGNALS = 16


@click.command("waves", short_help="Show signals of a VCD or FST file.", help=_HELP)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.argument("patterns", nargs=-1, metavar="[SIGNAL]...")
@click.option("--list", "listing", is_flag=True, help="List the signals with their widths.")
@click.option("--clock", metavar="SIGNAL", help="One column for each rising edge of this signal.")
@click.option("--around", type=Number(0), metavar="NS", help="The columns nearest to this time.")
@click.option("--from", "start", type=Number(0), metavar="NS", help="First time to show.")
@click.option("--to", "end", type=Number(0), metavar="NS", help="Last time to show.")
@click.option(
    "--columns", type=click.IntRange(1), default=16, show_default=True, help="Columns at most."
)
@click.option("--json", "as_json", is_flag=True, help="Print WaveDrom JSON to standard output.")
def waves_command(file: Path, patterns: tuple[str, ...], **params: Any) -> int:
    """Print a window of a recording."""
    from rtl_agent.tools.waves import open_waves, recorded_window, render_table, to_wavedrom

    _require_window(params)
    waves = open_waves(file)
    if waves.cut_off:
        click.echo(f"{file}: cut off within a line; what comes before it is shown", err=True)
    if params["listing"]:
        _list(waves, _chosen(waves, patterns) if patterns else waves.signals, params["as_json"])
        return 0
    signals = _chosen(waves, patterns) if patterns else _top_signals(waves)
    times = _times(waves, signals, params)
    window = recorded_window(waves, signals, times)
    if params["as_json"]:
        drawing = to_wavedrom(window, title=file.name)
        click.echo(json.dumps({"schema_version": 1, **drawing, "times_ns": list(times)}, indent=1))
    elif not times:
        click.echo(_nothing(waves, signals))
    else:
        click.echo(render_table(window, head="ns"), nl=False)
    return 0


def _require_window(params: dict[str, Any]) -> None:
    """Raise `click.UsageError` for times that leave no window."""
    start, end, around = params["start"], params["end"], params["around"]
    if start is not None and end is not None and start > end:
        raise click.UsageError(f"--from {start:g} is after --to {end:g}; exchange them")
    if around is None:
        return
    if (start is not None and around < start) or (end is not None and around > end):
        raise click.UsageError(
            f"--around {around:g} lies outside of --from and --to; leave out one or the other"
        )


def _nothing(waves: WaveFile, signals: Sequence[WaveSignal]) -> str:
    """Why there is no column, in a sentence."""
    if not waves.signals:
        return "no signal was recorded; `$dumpvars` in the bench says which are"
    times = [c.time_ns for s in signals for c in waves.changes(s)]
    if not times:
        return "nothing was recorded of these signals"
    return (
        f"nothing was recorded in this window; there are changes from {min(times):g} to "
        f"{max(times):g} ns"
    )


def _list(waves: WaveFile, signals: Sequence[WaveSignal], as_json: bool) -> None:
    if as_json:
        listed = [{"name": s.name, "width": s.width} for s in signals]
        click.echo(json.dumps({"schema_version": 1, "format": waves.format, "signals": listed}))
        return
    for signal in signals:
        click.echo(f"{signal.width:>5}  {signal.name}")


def _chosen(waves: WaveFile, patterns: Sequence[str]) -> tuple[WaveSignal, ...]:
    """The signals that the patterns name, in the order of the patterns.

    Raises:
        click.UsageError: a pattern names nothing.
    """
    found: dict[str, WaveSignal] = {}
    for pattern in patterns:
        some = _matching(waves, pattern)
        if not some:
            raise click.UsageError(f"no signal matches {pattern!r}; {_near(waves, pattern)}")
        found |= {s.name: s for s in some}
    return tuple(found.values())


def _near(waves: WaveFile, pattern: str) -> str:
    """The signals that may have been meant, or else the first there are, in words."""
    names = {s.name.casefold(): s.name for s in waves.signals}
    ends = {name.rpartition(".")[2].casefold(): name for name in reversed(names.values())}
    wanted = pattern.strip("*").casefold()
    found = difflib.get_close_matches(wanted, names, n=3) + difflib.get_close_matches(
        wanted.rpartition(".")[2], ends, n=3
    )
    near = list(dict.fromkeys(names.get(key) or ends[key] for key in found))[:3]
    if near:
        return f"did you mean {', '.join(near)}? --list prints all {len(names)}"
    some = ", ".join(s.name for s in waves.signals[:8]) or "none"
    return f"--list prints all {len(names)} (the first are {some})"


def _matching(waves: WaveFile, pattern: str) -> list[WaveSignal]:
    exact = waves.find(pattern)
    if exact is not None:
        return [exact]
    wanted = (pattern, f"*.{pattern}")
    return [s for s in waves.signals if any(fnmatch.fnmatchcase(s.name, w) for w in wanted)]


def _top_signals(waves: WaveFile) -> tuple[WaveSignal, ...]:
    """The signals of the outermost scope that has any, a handful at most."""
    if not waves.signals:
        return ()
    depth = min(s.name.count(".") for s in waves.signals)
    return tuple(s for s in waves.signals if s.name.count(".") == depth)[:_DEFAULT_SIGNALS]


def _times(
    waves: WaveFile, signals: Sequence[WaveSignal], params: dict[str, Any]
) -> tuple[float, ...]:
    """The moments to show: changes, or edges of the clock, within the window that is asked for."""
    if params["clock"] is not None:
        times = _edges(waves, params["clock"])
    else:
        times = sorted({c.time_ns for s in signals for c in waves.changes(s)})
    if params["start"] is not None:
        times = [t for t in times if t >= params["start"]]
    if params["end"] is not None:
        times = [t for t in times if t <= params["end"]]
    around, columns = params["around"], params["columns"]
    if around is not None:
        nearest = sorted(times, key=lambda t: (abs(t - around), t))[:columns]
        return tuple(sorted(nearest))
    return tuple(times[:columns])


def _edges(waves: WaveFile, pattern: str) -> list[float]:
    """The moments at which a clock rises.

    Raises:
        click.UsageError: there is no such signal, or it can be no clock.
    """
    (clock,) = _chosen(waves, [pattern])[:1]
    if clock.width != 1:
        raise click.UsageError(f"--clock {clock.name}: has {clock.width} bits; a clock has one")
    times = [c.time_ns for c in waves.changes(clock) if c.value == "1"]
    if not times:
        raise click.UsageError(f"--clock {clock.name}: never rises in this recording")
    return times
