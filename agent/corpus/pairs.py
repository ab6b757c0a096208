"""Training pairs: the prompt as the loop would write it, the answer as the model should give it.

The prompt of a pair is made by the same code that makes it in use (retrieval, alignment, template).
Where the design it shows is already what the task asks for, the answer is that design, so that the
model learns to leave it alone; else it is the right one, in the names of what is shown, and of the
first hits one is shown that is written as the answer is (see `likeness`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.library.fit import fitted_rtl
from rtl_agent.agent.library.header import plain_form, under_header
from rtl_agent.agent.library.records import interface_from_json
from rtl_agent.agent.library.verilog_text import split_module
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.interface import Interface

from .likeness import in_names_of, likeness

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

    from rtl_agent.agent.library.index import Library
    from rtl_agent.agent.library.types import Exemplar

__all__ = ["Pair", "draft_pair", "family_of", "in_style_of", "shown_first", "spec_of"]

# How often a pair shows nothing, or does not begin with the first hit, so that the model learns
# when not to copy; and how often one is looked for that has to be changed.
_NO_EXEMPLAR = 0.04
_OTHER_HIT = 0.4
_HITS = 5
_ALIKE = 0.7  # from here on an answer counts as written like what is shown
# How often a spec without a port list is trained with the header left to the model.
_NO_HEADER = 0.3


@dataclass(frozen=True, slots=True)
class Pair:
    """A prompt and its answer; the loss is on the answer alone."""

    prompt: str
    answer: str
    family: str
    kind: str
    exemplar_family: str

    def to_json(self) -> dict[str, str]:
        """A JSON object with the fields by name."""
        return {
            "prompt": self.prompt,
            "answer": self.answer,
            "family": self.family,
            "kind": self.kind,
            "exemplar_family": self.exemplar_family,
        }


def spec_of(record: Mapping[str, Any], text: str, *, ports: bool = True) -> Spec:
    """The spec a corpus record and one of its texts stand for."""
    interface = interface_from_json(record["interface"])
    if not ports:
        interface = Interface(interface.module)
    return Spec(record["id"], None, text, interface, clocking=infer_clocking(interface))


def shown_first(library: Library, spec: Spec, rng: random.Random) -> tuple[Exemplar, ...]:
    """The hits of which a training prompt shows one, that first which is tried first, or none."""
    if rng.random() < _NO_EXEMPLAR:
        return ()
    hits = list(library.nearest(spec, _HITS))
    if rng.random() < _OTHER_HIT:
        rng.shuffle(hits)
    return tuple(hits)


def _answer(
    record: Mapping[str, Any],
    spec: Spec,
    hits: Sequence[Exemplar],
    rng: random.Random,
    right: Callable[[str], bool],
) -> tuple[str, tuple[Exemplar, ...]]:
    """The whole right answer in plain form, and which of `hits` is shown for it."""
    full = interface_from_json(record["interface"])
    plain = plain_form(record["rtl"], full)
    fitted = [fitted_rtl(hit, spec)[0] for hit in hits]
    done = bool(fitted) and right(under_header(fitted[0], spec.interface))
    if done and rng.random() >= _OTHER_HIT:
        return fitted[0], (hits[0],)
    # One that has to be changed, and is written as the answer is.
    alike = [likeness(rtl, plain) for rtl in fitted]
    rest = range(int(done), len(hits))
    likest = max(rest, key=alike.__getitem__, default=-1)
    best = next((i for i in rest if alike[i] >= _ALIKE), likest)
    if best < 0:
        return plain, ()
    if right(under_header(fitted[best], spec.interface)):
        return fitted[best], (hits[best],)
    return in_style_of(plain, full, (hits[best],), spec), (hits[best],)


def draft_pair(
    record: Mapping[str, Any],
    text: str,
    library: Library,
    rng: random.Random,
    right: Callable[[str], bool],
) -> Pair | None:
    """The pair for a first draft of `record` from `text`; None where its header is unusual.

    `right` says whether a source does what the record's own does.
    """
    full = interface_from_json(record["interface"])
    listed = any(mark in text for mark in ("|", "```", "input", "Input", "nputs"))
    spec = spec_of(record, text, ports=listed or rng.random() >= _NO_HEADER)
    hits = shown_first(library, spec, rng)
    if spec.interface.ports:
        plain, exemplars = _answer(record, spec, hits, rng, right)
    else:
        exemplars = hits[:1]
        plain = in_style_of(plain_form(record["rtl"], full), full, exemplars, spec)
    prompt = EmbeddedStyle().draft(spec, exemplars)
    parts = split_module(plain, full.module)
    if parts is None:
        return None
    answer = parts.body if spec.interface.ports else plain[len(f"module {full.module}") :]
    family = family_of(exemplars)
    return Pair(prompt.raw, answer.rstrip() + "\n", record["family"], "draft", family)


def family_of(exemplars: Sequence[Exemplar]) -> str:
    """The family of the design shown, by its name; empty where none is."""
    return exemplars[0].name.split(":")[0] if exemplars else ""


def in_style_of(plain: str, full: Interface, exemplars: Sequence[Exemplar], spec: Spec) -> str:
    """`plain` with its own signals named as those of the shown design are."""
    if not exemplars:
        return plain
    ports = frozenset((full.module, *(p.name for p in full.ports)))
    return in_names_of(plain, fitted_rtl(exemplars[0], spec)[0], ports)
