"""Ways in which people write down an interface: none, bullets, table, sections, header, prose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .build import header

if TYPE_CHECKING:
    import random

    from .design import Design, PortDecl

__all__ = ["compose"]


def _range(port: PortDecl) -> str:
    return port.range or (f"[{port.width - 1}:0]" if port.width > 1 else "")


def _bits(port: PortDecl) -> str:
    if port.range:
        return port.range
    return "1 bit" if port.width == 1 else f"{port.width} bits"


def _bullets(design: Design, rng: random.Random) -> str:
    form = rng.randrange(4)
    lines = []
    for p in design.ports:
        tick = f"`{p.name}`"
        if form == 0:
            size = f" ({_bits(p)})" if p.width > 1 or p.range else ""
            lines.append(f" - {p.direction} {p.name}{size}")
        elif form == 1:
            lines.append(f"* {tick} ({_bits(p)}, {p.direction}): {p.description}")
        elif form == 2:
            lines.append(f"- {p.direction} {_range(p)} {tick}: {p.description}".replace("  ", " "))
        else:
            lines.append(f"- {tick}: {p.direction}, {_bits(p)}, {p.description}")
    lead = rng.choice(("Ports:", "Interface:", "The interface:", "Signals:", "## Ports"))
    return f"{lead}\n\n" + "\n".join(lines)


def _table(design: Design, rng: random.Random) -> str:
    if rng.random() < 0.5:
        rows = [
            f"| `{p.name}` | {p.direction} | {p.range or p.width} | {p.description} |"
            for p in design.ports
        ]
        head = "| Port | Direction | Width | Description |\n|---|---|---|---|"
    else:
        rows = [
            f"| {p.name} | {'in' if p.direction == 'input' else 'out'} | {p.range or p.width} |"
            for p in design.ports
        ]
        head = "| Signal | I/O | Bits |\n|:---|:---:|---:|"
    return head + "\n" + "\n".join(rows)


def _sections(design: Design, rng: random.Random) -> str:
    blocks = []
    for direction, title in (("input", "Input ports:"), ("output", "Output ports:")):
        lines = [
            f"    {p.name}{_range(p)}: {p.description}."
            for p in design.ports
            if p.direction == direction
        ]
        blocks.append(title + "\n" + "\n".join(lines))
    return "\n\n".join(blocks if rng.random() < 0.8 else reversed(blocks))


def _header(design: Design, rng: random.Random) -> str:
    lead = rng.choice(
        ("Complete this module.", "Use exactly this header:", "Header:", "Interface:")
    )
    return f"{lead}\n\n```verilog\n{header(design.module, design.ports, design.parameters)}\n```"


def _prose(design: Design, rng: random.Random) -> str:
    def say(p: PortDecl) -> str:
        size = p.range or ("" if p.width == 1 else f"{p.width}-bit ")
        return f"`{p.name}` {p.range}" if p.range else f"{size}`{p.name}`"

    def join(parts: list[str]) -> str:
        return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]

    ins = join([say(p) for p in design.ports if p.direction == "input"])
    outs = join([say(p) for p in design.ports if p.direction == "output"])
    form = rng.choice(
        (
            "Inputs are {i}. Outputs are {o}.",
            "It has inputs {i} and outputs {o}.",
            "It takes {i} and drives {o}.",
            "Inputs: {i}. Outputs: {o}.",
        )
    )
    return form.format(i=ins, o=outs)


_STYLES = {
    "none": lambda _design, _rng: "",
    "bullets": _bullets,
    "table": _table,
    "sections": _sections,
    "header": _header,
    "prose": _prose,
}
_WEIGHTS = {"none": 3, "bullets": 3, "table": 2, "sections": 2, "header": 1, "prose": 3}


def compose(design: Design, rng: random.Random) -> tuple[str, str]:
    """Draw an interface style; returns its name and the text (empty for `none`)."""
    style = rng.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()))[0]
    text = _STYLES[style](design, rng)
    if design.parameters and style not in ("none", "header"):
        listed = ", ".join(f"`{n}` (default {v})" for n, v in design.parameters)
        text = f"Parameters: {listed}.\n\n{text}"
    return style, text
