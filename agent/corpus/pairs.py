"""Training pairs: the prompt as the loop would write it, the answer as the model should give it.

The prompt of a pair is made by the same code that makes it in use (retrieval, alignment, template),
from designs of the library split, which the training split never contains.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.library.align import align
from rtl_agent.agent.library.header import plain_form
from rtl_agent.agent.library.records import LibraryRecord, interface_from_json
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.library.verilog_text import split_module
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.interface import Interface

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from rtl_agent.agent.library.index import Library

__all__ = ["Pair", "choose_exemplar", "draft_pair", "spec_of"]

# How often a pair shows something other than the best hit, so that the model learns when not to
# copy and does not lean on retrieval being right.
_NO_EXEMPLAR = 0.06
_SECOND_BEST = 0.10
# How often the exemplar is, of the best hits of the right family, the one nearest to the answer:
# it teaches to copy what fits and to change the rest, and not to guess a style.
_NEAREST = 0.5
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


def _closest(
    hits: Sequence[tuple[LibraryRecord, float]], record: Mapping[str, Any], spec: Spec
) -> tuple[LibraryRecord, float]:
    """Of the hits of the record's own family, the one whose aligned RTL is most like its own."""
    own = [hit for hit in hits if hit[0].family == record["family"]]
    wanted = record["rtl"].split()

    def likeness(hit: tuple[LibraryRecord, float]) -> float:
        moved = align(_shown(*hit), spec.interface) if spec.interface.ports else _shown(*hit)
        return SequenceMatcher(None, moved.rtl.split(), wanted, autojunk=False).ratio()

    return max(own, key=likeness) if own else hits[0]


def _shown(record: LibraryRecord, score: float) -> Exemplar:
    return Exemplar(record.name, record.origin, record.spec, record.rtl, record.interface, score)


def choose_exemplar(
    library: Library, spec: Spec, record: Mapping[str, Any], rng: random.Random
) -> tuple[tuple[Exemplar, ...], str]:
    """Retrieve what a training prompt shows, and its family; now and then nothing or the second."""
    roll = rng.random()
    if roll < _NO_EXEMPLAR:
        return (), ""
    hits = library.search(spec.text, spec.interface, 6)
    if not hits:
        return (), ""
    if roll < _NO_EXEMPLAR + _SECOND_BEST:
        chosen = hits[min(1, len(hits) - 1)]
    elif roll < _NO_EXEMPLAR + _SECOND_BEST + _NEAREST:
        chosen = _closest(hits, record, spec)
    else:
        chosen = hits[0]
    return (_shown(*chosen),), chosen[0].family


def draft_pair(
    record: Mapping[str, Any], text: str, library: Library, rng: random.Random
) -> Pair | None:
    """The pair for a first draft of `record` from `text`; None where its header is unusual."""
    full = interface_from_json(record["interface"])
    listed = any(mark in text for mark in ("|", "```", "input", "Input", "nputs"))
    spec = spec_of(record, text, ports=listed or rng.random() >= _NO_HEADER)
    exemplars, family = choose_exemplar(library, spec, record, rng)
    prompt = EmbeddedStyle().draft(spec, exemplars)
    plain = plain_form(record["rtl"], full)
    parts = split_module(plain, full.module)
    if parts is None:
        return None
    answer = parts.body if spec.interface.ports else plain[len(f"module {full.module}") :]
    return Pair(prompt.raw, answer.rstrip() + "\n", record["family"], "draft", family)
