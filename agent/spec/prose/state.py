"""What the reader of a sentence keeps in mind while it goes from left to right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rtl_agent.tools.interface import Direction

if TYPE_CHECKING:
    from .sentence import Sentence

__all__ = ["NounPhrase", "ProsePort", "State"]


@dataclass(slots=True)
class ProsePort:
    """A port that a sentence declared, and how firmly.

    `firm`: by a noun ("input") or role ("clock"), not by a verb. `introduced`: "an input …", not
    "the input …". `listed`: one of a list that a plural announced, or told by "… are inputs".
    """

    name: str
    direction: Direction | None
    width: int | str | None = None
    signed: bool = False
    firm: bool = False
    role: str = ""
    start: int = 0
    introduced: bool = False
    listed: bool = False


@dataclass(slots=True)
class NounPhrase:
    """The noun phrase being read: what was said before its name."""

    width: int | str | None = None
    signed: bool = False
    determined: bool = False
    introduced: bool = False
    noun: str = ""
    role: str = ""
    role_ok: bool = True
    called: bool = False


@dataclass(slots=True)
class State:
    """The state of reading one sentence.

    `mode` is the direction that names take at the moment; `firm` whether a noun or a verb set it,
    `plural`, `determined` and `introduced` how it was put. `shared` is the width that a plural
    gave to all names that follow. `run` is the list of names being read, `subject` the one
    before "is".
    """

    sentence: Sentence
    known: frozenset[str]
    modules: frozenset[str]
    ports: list[ProsePort] = field(default_factory=list)
    widths: dict[str, int | str] = field(default_factory=dict)
    mode: Direction | None = None
    firm: bool = False
    plural: bool = False
    introduced: bool = False
    determined: bool = False
    shared: int | str | None = None
    shared_signed: bool = False
    after_copula: bool = False
    copula: bool = False
    subject: list[ProsePort] = field(default_factory=list)
    told: list[ProsePort] = field(default_factory=list)  # just told by "… is an output"
    phrase: NounPhrase = field(default_factory=NounPhrase)
    run: list[ProsePort] = field(default_factory=list)
    carried: int | str | None = None  # the width of a noun whose place is still to be named
    last: int = -2  # index of the token at which the last name ended

    def add(self, name: str, i: int) -> None:
        """Take `name`, which stands at token `i`, as a port of the current direction."""
        phrase = self.phrase
        bare = not phrase.determined and not phrase.noun
        shared = self.shared if bare else None
        by_role = phrase.role and phrase.role_ok and not self.mode
        by_noun = self.introduced if self.firm else not phrase.determined
        port = ProsePort(
            name.removeprefix("\\"),
            Direction.INPUT if by_role else self.mode,
            phrase.width if phrase.width is not None else shared,
            phrase.signed or (bare and self.shared_signed),
            self.firm or bool(phrase.role),
            phrase.role,
            self.sentence.tokens[i].start,
            phrase.introduced or phrase.called or by_noun,
            self.plural,
        )
        self.ports.append(port)
        self.run.append(port)
        self.last = i
        plural = phrase.noun.endswith("s") and phrase.noun not in ("address", "bus")
        if plural and phrase.width is not None:
            self.shared, self.shared_signed = phrase.width, phrase.signed
        elif not bare:
            self.shared = None
        self.phrase = NounPhrase()

    def end_copula(self) -> None:
        """What stood behind "is" is over; a width there was the subject's ("is 8 bits wide")."""
        if self.copula and self.phrase.width is not None:
            for port in self.subject:
                self.widths.setdefault(port.name, self.phrase.width)
        self.copula, self.subject, self.run = False, [], []
        self.phrase = NounPhrase()

    def end_run(self) -> None:
        """The list is over: what follows is no longer under its direction."""
        self.end_copula()
        self.mode, self.shared, self.shared_signed, self.after_copula = None, None, False, False
        self.told = []

    def give(self, ports: list[ProsePort], direction: Direction) -> None:
        """Give `ports` their direction and the width of the phrase that said it."""
        for port in ports:
            port.direction, port.firm = direction, True
            if self.phrase.width is not None:
                port.width = self.phrase.width
            port.signed = port.signed or self.phrase.signed

    def chained(self, i: int) -> bool:
        """Whether a name at `i` continues a list of names: "operands a and b"."""
        return self.last == i - 2 and self.sentence.separates(i - 1)
