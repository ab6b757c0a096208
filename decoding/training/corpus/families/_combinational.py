"""What the families without a clock share: model, ports, widths and small Verilog pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..build import header, indent
from ..design import Behaviour, Design, PortDecl

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

    from ..names import Names

__all__ = [
    "Combinational",
    "Target",
    "Width",
    "always",
    "an",
    "combinational",
    "draw_width",
    "listing",
    "numbered",
    "pair",
    "sentence",
    "signed",
    "target",
]

_PARAMETERISED = 0.15  # share of designs whose width is a module parameter


class Combinational:
    """Reference model of a design without state: a function of the inputs."""

    def __init__(self, function: Callable[[Mapping[str, int]], Mapping[str, int | None]]) -> None:
        self._function = function

    def reset(self) -> None:
        """Nothing to reset."""

    def step(self, inputs: Mapping[str, int]) -> Mapping[str, int | None]:
        """The outputs for `inputs`."""
        return self._function(inputs)


@dataclass(frozen=True, slots=True)
class Width:
    """A width that is either a number or a parameter of the module."""

    value: int
    parameter: str = ""

    @property
    def text(self) -> str:
        """The width as the RTL writes it."""
        return self.parameter or str(self.value)

    @property
    def top(self) -> str:
        """The index of the highest bit."""
        return f"{self.parameter}-1" if self.parameter else str(self.value - 1)

    @property
    def span(self) -> str:
        """The range of an internal signal, with a space behind; empty for one bit."""
        return f"[{self.top}:0] " if self.parameter or self.value > 1 else ""

    @property
    def range(self) -> str:
        """`PortDecl.range`: set where the range depends on the parameter."""
        return f"[{self.parameter}-1:0]" if self.parameter else ""

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """`Design.parameters`."""
        return ((self.parameter, str(self.value)),) if self.parameter else ()

    @property
    def zero(self) -> str:
        """All bits zero."""
        return f"{{{self.parameter}{{1'b0}}}}" if self.parameter else f"{self.value}'d0"

    @property
    def ones(self) -> str:
        """All bits one."""
        return f"{{{self.text}{{1'b1}}}}"

    @property
    def facts(self) -> tuple[Behaviour, ...]:
        """What a spec says about the parameter: one fact, or none."""
        if not self.parameter:
            return ()
        name, value = self.parameter, self.value
        return (
            (
                f"The width is a parameter {name} with default {value}.",
                f"Parameter `{name}` (default {value}) sets the width.",
                f"Make the width configurable through {name}, {value} unless overridden.",
                f"It is parameterised by {name} = {value}.",
            ),
        )


def draw_width(rng: random.Random, names: Names, choices: Sequence[int]) -> Width:
    """Draw a width, now and then as a module parameter."""
    value = rng.choice(choices)
    if value < 2 or rng.random() >= _PARAMETERISED:
        return Width(value)
    return Width(value, names.pick("W", "WIDTH", "DATA_WIDTH", "N", "DW", "BITS"))


@dataclass(frozen=True, slots=True)
class Target:
    """What a combinational process assigns: the output itself, or a signal wired to it."""

    name: str
    reg: bool
    before: str
    after: str

    def wrap(self, body: str) -> str:
        """`body` with the declaration before and the assignment after it, if any."""
        return self.before + body + self.after


def target(rng: random.Random, names: Names, output: str, span: str) -> Target:
    """Let a process drive `output` directly or (one in four) through an internal `reg`."""
    if rng.random() < 0.75:
        return Target(output, reg=True, before="", after="")
    name = names.pick("result", "val", "tmp", "out_c", "next_out", f"{output}_c", f"{output}_r")
    return Target(
        name, reg=False, before=f"reg {span}{name};\n", after=f"\nassign {output} = {name};"
    )


def always(rng: random.Random, statements: str) -> str:
    """A combinational process."""
    event = rng.choice(("@(*)", "@(*)", "@*"))
    return f"always {event} begin\n{indent(statements)}\nend"


def an(phrase: str) -> str:
    """`phrase` with its indefinite article."""
    head = phrase.lower()
    consonant = head.startswith(("one", "uni", "use"))
    vowel = head[0] in "aeiou8" or head.startswith(("11", "18", "xor", "xnor", "lz", "nor"))
    if head.startswith("nor") and not head.startswith(("nor ", "nor-")):
        vowel = False
    return f"{'an' if vowel and not consonant else 'a'} {phrase}"


def listing(items: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def numbered(rng: random.Random, names: Names, count: int, *prefixes: str) -> list[str]:
    """Names of `count` like inputs: a prefix with numbers, or (up to eight) letters."""
    if count <= 8 and rng.random() < 0.3:
        return [names.pick(letter) for letter in "abcdefgh"[:count]]
    prefix = rng.choice(prefixes) + rng.choice(("", "", "_"))
    first = 1 if rng.random() < 0.1 else 0
    return [names.pick(f"{prefix}{i + first}") for i in range(count)]


_PAIRS = (("a", "b"), ("a", "b"), ("a", "b"), ("x", "y"), ("A", "B"), ("op_a", "op_b"))
_MORE_PAIRS = (("lhs", "rhs"), ("in1", "in2"), ("i_a", "i_b"), ("in0", "in1"), ("src1", "src2"))


def pair(rng: random.Random, names: Names, *more: tuple[str, str]) -> tuple[str, str]:
    """Names of two operands; `more` are pairs that suit the design at hand."""
    a, b = rng.choice((*_PAIRS, *_MORE_PAIRS, *more, *more))
    return names.pick(a), names.pick(b)


def signed(value: int, width: int) -> int:
    """`value` read as two's complement."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


def _articles(text: str) -> str:
    """Mend `a` before numbers that are read with a vowel."""
    return re.sub(r"\b([Aa]) (?=(?:8\d*|11|18)\b)", r"\1n ", text)


def sentence(condition: str, statement: str) -> str:
    """`statement` behind its condition, or as a sentence of its own."""
    return f"{condition}{statement}" if condition else statement[0].upper() + statement[1:]


def combinational(
    rng: random.Random,
    *,
    family: str,
    group: str,
    params: Mapping[str, int | str | bool],
    module: str,
    ports: Sequence[PortDecl],
    body: str,
    function: Callable[[Mapping[str, int]], Mapping[str, int | None]],
    titles: tuple[str, ...],
    behaviour: tuple[Behaviour, ...],
    style: str,
    width: Width | None = None,
    helpers: str = "",
    stimulus: Callable[[random.Random, int], list[dict[str, int]]] | None = None,
) -> Design:
    """A design without a clock from its parts; now and then the outputs are declared first."""
    declared = tuple(ports)
    if rng.random() < 0.1:
        declared = tuple(sorted(declared, key=lambda p: p.direction == "input"))
    parameters = width.parameters if width else ()
    rtl = f"{header(module, declared, parameters)}\n{indent(body)}\nendmodule\n"
    return Design(
        family=family,
        group=group,
        params=params,
        module=module,
        ports=declared,
        rtl=rtl + (f"\n{helpers}" if helpers else ""),
        model=lambda: Combinational(function),
        titles=tuple(map(_articles, titles)),
        behaviour=tuple(tuple(map(_articles, fact)) for fact in behaviour)
        + (width.facts if width else ()),
        parameters=parameters,
        style={"body": style},
        stimulus=stimulus,
    )
