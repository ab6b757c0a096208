"""Names as engineers choose them: pools per role, drawn without repeats within one design."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

__all__ = ["Names"]

_CLOCKS = ("clk", "clk", "clk", "clock", "clk_i", "i_clk", "sys_clk", "CLK", "aclk")
_RESETS_HIGH = ("rst", "rst", "reset", "rst_i", "i_rst", "areset", "srst", "RST", "sys_rst")
_RESETS_LOW = ("rst_n", "rst_n", "rstn", "reset_n", "rst_ni", "resetn", "aresetn", "nrst", "RST_N")

# Words that a later dialect reserves: the RTL is Verilog-2005, the front ends read SystemVerilog.
_RESERVED = frozenset(
    [
        "accept_on",
        "alias",
        "always",
        "assert",
        "assume",
        "automatic",
        "before",
        "begin",
        "bind",
        "bins",
        "binsof",
        "bit",
        "break",
        "buf",
        "byte",
        "case",
        "cell",
        "chandle",
        "checker",
        "class",
        "clocking",
        "config",
        "const",
        "constraint",
        "context",
        "continue",
        "cover",
        "covergroup",
        "coverpoint",
        "cross",
        "deassign",
        "default",
        "defparam",
        "design",
        "disable",
        "dist",
        "do",
        "edge",
        "else",
        "end",
        "enum",
        "event",
        "eventually",
        "expect",
        "export",
        "extends",
        "extern",
        "final",
        "first_match",
        "for",
        "force",
        "foreach",
        "forever",
        "fork",
        "forkjoin",
        "function",
        "generate",
        "genvar",
        "global",
        "highz0",
        "if",
        "iff",
        "ifnone",
        "ignore_bins",
        "illegal_bins",
        "implements",
        "implies",
        "import",
        "incdir",
        "include",
        "initial",
        "inout",
        "input",
        "inside",
        "instance",
        "int",
        "integer",
        "interconnect",
        "interface",
        "intersect",
        "join",
        "large",
        "let",
        "liblist",
        "library",
        "local",
        "localparam",
        "logic",
        "longint",
        "macromodule",
        "matches",
        "medium",
        "modport",
        "module",
        "nettype",
        "new",
        "nexttime",
        "null",
        "output",
        "package",
        "packed",
        "parameter",
        "posedge",
        "primitive",
        "priority",
        "program",
        "property",
        "protected",
        "pull0",
        "pull1",
        "pure",
        "rand",
        "randc",
        "randcase",
        "randsequence",
        "real",
        "realtime",
        "ref",
        "reg",
        "reject_on",
        "release",
        "repeat",
        "restrict",
        "return",
        "scalared",
        "sequence",
        "shortint",
        "shortreal",
        "signed",
        "small",
        "soft",
        "solve",
        "specify",
        "static",
        "string",
        "strong",
        "struct",
        "super",
        "supply0",
        "supply1",
        "table",
        "tagged",
        "task",
        "this",
        "throughout",
        "time",
        "timeprecision",
        "timeunit",
        "tri",
        "type",
        "typedef",
        "union",
        "unique",
        "unsigned",
        "until",
        "untyped",
        "use",
        "uwire",
        "var",
        "vectored",
        "virtual",
        "void",
        "wait",
        "weak",
        "while",
        "wildcard",
        "wire",
        "with",
        "within",
        "and",
        "or",
        "not",
        "xor",
        "xnor",
        "nand",
        "nor",
    ]
)


class Names:
    """Draws port, signal and module names for one design."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._used: set[str] = set()

    def pick(self, *pool: str) -> str:
        """Draw one of `pool` that is not used yet in this design (numbered if all are).

        Words that SystemVerilog reserves are passed over.
        """
        free = [n for n in pool if n.lower() not in self._used and n not in _RESERVED]
        if not free:
            base = self._rng.choice(pool)
            free = [f"{base}{i}" for i in range(1, 99) if f"{base}{i}".lower() not in self._used]
        name = self._rng.choice(free) if len(free) < 90 else free[0]
        self._used.add(name.lower())
        return name

    def clock(self) -> str:
        """Draw a clock name that clocking inference recognises."""
        return self.pick(*_CLOCKS)

    def reset(self, *, active_low: bool) -> str:
        """Draw a reset name that says its polarity."""
        return self.pick(*(_RESETS_LOW if active_low else _RESETS_HIGH))

    def module(self, *pool: str) -> str:
        """Draw a module name: one of `pool`, sometimes with a prefix, suffix or CamelCase."""
        base = self._rng.choice(pool)
        roll = self._rng.random()
        if roll < 0.12:
            base = "".join(part.capitalize() for part in base.split("_"))
        elif roll < 0.24:
            base = self._rng.choice(("my_", "u_", "top_", "hw_", "lib_", "x_")) + base
        elif roll < 0.36:
            base += self._rng.choice(("_core", "_unit", "_blk", "_m", "_top", "_rtl", "_v2"))
        # A module must not be called like one of its signals or a keyword.
        while base.lower() in self._used or base in _RESERVED:
            base += "_m"
        self._used.add(base.lower())
        return base

    def choose(self, options: Sequence[str]) -> str:
        """Draw one of `options` as a style decision."""
        return self._rng.choice(list(options))
