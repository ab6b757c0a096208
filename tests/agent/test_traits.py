"""Which design of one kind a text asks for: traits are learned, shipped, and decide retrieval."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rtl_agent.agent.corpus.dataset import design_record
from rtl_agent.agent.corpus.pairs import spec_of
from rtl_agent.agent.corpus.traits import learn_family, traits_of
from rtl_agent.agent.library.index import Library, open_library
from rtl_agent.agent.library.records import LibraryRecord
from rtl_agent.agent.library.traits import Trait, Traits, open_traits, trait_words, write_traits
from rtl_agent.agent.spec.read import read_spec
from rtl_agent.decoding.training.corpus.registry import all_families
from rtl_agent.decoding.training.corpus.wording import Split, word
from rtl_agent.tools.interface import Interface

ODD = Trait(("False", "True"), (0.0, 0.0), {"odd": (-1.0, 1.0), "even": (1.0, -1.0)})


def _record(name: str, family: str, **traits: str) -> LibraryRecord:
    return LibraryRecord(name, family, "", "", Interface("m"), "", traits=traits)


def test_words_and_pairs_are_read_with_numbers_alike_in_pairs() -> None:
    assert trait_words("Counts 12 to 1") == {
        "counts", "12", "#", "to", "1", "counts #", "# to", "to 1",
    }  # fmt: skip


def test_the_likeliest_value_has_nothing_against_it_and_no_value_everything() -> None:
    assert ODD.likelihoods(["odd"]) == {"False": -2.0, "True": 0.0}
    loud = Trait(("a", "b"), (0.0, 0.0), {"w": (90.0, 0.0)})
    assert loud.likelihoods(["w"])["b"] == -4.0


def test_a_design_is_held_to_what_the_text_says_and_an_unknown_one_to_nothing() -> None:
    reading = Traits({"parity": {"odd": ODD}}).read("an odd parity checker")
    assert reading.nearness(_record("x", "parity", odd="True")) == 0
    assert reading.nearness(_record("x", "parity", odd="False")) == -2
    assert reading.nearness(_record("x", "parity", odd="neither", other="True")) == 0
    assert reading.nearness(_record("mine.v:m", "user")) == 0


def test_written_traits_are_read_back_and_the_bytes_depend_on_nothing_else(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_traits(tmp_path / name, {"parity": {"odd": ODD}})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    reading = open_traits(tmp_path / "a").read("even")
    assert reading.nearness(_record("x", "parity", odd="True")) == -2
    assert open_traits(tmp_path / "none").read("even").nearness(_record("x", "parity")) == 0


@pytest.mark.parametrize(("family", "trait"), [("parity", "odd"), ("barrel_register", "kind")])
def test_a_trait_is_learned_from_texts_and_read_from_new_ones(family: str, trait: str) -> None:
    learned = learn_family(family, 60, seed=5)[trait]
    right = 0
    for index in range(30):
        design = all_families()[family](random.Random(f"new:{index}"))
        text = word(design, random.Random(index), Split.HELD_OUT).text
        said = learned.likelihoods(trait_words(text))
        right += max(said, key=said.__getitem__) == str(design.params[trait])
    assert right >= 27


def test_only_choices_are_traits() -> None:
    told = traits_of({"odd": True, "kind": "sra", "width": 8, "words": "1, 2, 3, 4, 5, 6, 7"})
    assert told == {"odd": "True", "kind": "sra"}


def test_ports_outweigh_how_a_text_is_worded() -> None:
    # "one of four bytes" is no wording of the corpus; with numbers as traits a 3:1 mux came first.
    spec = read_spec(Path(__file__).parents[2] / "examples" / "mux4" / "spec.md")
    first = open_library().nearest(spec, 1)[0]
    assert first.name.startswith("mux:")
    assert len(first.interface.inputs()) == 5


def _right_kind(library: Library) -> int:
    """Of 24 texts, for how many the first design has the traits that were asked for."""
    traits = {record.name: record.traits for record in library}
    right = 0
    asked = {"serial_to_parallel": "msb", "spi_master": "msb", "priority_arbiter": "low_first"}
    for family, trait in asked.items():
        for index in range(8):
            key = f"kinds:{index}"
            design = all_families()[family](random.Random(f"{family}:{key}"))
            record = design_record(design, seed=key, wordings=1, split="held-out")
            first = library.nearest(spec_of(record, record["specs"][0]), 1)[0]
            right += traits[first.name].get(trait) == str(design.params[trait])
    return right


def test_traits_find_the_design_of_its_kind_that_words_alone_do_not() -> None:
    records = list(open_library())
    with_traits, without = _right_kind(Library(records)), _right_kind(Library(records, Traits({})))
    assert with_traits >= 22
    assert without <= 16
