"""What the families of clocked designs share: a draft that collects ports and text, and phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..build import clock_reset, header, indent
from ..design import Behaviour, Design, PortDecl
from ..names import Names
from ._statements import Arm, chain, ternary

if TYPE_CHECKING:
    import random

__all__ = [
    "Arm",
    "Bus",
    "Draft",
    "Machine",
    "Outputs",
    "State",
    "chain",
    "ternary",
]

# "a" before a word that is spoken with a vowel first
_AN = re.compile(r"\ba (?=8|1[18]\b|arithmetic)")

State = dict[str, int]
Outputs = Mapping[str, int | None]


class Machine:
    """A reference model made of initial state and one step function that updates it in place."""

    def __init__(self, initial: State, step: Callable[[State, Mapping[str, int]], Outputs]) -> None:
        self._initial, self._step = initial, step
        self.state = dict(initial)

    def reset(self) -> None:
        """Go back to the initial state."""
        self.state = dict(self._initial)

    def step(self, inputs: Mapping[str, int]) -> Outputs:
        """Advance one cycle."""
        return self._step(self.state, inputs)


@dataclass(frozen=True, slots=True)
class Bus:
    """A width in bits, by number or through the module parameter `name`."""

    width: int
    name: str = ""
    zero_style: str = "d"

    @property
    def span(self) -> str:
        """The range as written, `[7:0]`; empty for one bit."""
        if self.name:
            return f"[{self.name}-1:0]"
        return f"[{self.width - 1}:0]" if self.width > 1 else ""

    @property
    def size(self) -> str:
        """The width as written."""
        return self.name or str(self.width)

    @property
    def msb(self) -> str:
        """The index of the top bit as written."""
        return f"{self.name}-1" if self.name else str(self.width - 1)

    @property
    def zero(self) -> str:
        """All bits 0."""
        if self.name or self.zero_style == "rep":
            return "1'b0" if self.size == "1" else f"{{{self.size}{{1'b0}}}}"
        return "0" if self.zero_style == "plain" else f"{self.width}'{self.zero_style}0"

    @property
    def ones(self) -> str:
        """All bits 1."""
        return "1'b1" if self.size == "1" else f"{{{self.size}{{1'b1}}}}"

    @property
    def top(self) -> int:
        """The largest value."""
        return (1 << self.width) - 1

    def lit(self, value: int) -> str:
        """`value` as a sized literal."""
        return f"{self.width}'d{value}"


class Draft:
    """Collects the ports, the declarations and the body of one clocked design."""

    def __init__(
        self,
        rng: random.Random,
        group: str,
        modules: str,
        *,
        allow_none: bool = False,
    ) -> None:
        self.rng, self._group = rng, group
        self.n = Names(rng)
        self.module = self.n.module(*modules.split())
        self.cr = clock_reset(rng, self.n, allow_none=allow_none)
        self._ports = list(self.cr.ports)
        self._decls: list[str] = []
        self._body: list[str] = []
        self._tail: list[str] = []
        self._parameters: list[tuple[str, str]] = []
        self._may_parameter = rng.random() < 0.15
        self._zero = rng.choice(("d", "d", "d", "d", "b", "plain", "plain", "rep"))
        self._compact = rng.random() < 0.5
        self.style: dict[str, str] = {}

    def one_of(self, *options: str) -> str:
        """Draw one of `options`."""
        return self.rng.choice(options)

    def bus(self, width: int, *, parameter: bool = False) -> Bus:
        """A bus of `width` bits; with `parameter`, sometimes through a module parameter."""
        name = ""
        if parameter and self._may_parameter and not self._parameters:
            name = self.n.pick("W", "WIDTH", "N", "DATA_WIDTH", "DW")
            self._parameters.append((name, str(width)))
        return Bus(width, name, self._zero)

    def input(self, description: str, *pool: str, bus: Bus | None = None) -> str:
        """Add an input port, one bit unless a bus is given; returns its name."""
        return self._port("input", description, pool, bus, reg=False)

    def maybe(self, chance: float, description: str, *pool: str) -> str:
        """Add a one-bit input with probability `chance`; returns "" where it was left out."""
        return self.input(description, *pool) if self.rng.random() < chance else ""

    def output(
        self, description: str, *pool: str, bus: Bus | None = None, reg: bool = False
    ) -> str:
        """Add an output port; returns its name."""
        return self._port("output", description, pool, bus, reg=reg)

    def registered(
        self, description: str, pool: Iterable[str], internal: Iterable[str], bus: Bus | None = None
    ) -> tuple[str, str]:
        """Add an output that a register drives: as `output reg`, or through a signal of its own.

        Returns the name of the port and of the register to assign to.
        """
        if self.rng.random() < 0.6:
            name = self._port("output", description, tuple(pool), bus, reg=True)
            return name, name
        name = self._port("output", description, tuple(pool), bus, reg=False)
        target = self.reg(*internal, bus=bus)
        self._tail.append(f"assign {name} = {target};")
        return name, target

    def reg(self, *pool: str, bus: Bus | None = None) -> str:
        """Declare a register."""
        return self._declare("reg", pool, bus)

    def wire(self, *pool: str, bus: Bus | None = None) -> str:
        """Declare a wire."""
        return self._declare("wire", pool, bus)

    def declare(self, line: str) -> None:
        """Add a declaration as it stands."""
        self._decls.append(line)

    def add(self, text: str) -> None:
        """Add text to the body."""
        self._body.append(text)

    def tail(self, text: str) -> None:
        """Add text after the body, among the output assignments."""
        self._tail.append(text)

    def clocked(self, on_reset: str, body: str) -> None:
        """Add a clocked process; a lone if-chain sometimes continues the chain of the reset."""
        top = [line for line in body.splitlines() if line and not line.startswith(" ")]
        joined = all(line.startswith(("else", "end")) for line in top[1:])
        if self.cr.reset and self._compact and joined and "\n" not in on_reset:
            rest = f"else {body}" if body.startswith("if (") else f"else\n{indent(body)}"
            if body.startswith("if (") or "\n" not in body:
                inner = f"if ({self.cr.asserted})\n    {on_reset}\n{rest}"
                self.add(f"always @({self.cr.sensitivity})\n{indent(inner)}")
                return
        self.add(self.cr.process(on_reset, body))

    def update(self, target: str, bus: Bus, reset: str, *arms: Arm) -> None:
        """Add the process of one register in a drawn style: if-chain, ternary or next-state wire.

        `arms` are tried in order; without a final unconditional arm the register holds.
        """
        kept = tuple(arm for arm in arms if arm[0] != "")
        style = self.one_of("if", "if", "if", "ternary", "assign", "always")
        self.style["update"] = style
        if style == "if":
            statements = chain(*((c, f"{target} <= {e};") for c, e in kept))
            self.clocked(f"{target} <= {reset};", statements)
            return
        value = ternary(target, *kept)
        if style != "ternary":
            value = self._next_state(target, bus, kept, procedural=style == "always")
        self.clocked(f"{target} <= {reset};", f"{target} <= {value};")

    def _next_state(self, target: str, bus: Bus, arms: tuple[Arm, ...], *, procedural: bool) -> str:
        """Add combinational logic for the next value of `target`; returns the signal's name."""
        pool = (f"{target}_next", f"next_{target}", f"{target}_d", f"{target}_nxt")
        if procedural and arms[0][0] is not None:
            name = self.reg(*pool, bus=bus)
            sets = indent(chain(*((c, f"{name} = {e};") for c, e in arms)))
            self.add(f"always @(*) begin\n    {name} = {target};\n{sets}\nend")
        else:
            name = self.wire(*pool, bus=bus)
            self.add(f"assign {name} = {ternary(target, *arms)};")
        return name

    def finish(
        self,
        family: str,
        params: Mapping[str, int | str | bool],
        model: Callable[[], Machine],
        titles: tuple[str, ...],
        behaviour: tuple[Behaviour, ...],
    ) -> Design:
        """Put the design together."""
        ports, parameters = tuple(self._ports), tuple(self._parameters)
        blocks = ["\n".join(self._decls), *self._body, "\n".join(self._tail)]
        gap = "\n\n" if self.rng.random() < 0.5 else "\n"
        body = gap.join(block for block in blocks if block)
        return Design(
            family=family,
            group=self._group,
            params=params,
            module=self.module,
            ports=ports,
            rtl=f"{header(self.module, ports, parameters)}\n{indent(body)}\nendmodule\n",
            model=model,
            titles=tuple(_AN.sub("an ", title) for title in titles),
            behaviour=behaviour,
            clock=self.cr.clock,
            reset=self.cr.reset,
            reset_kind=self.cr.kind,
            reset_active_low=self.cr.active_low,
            parameters=parameters,
            style=self.style,
        )

    def _port(
        self, direction: str, description: str, pool: tuple[str, ...], bus: Bus | None, *, reg: bool
    ) -> str:
        name = self.n.pick(*pool)
        bus = bus or Bus(1)
        span = bus.span if bus.name else ""
        self._ports.append(PortDecl(direction, name, bus.width, description, reg, span))
        return name

    def _declare(self, kind: str, pool: Iterable[str], bus: Bus | None) -> str:
        name = self.n.pick(*pool)
        span = bus.span if bus else ""
        self._decls.append(f"{kind} {span} {name};" if span else f"{kind} {name};")
        return name
