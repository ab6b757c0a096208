"""A window as WaveDrom JSON, which many viewers and Markdown renderers draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .table import format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .window import Trace, Window

__all__ = ["to_wavedrom"]


def to_wavedrom(window: Window, *, title: str = "", clock: str | None = None) -> dict[str, Any]:
    """The window as a WaveDrom object, ready for `json.dumps`.

    Compared signals that differ get a second lane with what was expected. `clock` adds a clock
    lane of that name.
    """
    lanes: list[Any] = []
    if clock is not None:
        lanes.append({"name": clock, "wave": "p" + "." * (len(window.labels) - 1)})
    for role in ("input", "output", "internal"):
        group = [lane for t in window.traces if t.role == role for lane in _lanes(t)]
        if group:
            lanes.append([f"{role}s" if role != "internal" else role, *group])
    drawing: dict[str, Any] = {"signal": lanes}
    head: dict[str, Any] = {"text": title} if title else {}
    if window.labels and window.labels[0].isdigit():
        head["tick"] = int(window.labels[0])
    if head:
        drawing["head"] = head
    if window.mismatch is not None:
        drawing["foot"] = {"text": f"first mismatch in cycle {window.labels[window.mismatch]}"}
    return drawing


def _lanes(trace: Trace) -> list[dict[str, Any]]:
    lanes = [_lane(trace.name, trace.values)]
    if any(trace.differs(i) for i in range(len(trace.values))):
        expected = [value if value is not None else "" for value in trace.expected]
        lanes.append(_lane(f"{trace.name} expected", expected))
    return lanes


def _lane(name: str, values: Sequence[str]) -> dict[str, Any]:
    """One lane: levels for one bit, labelled boxes for more; nothing to show is a gap."""
    wave, data, last = "", [], None
    for value in values:
        if value == last:
            wave += "."
        elif not value:
            wave += "x"
        elif len(value) == 1:
            wave += value if value in "01xz" else "x"
        else:
            wave += "="
            data.append(format_value(value))
        last = value
    return {"name": name, "wave": wave, "data": data} if data else {"name": name, "wave": wave}
