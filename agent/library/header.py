"""The header of a module, made from its interface: plain for the model, with `reg` for tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .verilog_text import hoist_regs, procedural_targets, split_module, write_header

if TYPE_CHECKING:
    from rtl_agent.tools.interface import Interface

__all__ = ["plain_form", "under_header"]


def plain_form(rtl: str, interface: Interface) -> str:
    """`rtl` with a plain ANSI header (no `reg`), `reg` lines first in the body.

    This is the form in which the model reads and writes modules; `rtl` is returned as it is where
    its header cannot be found.
    """
    parts = split_module(rtl, interface.module)
    if parts is None:
        return rtl
    regs = [
        f"    reg {'signed ' if p.signed else ''}{p.range + ' ' if p.range else ''}{p.name};\n"
        for p in interface.outputs()
        if re.search(rf"\boutput\s+reg\b[^,;)]*?\b{re.escape(p.name)}\s*[,)]", parts.header + ")")
    ]
    # Verilog allows `output reg [3:0] a, b`: find those by the same rule on each name's tail.
    return parts.before + write_header(interface) + "\n" + "".join(regs) + parts.body.lstrip("\n")


def under_header(text: str, interface: Interface) -> str:
    """`text` under the header of `interface`, `reg` declarations of outputs moved into it.

    An interface without ports, which a spec may leave open, stands for that of `text` itself,
    and only the declarations are moved. Where `text` has no complete module of that name, or there
    is no output, it stays as it is.
    """
    parts = split_module(text, interface.module)
    left_open = not interface.ports
    if parts is not None and left_open:
        interface = _own(text, interface)
    outputs = frozenset(p.name for p in interface.outputs())
    if parts is None or "endmodule" not in parts.body or not outputs:
        return text.strip() + "\n"
    body, declared = hoist_regs(parts.body, outputs)
    if left_open and not declared:
        return text.strip() + "\n"
    # Which outputs are `reg` follows from how they are driven, whatever the text declared.
    driven = procedural_targets(body, outputs)
    regs = driven | frozenset(n for n in declared if not _assigned(body, n))
    return f"{parts.before}{write_header(interface, regs=regs)}{body}".strip() + "\n"


def _own(text: str, interface: Interface) -> Interface:
    """The interface that the module in `text` declares; `interface` where it cannot be told."""
    from rtl_agent.tools.parse import parse_text

    module = parse_text(text).module(interface.module)
    return module.interface if module is not None else interface


def _assigned(body: str, name: str) -> bool:
    """Whether a continuous assignment drives `name`."""
    return re.search(rf"\bassign\s+(?:\{{[^}}]*)?\b{re.escape(name)}\b", body) is not None
