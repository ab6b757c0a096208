"""The reader against composed specs, whose ports are known: many designs, many wordings."""

from __future__ import annotations

import random

import pytest
from rtl_agent.agent.spec.read import read_spec_text
from rtl_agent.decoding.training.corpus.registry import all_families
from rtl_agent.decoding.training.corpus.wording import Split, word

FAMILIES = all_families()


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_ports_of_composed_specs_are_right_or_left_out(family: str) -> None:
    for seed in range(2):
        rng = random.Random(f"{family}/{seed}")
        design = FAMILIES[family](rng)
        worded = word(design, rng, Split.HELD_OUT if seed else Split.TRAIN)
        spec = read_spec_text(worded.text, name="spec.md")
        want = {(p.direction, p.name, p.range or p.width) for p in design.ports}
        got = {(str(p.direction), p.name, p.width) for p in spec.interface.ports}
        if worded.interface_style == "none":
            assert got == set(), worded.text
        else:
            assert got == want, worded.text
        if worded.interface_style != "none":
            parameters = {p.name: p.default for p in spec.interface.parameters}
            assert parameters == dict(design.parameters), worded.text
            clocking = spec.clocking
            assert (clocking.clock, clocking.reset) == (design.clock, design.reset), worded.text
            assert clocking.reset_active_low == design.reset_active_low, worded.text
        if worded.interface_style == "header":
            assert [p.name for p in spec.interface.ports] == [p.name for p in design.ports]
