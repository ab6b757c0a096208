"""Words of a text for lexical search: subwords of names, light stemming, common synonyms."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtl_agent.tools.interface import Interface

__all__ = ["canonical", "port_words", "query_words", "search_words"]

_WORD = re.compile(r"[A-Za-z]+|\d+(?:[-/:]\d+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_|(?<=[A-Za-z])(?=\d)")
_STOP = frozenset(
    "a an and are as at be been but by can do does each every for from has have if in into is it "
    "its not of on one only or other so such than that the then there they this to use used "
    "using was we when where which while will with you your module implement design write create "
    "give verilog please code complete named name called call block port ports input output "
    "inputs outputs signal signals bit bits wide width i o should shall must need needs".split()
)
_SYNONYMS = {
    "mux": "multiplexer",
    "demux": "demultiplexer",
    "selector": "multiplexer",
    "clk": "clock",
    "ck": "clock",
    "rst": "reset",
    "rstn": "reset",
    "resetn": "reset",
    "arst": "reset",
    "en": "enable",
    "ena": "enable",
    "ce": "enable",
    "cnt": "count",
    "counter": "count",
    "din": "data",
    "dat": "data",
    "dout": "data",
    "sel": "select",
    "wr": "write",
    "we": "write",
    "rd": "read",
    "re": "read",
    "addr": "address",
    "adr": "address",
    "queue": "fifo",
    "req": "request",
    "gnt": "grant",
    "ack": "acknowledge",
    "vld": "valid",
    "rdy": "ready",
    "tx": "transmit",
    "transmitter": "transmit",
    "rx": "receive",
    "receiver": "receive",
    "fsm": "machine",
    "lfsr": "lfsr",
    "pseudo": "lfsr",
    "adder": "add",
    "sum": "add",
    "subtractor": "subtract",
    "sub": "subtract",
    "mul": "multiply",
    "multiplier": "multiply",
    "divider": "divide",
    "comparator": "compare",
    "decoder": "decode",
    "encoder": "encode",
    "dec": "down",
    "inc": "up",
    "ovf": "overflow",
    "popcount": "population",
    "crc": "crc",
    "pulses": "pulse",
    "ticks": "tick",
}


def canonical(word: str) -> str:
    """The search form of one word: lower case, plural and -ing endings cut, synonyms joined."""
    low = word.lower()
    if low in _SYNONYMS:
        return _SYNONYMS[low]
    for ending in ("ing", "ed", "es", "s"):
        if low.endswith(ending) and len(low) - len(ending) >= 4:
            low = low[: -len(ending)]
            break
    return _SYNONYMS.get(low, low)


def port_words(name: str) -> list[str]:
    """Canonical subwords of an identifier, direction suffixes left out."""
    parts = [
        p for p in _CAMEL.split(name) if p and p.lower() not in ("i", "o", "n", "ni", "in", "out")
    ]
    return [canonical(p) for p in parts] or [canonical(name)]


def search_words(text: str) -> list[str]:
    """Words of free text for the index, in order, stop words left out."""
    words = map(_indexed, _WORD.findall(_CAMEL.sub(" ", text)))
    return [word for word in words if word]


@lru_cache(maxsize=1 << 16)
def _indexed(token: str) -> str:
    """The search form of a token; empty for one that is not searched by."""
    if token.lower() in _STOP or token[0].isdigit() or len(token) == 1:
        return ""
    return canonical(token)


def query_words(text: str, interface: Interface | None = None) -> list[str]:
    """The search words of a spec: its text, module name, and the subwords of its port names."""
    names = [interface.module, *(p.name for p in interface.ports)] if interface else []
    return search_words(text) + [word for name in names for word in port_words(name)]
