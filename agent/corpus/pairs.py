"""Training pairs: the prompt as the loop would write it, the answer as the model should give it.

The prompt of a pair is made by the same code that makes it in use (alignment, template); the design
it shows is another one of the family, chosen as `likeness` explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.library.fit import fitted_rtl
from rtl_agent.agent.library.header import plain_form
from rtl_agent.agent.library.records import LibraryRecord, interface_from_json
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.library.verilog_text import split_module
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.interface import Interface

from .likeness import in_names_of, likeness

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from rtl_agent.agent.library.index import Library

__all__ = ["Pair", "choose_exemplar", "draft_pair", "in_style_of", "spec_of"]

# How often a pair shows nothing, or a design of another kind (where retrieval finds one first), so
# that the model learns when not to copy. All others show the design that is most like the answer,
# of a random half of its family.
_NO_EXEMPLAR = 0.05
_OTHER_KIND = 0.08
_LIKELY = 0.5
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
    own: Sequence[LibraryRecord], record: Mapping[str, Any], spec: Spec
) -> LibraryRecord | None:
    """The design of `own` whose RTL, fitted to the spec, is most like the record's."""
    interface = interface_from_json(record["interface"])
    wanted = plain_form(record["rtl"], interface)

    def alike(other: LibraryRecord) -> float:
        return likeness(fitted_rtl(_shown(other, 1.0), spec)[0], wanted)

    return max(own, key=alike, default=None)


def _shown(record: LibraryRecord, score: float) -> Exemplar:
    return Exemplar(record.name, record.origin, record.spec, record.rtl, record.interface, score)


def choose_exemplar(
    library: Library,
    spec: Spec,
    record: Mapping[str, Any],
    rng: random.Random,
    relatives: Sequence[LibraryRecord] = (),
) -> tuple[tuple[Exemplar, ...], str]:
    """What a training prompt shows, and its family; `relatives` are other designs of the family."""
    roll = rng.random()
    if roll < _NO_EXEMPLAR:
        return (), ""
    if roll < _NO_EXEMPLAR + _OTHER_KIND:
        for hit, score in library.search(spec.text, spec.interface, 3):
            if hit.family != record["family"]:
                return (_shown(hit, score),), hit.family
    found = _closest([r for r in relatives if rng.random() < _LIKELY], record, spec)
    return ((_shown(found, 1.0),), found.family) if found else ((), "")


def draft_pair(
    record: Mapping[str, Any],
    text: str,
    library: Library,
    rng: random.Random,
    relatives: Sequence[LibraryRecord] = (),
) -> Pair | None:
    """The pair for a first draft of `record` from `text`; None where its header is unusual."""
    full = interface_from_json(record["interface"])
    listed = any(mark in text for mark in ("|", "```", "input", "Input", "nputs"))
    spec = spec_of(record, text, ports=listed or rng.random() >= _NO_HEADER)
    exemplars, family = choose_exemplar(library, spec, record, rng, relatives)
    prompt = EmbeddedStyle().draft(spec, exemplars)
    plain = in_style_of(plain_form(record["rtl"], full), full, exemplars, spec)
    parts = split_module(plain, full.module)
    if parts is None:
        return None
    answer = parts.body if spec.interface.ports else plain[len(f"module {full.module}") :]
    return Pair(prompt.raw, answer.rstrip() + "\n", record["family"], "draft", family)


def in_style_of(plain: str, full: Interface, exemplars: Sequence[Exemplar], spec: Spec) -> str:
    """`plain` with its own signals named as those of the shown design are."""
    if not exemplars:
        return plain
    ports = frozenset((full.module, *(p.name for p in full.ports)))
    return in_names_of(plain, fitted_rtl(exemplars[0], spec)[0], ports)
