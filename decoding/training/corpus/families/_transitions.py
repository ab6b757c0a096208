"""Random transition tables, their wordings and next-state logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..build import clock_reset, indent
from ..design import Behaviour, PortDecl
from ._kit import bits

if TYPE_CHECKING:
    import random

    from ..names import Names

__all__ = [
    "STATE_NAMES",
    "Next",
    "TableIo",
    "declare_states",
    "draw_next",
    "select",
    "unique",
    "wordings",
]


STATE_NAMES = (
    ("A", "B", "C", "D", "E", "F"),
    ("S0", "S1", "S2", "S3", "S4", "S5"),
    ("IDLE", "LOAD", "RUN", "HOLD", "FLUSH", "LAST"),
    ("START", "ONE", "TWO", "THREE", "FOUR", "FIVE"),
    ("OFF", "LOW", "MID", "HIGH", "MAX", "ALARM"),
    ("P", "Q", "R", "T", "U", "V"),
)


Next = list[list[int]]  # next state by state and input value


def draw_next(rng: random.Random, states: int, inputs: int) -> Next:
    """A transition table in which every state is reachable from the first."""
    while True:
        table = [[rng.randrange(states) for _ in range(inputs)] for _ in range(states)]
        reached, todo = {0}, [0]
        while todo:
            for target in table[todo.pop()]:
                if target not in reached:
                    reached.add(target)
                    todo.append(target)
        if len(reached) == states and all(set(row) != {k} for k, row in enumerate(table)):
            return table


def select(sel: str, width: int, choices: list[str]) -> str:
    """An expression that picks one of `choices` by the input."""
    while len(choices) > 1 and choices[-2] == choices[-1]:
        choices = choices[:-1]
    if len(choices) == 1:
        return choices[0]
    if width == 1:
        return f"{sel} ? {choices[1]} : {choices[0]}"
    parts = [f"({sel} == 2'd{k}) ? {c} : " for k, c in enumerate(choices[:-1])]
    return "".join(parts) + choices[-1]


def wordings(names: list[str], table: Next, sel: str, width: int) -> Behaviour:
    """The transitions in four notations."""
    values = [format(v, f"0{width}b") for v in range(1 << width)]
    arrows, prose, rows, go = [], [], [], []
    for k, row in enumerate(table):
        arrows.append(
            ", ".join(f"{names[k]} --{v}--> {names[t]}" for v, t in zip(values, row, strict=True))
        )
        rows.append(f"{names[k]}: " + ", ".join(names[t] for t in row))
        if len(set(row)) == 1:
            prose.append(f"from {names[k]} always to {names[row[0]]}")
            go.append(f"{names[k]} is followed by {names[row[0]]} whatever {sel} is")
        else:
            prose.append(
                f"from {names[k]} to "
                + ", ".join(f"{names[t]} on {sel}={v}" for v, t in zip(values, row, strict=True))
            )
            go.append(
                f"in {names[k]} it "
                + " or ".join(
                    f"{'stays' if t == k else 'goes to ' + names[t]} if {sel} is {v}"
                    for v, t in zip(values, row, strict=True)
                )
            )
    joined = ", ".join(values)
    return (
        f"The transitions, labelled with the value of {sel}, are {'; '.join(arrows)}.",
        f"Next state for {sel} = {joined} respectively: {'; '.join(rows)}.",
        f"It moves on every clock {'; '.join(prose)}.",
        f"On each rising edge: {'; '.join(go)}.",
    )


def declare_states(n: Names, names: list[str]) -> tuple[str, str, int, list[str]]:
    """Local parameters of a random encoding: text, encoding name, width, labels."""
    labels = [name if len(name) > 1 else f"{n.choose(('S_', 'ST_'))}{name}" for name in names]
    if len({label.lower() for label in labels}) < len(labels):
        labels = [f"ST_{name}" for name in names]
    kind = n.choose(("binary", "binary", "onehot", "gray"))
    count = len(names)
    width = count if kind == "onehot" else max(1, (count - 1).bit_length())
    codes = [
        1 << k if kind == "onehot" else k ^ (k >> 1) if kind == "gray" else k for k in range(count)
    ]
    fields = ", ".join(f"{a} = {width}'b{c:0{width}b}" for a, c in zip(labels, codes, strict=True))
    return f"localparam {bits(width)}{fields};", kind, width, labels


def unique(names: list[str], used: tuple[str, ...]) -> list[str]:
    """State names that no port has."""
    taken = {u.lower() for u in used}
    if any(name.lower() in taken for name in names):
        return [f"ST{k}" for k in range(len(names))]
    return names


class TableIo:
    """Names and sizes that both machines share."""

    def __init__(self, rng: random.Random, n: Names) -> None:
        self.states = rng.choice((3, 3, 4, 4, 5))
        self.in_width = rng.choice((1, 1, 1, 2))
        self.out_width = rng.choice((1, 1, 2, 3))
        self.module = n.module("fsm", "state_machine", "ctrl_fsm", "controller", "fsm_ctrl")
        self.cr = clock_reset(rng, n)
        self.x = n.pick("x", "in", "w", "sel", "cmd", "din", "go")
        self.z = n.pick("z", "out", "y", "f", "dout", "ctl")
        self.state = n.pick("state", "cs", "st", "state_q", "current_state")
        self.nxt = n.pick("next", "ns", "next_state", "state_d")
        self.names = list(rng.choice(STATE_NAMES)[: self.states])
        used = (self.module, self.cr.clock, self.cr.reset or "", self.x, self.z)
        self.names = unique(self.names, used)
        self.table = draw_next(rng, self.states, 1 << self.in_width)

    def ports(self, out_reg: bool) -> tuple[PortDecl, ...]:
        """Clock, reset, input and output."""
        return (
            *self.cr.ports,
            PortDecl("input", self.x, self.in_width, "machine input"),
            PortDecl("output", self.z, self.out_width, "machine output", reg=out_reg),
        )

    def lit(self, value: int) -> str:
        """An output value as a literal."""
        return f"{self.out_width}'b{value:0{self.out_width}b}"

    def start(self) -> Behaviour:
        """The reset state."""
        first = self.names[0]
        return (
            f"Reset puts it into state {first}.",
            f"{first} is the reset state.",
            f"After reset the machine is in {first}.",
        )

    def state_code(self, labels: list[str], style: str) -> list[str]:
        """Registers and next-state logic."""
        target, assign = (self.state, "<=") if style == "one" else (self.nxt, "=")
        rows = [
            f"    {labels[k]}: {target} {assign} "
            f"{select(self.x, self.in_width, [labels[t] for t in row])};"
            for k, row in enumerate(self.table)
        ]
        case = "\n".join(
            (
                f"case ({self.state})",
                *rows,
                f"    default: {target} {assign} {labels[0]};",
                "endcase",
            )
        )
        if style == "one":
            return [self.cr.process(f"{self.state} <= {labels[0]};", case)]
        return [
            self.cr.process(f"{self.state} <= {labels[0]};", f"{self.state} <= {self.nxt};"),
            f"always @(*) begin\n{indent(case)}\nend",
        ]
