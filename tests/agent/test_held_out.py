"""No example is in the training corpus or the shipped library, in whatever names or style."""

from __future__ import annotations

import itertools
import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from examples_kit import NAMES, ROOT, example
from held_out_models import MODELS
from rtl_agent.agent import library
from rtl_agent.agent.corpus.dataset import normal_form
from rtl_agent.agent.corpus.held_out import HELD_OUT, is_held_out
from rtl_agent.agent.library.records import read_records
from rtl_agent.decoding.training.corpus.registry import all_families
from rtl_agent.tools.interface import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rtl_agent.decoding.training.corpus.design import Design, PortDecl, ReferenceModel

RELEVANT = tuple(dict.fromkeys(family for family, _ in HELD_OUT))
CYCLES = 400
Shape = tuple[bool, tuple[int, ...], tuple[int, ...]]
Values = dict[str, int]


@cache
def draws(family: str, count: int) -> tuple[Design, ...]:
    make = all_families()[family]
    return tuple(make(random.Random(f"held-out:{family}:{index}")) for index in range(count))


def data_ports(design: Design, direction: str) -> list[PortDecl]:
    """The ports of one direction without clock and reset."""
    special = (design.clock, design.reset)
    return [p for p in design.ports if p.direction == direction and p.name not in special]


def design_shape(design: Design) -> Shape:
    return (
        design.clock is not None,
        tuple(sorted(p.width for p in data_ports(design, "input"))),
        tuple(sorted(p.width for p in data_ports(design, "output"))),
    )


def example_ports(name: str, direction: Direction) -> dict[str, int]:
    """Data ports of an example and their widths."""
    spec = example(name).spec
    special = (spec.clocking.clock, spec.clocking.reset)
    return {
        p.name: int(p.width)
        for p in spec.interface.ports
        if p.direction is direction and p.name not in special
    }


def example_shape(name: str) -> Shape:
    return (
        example(name).spec.clocking.clock is not None,
        tuple(sorted(example_ports(name, Direction.INPUT).values())),
        tuple(sorted(example_ports(name, Direction.OUTPUT).values())),
    )


def bijections(mine: Mapping[str, int], theirs: list[PortDecl]) -> Iterator[dict[str, str]]:
    """Every way to pair ports of equal width, from my names to theirs."""
    names = list(mine)
    for order in itertools.permutations(theirs):
        if all(mine[name] == port.width for name, port in zip(names, order, strict=True)):
            yield {name: port.name for name, port in zip(names, order, strict=True)}


def stimulus(inputs: Mapping[str, int]) -> list[Values]:
    """Rows of values in phases in which a one-bit input keeps its share of ones."""
    rng = random.Random(11)
    rows: list[Values] = []
    for _ in range(CYCLES // 20):
        share = {name: rng.choice((0.0, 0.1, 0.5, 0.9, 1.0)) for name in inputs}
        rows += [
            {
                name: int(rng.random() < share[name]) if width == 1 else rng.getrandbits(width)
                for name, width in inputs.items()
            }
            for _ in range(20)
        ]
    return rows


def differs(name: str, design: Design, pins: Mapping[str, str]) -> bool:
    """Whether the models of an example and of a corpus design, so connected, ever disagree."""
    mine: ReferenceModel = MODELS[name]()
    theirs = design.model()
    mine.reset()
    theirs.reset()
    released = {} if design.reset is None else {design.reset: int(design.reset_active_low)}
    for row in stimulus(example_ports(name, Direction.INPUT)):
        want = mine.step(row)
        got = theirs.step({pins[pin]: value for pin, value in row.items()} | released)
        for pin, value in want.items():
            other = got.get(pins[pin])
            if value is not None and other is not None and value != other:
                return True
    return False


def same_function(name: str, design: Design) -> bool:
    """Whether a corpus design is the example under other names."""
    if design_shape(design) != example_shape(name):
        return False
    ins = bijections(example_ports(name, Direction.INPUT), data_ports(design, "input"))
    outs = list(bijections(example_ports(name, Direction.OUTPUT), data_ports(design, "output")))
    return any(not differs(name, design, i | o) for i, o in itertools.product(ins, outs))


def is_an_example(design: Design) -> list[str]:
    return [name for name in NAMES if same_function(name, design)]


@pytest.mark.parametrize("family", sorted(all_families()))
def test_a_draw_that_is_an_example_is_kept_out(family: str) -> None:
    count = 120 if family in RELEVANT else 40
    leaked = {
        (design.module, str(dict(design.params)), *found)
        for design in draws(family, count)
        if not is_held_out(family, design.params) and (found := is_an_example(design))
    }
    assert leaked == set()


@pytest.mark.parametrize(("family", "wanted"), HELD_OUT, ids=[family for family, _ in HELD_OUT])
def test_every_rule_recognises_draws(family: str, wanted: Mapping[str, Any]) -> None:
    """A rule with a misspelt parameter would keep nothing out, and nobody would see it."""
    caught = [d for d in draws(family, 400) if is_held_out(family, d.params)]
    assert caught
    assert len(caught) < 400, "the rule throws the whole family away"
    assert set(wanted) <= set(caught[0].params)


@pytest.mark.parametrize("name", ["mux4", "prio_enc8", "edge_capture", "seq1011"])
def test_the_comparison_would_see_a_leak(name: str) -> None:
    """Without the rules, the corpus does contain these examples."""
    found = [d for family in RELEVANT for d in draws(family, 400) if same_function(name, d)]
    assert found
    assert all(is_held_out(d.family, d.params) for d in found)


def designs_of_the_examples() -> dict[str, str]:
    """Reference and golden designs in a form without names."""
    files = [*ROOT.rglob("reference.v"), *ROOT.rglob("golden.v")]
    return {
        normal_form(file.read_text(encoding="utf-8")): str(file.relative_to(ROOT)) for file in files
    }


def test_no_shipped_library_design_is_an_example() -> None:
    records = list(read_records(Path(library.__file__).parent / "shipped.jsonl.gz"))
    assert records
    forms = designs_of_the_examples()
    assert len(forms) == len(NAMES) + 1
    same = {(r.name, forms[form]) for r in records if (form := normal_form(r.rtl)) in forms}
    assert same == set()


def test_no_corpus_design_is_written_like_a_reference() -> None:
    forms = designs_of_the_examples()
    same = {
        (family, forms[form])
        for family in RELEVANT
        for design in draws(family, 120)
        if not is_held_out(family, design.params) and (form := normal_form(design.rtl)) in forms
    }
    assert same == set()


def test_normal_form_ignores_names_and_layout() -> None:
    rtl = example("seq1011").reference.read_text(encoding="utf-8")
    renamed = rtl.replace("state", "where").replace("din", "b").replace("    ", "\t")
    assert normal_form(renamed) == normal_form(rtl)
    assert normal_form(rtl.replace("&& din", "&& !din")) != normal_form(rtl)
