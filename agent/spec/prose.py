"""Ports that sentences declare: "takes two 4-bit operands a and b and produces a 5-bit sum s"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.interface import Direction, Interface, Port

from .lexer import Kind, Token, tokenize
from .lexicon import ARTICLES, DIRECTIONS, IN_VERBS, NOUNS, OUT_VERBS, name_grade
from .tail import read_attributes
from .widths import NUMBER_WORDS

__all__ = ["ProsePort", "SentenceReader", "read_sentence", "split_sentences"]

_COPULAS = frozenset("is are".split())
_CALLED = frozenset("called named labelled labeled".split())
_JOINERS = frozenset("and plus with also both & together along or".split())
_ADJECTIVES = frozenset(
    """
    synchronous asynchronous async sync active-low active-high active low high single free-running
    system main global primary serial parallel external local positive-edge registered signed
    unsigned further second third separate common additional combinational raw incoming outgoing
    new binary small wide usual master one-hot one-bit write read chip bit data address count
    """.split()
)
# Who it is that "takes" and "produces": the block, not one of its signals.
_SUBJECTS = frozenset(
    """
    it module block design circuit unit core component device that which and then also to adder
    subtractor counter multiplexer mux decoder encoder comparator alu multiplier divider shifter
    register detector generator machine filter converter controller timer buffer fifo memory
    """.split()
)
_ROLE_NOUNS = frozenset("signal input port line pin net wire".split())
_TRAILERS = frozenset("of which is that with a width having are each both".split())
_ON = frozenset("on onto via through over at from".split())
_PREPOSITIONS = frozenset("on after during at upon when by until in from if while before".split())
_COMING_IN = re.compile(
    r"(coming in|comes? in|arriv(?:es?|ing)|enter(?:s|ing)?\b|go(?:es|ing) in|is fed in|are fed in)",
    re.I,
)
_COMING_OUT = re.compile(
    r"(coming out|comes? out|go(?:es|ing) out|leav(?:es|ing) (?:it|the))", re.I
)
_APPEARS = frozenset("appears appear available delivered".split())


@dataclass(slots=True)
class ProsePort:
    """A port that a sentence declared, and how firmly: by noun, role or verb."""

    name: str
    direction: Direction | None
    width: int | str | None = None
    signed: bool = False
    firm: bool = False
    role: str = ""
    start: int = 0
    introduced: bool = False  # "an input …", not "the input …"
    listed: bool = False  # one of a list that a plural announced, or told by "… are inputs"


@dataclass(slots=True)
class _Phrase:
    """The noun phrase being read."""

    width: int | str | None = None
    signed: bool = False
    determined: bool = False
    noun: str = ""
    role: str = ""
    role_ok: bool = True
    called: bool = False
    introduced: bool = False
    direction: Direction | None = None


def split_sentences(text: str) -> list[tuple[int, list[Token]]]:
    """Split `text` into sentences and clauses, each as tokens with offsets into `text`."""
    sentences: list[tuple[int, list[Token]]] = []
    current: list[Token] = []
    for token in tokenize(text):
        if token.kind in (Kind.STOP, Kind.SEMICOLON):
            if current:
                sentences.append((current[0].start, current))
            current = []
        else:
            current.append(token)
    if current:
        sentences.append((current[0].start, current))
    return sentences


def role_of(name: str) -> str:
    """`clock` or `reset` where the name says so, else empty."""
    found = infer_clocking(Interface("", (Port(Direction.INPUT, name),)))
    return "clock" if found.clock else "reset" if found.reset else ""


@dataclass(slots=True)
class SentenceReader:
    """Reads one sentence from left to right, keeping what direction names take at the moment."""

    tokens: Sequence[Token]
    known: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    ports: list[ProsePort] = field(default_factory=list)
    widths: dict[str, int | str] = field(default_factory=dict)
    mode: Direction | None = None
    firm: bool = False
    shared: int | str | None = None
    shared_signed: bool = False
    after_copula: bool = False
    subject: list[ProsePort] = field(default_factory=list)
    copula: bool = False
    phrase: _Phrase = field(default_factory=_Phrase)
    run: list[ProsePort] = field(default_factory=list)
    plural: bool = False
    introduced: bool = False  # the direction word was ("an input")
    carried: int | str | None = None  # the width of a noun whose place is still to be named
    last: int = -2  # index of the token at which the last name ended

    def read(self) -> list[ProsePort]:
        """Read the whole sentence; ports without a direction in the end are dropped."""
        i = 0
        while i < len(self.tokens):
            i = self._step(i)
        self._end_run()
        told = [p for p in self.ports if p.direction is not None]
        by_verb = {p.direction for p in told if not p.firm and p.introduced}
        if len(by_verb) == 2:  # "takes … and drives …" lists them all
            for port in told:
                port.firm = port.listed = port.firm or port.introduced
        return told

    # -- helpers ---------------------------------------------------------------------------

    def _at(self, i: int) -> Token | None:
        return self.tokens[i] if 0 <= i < len(self.tokens) else None

    def _lower(self, i: int) -> str:
        token = self._at(i)
        return token.lower if token and token.kind is not Kind.TICK else ""

    def _separator(self, i: int) -> bool:
        token = self._at(i)
        return (
            token is None
            or token.kind in (Kind.COMMA, Kind.CLOSE, Kind.OPEN)
            or self._lower(i) in ("and", "or", "&")
        )

    def _end_run(self) -> None:
        """The list is over: what follows is no longer under its direction."""
        if self.copula and self.phrase.width is not None:
            for port in self.subject:
                self.widths.setdefault(port.name, self.phrase.width)
        self.mode, self.shared, self.shared_signed, self.after_copula = None, None, False, False
        self.copula, self.subject, self.run = False, [], []
        self.phrase = _Phrase()

    def _add(self, name: str, i: int) -> None:
        phrase = self.phrase
        bare = not phrase.determined and not phrase.noun
        width = phrase.width if phrase.width is not None else (self.shared if bare else None)
        direction = (
            Direction.INPUT if phrase.role and phrase.role_ok and not self.mode else self.mode
        )
        port = ProsePort(
            name.removeprefix("\\"),
            direction,
            width,
            phrase.signed or (bare and self.shared_signed),
            self.firm or bool(phrase.role),
            phrase.role,
            self.tokens[i].start,
            phrase.introduced
            or phrase.called
            or (self.introduced if self.firm else not phrase.determined),
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
        self.phrase = _Phrase()

    # -- one token -------------------------------------------------------------------------

    def _step(self, i: int) -> int:
        token = self.tokens[i]
        if token.kind in (Kind.WIDTH, Kind.RANGE):
            self._width(i)
        elif token.kind is Kind.OPEN:
            return self._parenthesis(i)
        elif token.kind is Kind.TICK:
            self._tick(i)
        elif token.kind is Kind.COMMA or token.lower in _JOINERS:
            self._separate(i)
        elif token.kind is Kind.WORD:
            return self._word(i)
        elif token.kind is Kind.NUMBER or token.kind is Kind.COLON or token.kind is Kind.CLOSE:
            pass
        elif token.kind is Kind.DASH:
            pass
        else:
            self._end_run()
        return i + 1

    def _separate(self, i: int) -> None:
        if self.copula:
            self._end_copula()
        elif self.last == i - 1 or self._lower(i - 1) == ",":
            self.phrase = _Phrase()

    def _end_copula(self) -> None:
        if self.phrase.width is not None:
            for port in self.subject:
                self.widths.setdefault(port.name, self.phrase.width)
        self.copula, self.subject, self.run = False, [], []
        self.phrase = _Phrase()

    def _width(self, i: int) -> None:
        token = self.tokens[i]
        between = [self.tokens[j] for j in range(self.last + 1, i)] if self.last >= 0 else []
        trailing = (
            self.last >= 0
            and bool(self.run)
            and not self.copula
            and all(t.kind is Kind.COMMA or t.lower in _TRAILERS for t in between)
            and not self._starts_noun(i + 1, adjacent=token.kind is Kind.RANGE and not between)
        )
        if not trailing:
            self.phrase.width = token.width
            return
        ports = (
            self.run if any(t.lower in ("each", "both", "are") for t in between) else self.run[-1:]
        )
        if self._lower(i + 1) in ("each", "both"):
            ports = self.run
        for port in ports:
            port.width = token.width

    def _starts_noun(self, i: int, *, adjacent: bool) -> bool:
        token = self._at(i)
        if token is None or adjacent:
            return False
        return token.kind is Kind.TICK or (
            token.kind is Kind.WORD
            and token.lower not in ("each", "both", "wide", "and", "or", "in")
            and (token.lower in DIRECTIONS or token.lower in NOUNS or name_grade(token.text) > 0)
        )

    def _parenthesis(self, i: int) -> int:
        depth, end = 0, i
        for end in range(i, len(self.tokens)):
            depth += (self.tokens[end].kind is Kind.OPEN) - (self.tokens[end].kind is Kind.CLOSE)
            if depth == 0:
                break
        inside = list(self.tokens[i + 1 : end])
        names = [t for t in inside if t.kind is Kind.TICK or name_grade(t.text) == 3]
        if (
            self.last != i - 1
            and self._attribute_free(inside)
            and (self.mode or self.phrase.noun)
            and names
        ):
            return i + 1  # "two inputs (`a` and `b`)": read on inside
        said = read_attributes(inside, inside_parentheses=True)
        if self.last == i - 1 and self.run:
            for port in self.run if said.each else self.run[-1:]:
                port.width = said.width if said.width is not None else port.width
                port.signed = port.signed or said.signed
                if said.direction and not port.direction:
                    port.direction, port.firm = said.direction, True
            self.last = end
        elif self.last != i - 1 and said.width is not None and self.phrase.width is None:
            self.phrase.width = said.width
        return end + 1

    @staticmethod
    def _attribute_free(inside: Sequence[Token]) -> bool:
        return not any(t.lower in DIRECTIONS for t in inside)

    def _tick(self, i: int) -> None:
        name = self.tokens[i].text
        phrase = self.phrase
        if self.copula:
            self._end_copula()
        if phrase.role and not phrase.role_ok and not role_of(name) and not phrase.called:
            phrase.role = ""
        self._add(name, i)

    def _word(self, i: int) -> int:
        token = self.tokens[i]
        lower = token.lower
        if self.mode is None and not self.run and (end := self._subjects(i)):
            return end
        for pattern, direction in ((_COMING_IN, Direction.INPUT), (_COMING_OUT, Direction.OUTPUT)):
            if self._phrase_at(i, pattern):
                return self._verb_after(i, direction)
        if self._is_name_a(i):
            self._add(token.text, i)
        elif lower in DIRECTIONS:
            self._direction(i)
        elif lower in _COPULAS:
            self._copula(i)
        elif lower in _CALLED:
            self.phrase.called = True
        elif (lower in IN_VERBS or lower in OUT_VERBS) and self._is_verb(i):
            self._verb(Direction.INPUT if lower in IN_VERBS else Direction.OUTPUT)
        elif lower in _APPEARS:
            self._verb(Direction.OUTPUT)
        elif lower in ARTICLES or lower in NUMBER_WORDS:
            self._article(lower)
        elif lower in ("signed", "unsigned"):
            self.phrase.signed = lower == "signed"
        elif lower in _ON and self.mode and not self.firm and self.last != i - 1:
            self.phrase = _Phrase(width=self.phrase.width, noun="on")  # "puts the sum on s"
        else:
            self._noun_or_name(i)
        return i + 1

    def _subjects(self, i: int) -> int:
        """Read `d and en` of "d and en are inputs"; the index of the verb, or 0 if it is not that."""
        names, j = [], i
        while (token := self._at(j)) is not None:
            if token.kind is Kind.TICK or (token.kind is Kind.WORD and _may_name(token)):
                names.append(j)
            else:
                return 0
            j += 1
            if (token := self._at(j)) is not None and token.kind is Kind.RANGE:
                j += 1
            if self._lower(j) in _COPULAS:
                break
            if self._lower(j) not in (",", "and"):
                return 0
            j += 1 + (self._lower(j) == "," and self._lower(j + 1) == "and")
        k = j + 1
        while (token := self._at(k)) is not None and (
            token.kind in (Kind.WIDTH, Kind.RANGE)
            or token.lower in ARTICLES | _ADJECTIVES
            or token.lower in ("both", "single-bit", "clock", "reset", "enable", "select", "data")
        ):
            k += 1
        if (
            self._lower(k) not in DIRECTIONS
            or self._lower(k + 1) in ("of", "to", "from")
            or not names
        ):
            return 0
        for at in names:
            self._add(self.tokens[at].text, at)
            following = self._at(at + 1)
            if following is not None and following.kind is Kind.RANGE:
                self.run[-1].width = following.width
        self.last = j - 1
        return j

    def _phrase_at(self, i: int, pattern: re.Pattern[str]) -> bool:
        words = " ".join(t.text for t in self.tokens[i : i + 3])
        return pattern.match(words) is not None

    def _verb_after(self, i: int, direction: Direction) -> int:
        """ "a bus `code` coming in together with …": direction of what stands before and after."""
        for port in self.run:
            port.direction = port.direction or direction
        self._end_run()
        self.mode, self.firm = direction, False
        return i + (2 if self._lower(i + 1) in ("in", "out") else 1)

    def _is_name_a(self, i: int) -> bool:
        """Whether the word `a` (or `A`) is a name here, not the article."""
        if self.tokens[i].lower != "a" or not (self.mode or self.phrase.role):
            return False
        following = self._at(i + 1)
        return following is None or (
            following.kind in (Kind.COMMA, Kind.RANGE, Kind.OPEN, Kind.CLOSE, Kind.EQUALS)
            or following.lower
            in ("and", "is", "of", "are", "or", "plus", "&", "to", "by", "with", "from")
        )

    def _article(self, lower: str) -> None:
        if self.copula:
            return
        keep = self.phrase
        self.phrase = _Phrase(
            determined=True,
            direction=keep.direction,
            introduced=lower not in ("the", "its", "this", "each", "every", "another"),
        )

    def _direction(self, i: int) -> None:
        direction = DIRECTIONS[self.tokens[i].lower]
        plural = self.tokens[i].lower.endswith("s")
        phrase = self.phrase
        following = self._lower(i + 1)
        if self.copula and self.subject:  # "`q` is an 8-bit output"
            for port in self.subject:
                port.direction, port.firm, port.listed = direction, True, True
                port.width = phrase.width if phrase.width is not None else port.width
                port.signed = port.signed or phrase.signed
            self._end_run()
            return
        undirected = [p for p in self.run if p.direction is None]
        if (
            undirected and self.last >= 0 and phrase.determined and i - self.last <= 4
        ):  # "and q the output"
            for port in undirected:
                port.direction, port.firm, port.width = direction, True, phrase.width or port.width
            self._end_run()
            return
        if following in ("of", "to", "from", "is", "are") and following not in ("is", "are"):
            self._end_run()
            return
        width, signed, role = phrase.width, phrase.signed, phrase.role
        if width is None and self.carried is not None and self._lower(i - 1) in (*_ON, "the"):
            width = self.carried  # "the 9-bit sum is put on the output `s`"
        self.carried = None
        self._end_run()
        self.mode, self.firm = direction, following not in ("the", "its")
        self.phrase.width, self.phrase.signed = width, signed
        self.phrase.role = role if direction is Direction.INPUT else ""
        self.plural, self.introduced = plural, phrase.introduced or not phrase.determined
        if plural:
            self.shared, self.shared_signed = width, signed

    def _copula(self, i: int) -> None:
        if self.run and self.last == i - 1:
            self.copula, self.subject = True, list(self.run)
            self.phrase = _Phrase()
        elif (self.mode and self.firm) or self.phrase.role:
            self.after_copula = True
            self.phrase.called = self.phrase.called or bool(self.phrase.role)
        else:
            width = self.phrase.width
            self._end_run()
            self.carried = width

    def _is_verb(self, i: int) -> bool:
        """Whether the block does it, not a signal ("`en` drives …"), and it is no noun."""
        previous = self._at(i - 1)
        if self._lower(i + 1) in ("by", "place", "care"):
            return False
        return (
            previous is None
            or previous.kind in (Kind.COMMA, Kind.CLOSE)
            or previous.lower in _SUBJECTS
            or (previous.text in self.modules and previous.text not in self.known)
        )

    def _verb(self, direction: Direction) -> None:
        for port in self.run if self.copula else ():
            port.direction = port.direction or direction
        self._end_run()
        self.mode, self.firm = direction, False

    def _noun_or_name(self, i: int) -> None:
        token = self.tokens[i]
        lower = token.lower
        alone = self._stands_alone(i) or (self.phrase.called and self.last != i - 1)
        if lower in ("clock", "reset") and not alone:
            before = self._lower(i - 1) if not self.phrase.determined else self._lower(i - 2)
            self.phrase.role = lower
            self.phrase.role_ok = before not in _PREPOSITIONS
            self.phrase.noun = lower
            return
        if self._takes(i):
            if self.copula:
                self._end_copula()
            self._add(token.text, i)
            return
        if lower in NOUNS:
            self.phrase.noun = lower
            if self.phrase.role and lower not in _ROLE_NOUNS:
                self.phrase.role = ""
            return
        if lower in _ADJECTIVES or "-" in token.text:
            return
        self._end_run()

    def _stands_alone(self, i: int) -> bool:
        """Whether `clock` itself is the name: "inputs clock and reset"."""
        return bool(
            self.mode and self.firm and not self.phrase.determined and self._separator(i + 1)
        )

    def _takes(self, i: int) -> bool:
        """Whether the unquoted word at `i` is a name that this sentence declares."""
        token, phrase = self.tokens[i], self.phrase
        grade = name_grade(token.text)
        lower = token.lower
        if not _may_name(token) or self.last == i - 1:
            return False
        if phrase.called and grade > 0 and (self.mode or phrase.role or phrase.noun):
            return phrase.role == "" or grade >= 1
        if phrase.role and lower not in NOUNS:
            return (
                grade == 3
                or (grade == 2 and phrase.role_ok)
                or (bool(role_of(token.text)) and phrase.role_ok)
                or (grade == 1 and phrase.role_ok and self._separator(i + 1))
            )
        if self.mode is None or grade == 0:
            return False
        quoted = any(t.kind is Kind.TICK for t in self.tokens)
        if self.firm and not self.after_copula:
            if lower in NOUNS and self._names_follow(i + 1):
                return False
            if phrase.determined and lower in NOUNS and phrase.width is None:
                return False
            if not self.plural and grade == 1:  # "the output sticks", "input transfer: …"
                ends = self._separator(i + 1) and not phrase.determined
                opens = self._at(i + 1) is not None and self._lower(i + 1) == "("
                return ends and not quoted and not (lower in NOUNS and opens)
            if self.plural and not self._chained(i) and not self._list_goes_on(i + 1):
                return False  # "Moore outputs: P gives …"
            return grade >= 2 or not quoted
        if self.firm:  # "the outputs are sum and carry"
            return grade >= 2 or (not quoted and self._separator(i + 1) and self._listed(i))
        if lower in NOUNS or self._lower(i + 1) in NOUNS:
            return False
        strong = grade == 3 or (
            grade == 2
            and bool(phrase.noun or phrase.width or self.shared is not None or self._chained(i))
        )
        return strong or (
            grade == 1 and bool(phrase.noun) and not quoted and self._separator(i + 1)
        )

    def _chained(self, i: int) -> bool:
        """Whether the name continues a list of names: "operands a and b"."""
        return self.last == i - 2 and self._separator(i - 1)

    def _list_goes_on(self, i: int) -> bool:
        token = self._at(i)
        return (
            self._separator(i)
            or token is None
            or token.kind is not Kind.WORD
            or token.lower
            in ("of", "with", "plus", "each", "both", "are", "is", "for", "from", "as")
        )

    def _listed(self, i: int) -> bool:
        return self._at(i + 1) is not None or self.last == i - 2

    def _names_follow(self, i: int) -> bool:
        token = self._at(i)
        if token is None:
            return False
        if token.kind in (Kind.TICK, Kind.WIDTH) or token.lower in _CALLED:
            return True
        if token.lower == "a":
            return self._separator(i + 1)
        return (
            token.kind is Kind.WORD and name_grade(token.text) > 0 and token.lower not in _JOINERS
        )


def _may_name(token: Token) -> bool:
    return "-" not in token.text and "'" not in token.text and name_grade(token.text) > 0


def read_sentence(
    tokens: Sequence[Token], known: frozenset[str], modules: frozenset[str] = frozenset()
) -> SentenceReader:
    """Read one sentence; `known` are names declared so far, `modules` the modules' names."""
    reader = SentenceReader(tokens, known, modules)
    reader.ports = reader.read()
    return reader
