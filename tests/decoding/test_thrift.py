"""A drafter that costs more than it gains rests, and is asked again later."""

from __future__ import annotations

import time

import pytest
from engine_models import EOS, plain_greedy, prompts, tiny
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.state import Request, Row
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.engine.thrift import LONGEST_REST, Thrift

PLAIN = 0.05  # seconds a token without drafts


def told(thrift: Thrift, times: int, *, seconds: float, gained: int) -> None:
    for _ in range(times):
        thrift.learn("d", seconds=seconds, gained=gained, plain_s=PLAIN)


def test_a_drafter_that_gains_less_than_it_costs_rests() -> None:
    thrift = Thrift()
    told(thrift, 3, seconds=0.06, gained=0)
    assert not thrift.due("d")
    assert thrift.due("another")


def test_one_that_pays_goes_on() -> None:
    thrift = Thrift()
    told(thrift, 20, seconds=0.06, gained=3)
    assert thrift.due("d")


def test_after_a_rest_it_is_asked_again_and_may_stay() -> None:
    thrift = Thrift()
    told(thrift, 3, seconds=0.06, gained=0)
    thrift.tokens += 64
    assert thrift.due("d")
    told(thrift, 1, seconds=0.06, gained=0)
    assert not thrift.due("d")
    thrift.tokens += 128
    told(thrift, 6, seconds=0.06, gained=4)
    assert thrift.due("d")


def test_rests_grow_to_a_limit() -> None:
    thrift = Thrift()
    told(thrift, 3, seconds=0.06, gained=0)
    for _ in range(6):
        thrift.tokens += LONGEST_REST
        assert thrift.due("d")
        told(thrift, 1, seconds=0.06, gained=0)
    thrift.tokens += LONGEST_REST - 1
    assert not thrift.due("d")


class Slow:
    """Proposes nothing, and takes its time for it."""

    name = "slow"

    def __init__(self, *, runs_a_model: bool) -> None:
        self.runs_a_model = runs_a_model
        self.asked = 0

    def start(self, rows, cache) -> None:
        pass

    def propose(self, rows, trees, budget) -> None:
        self.asked += 1
        time.sleep(0.005)

    def update(self, row, gained, hidden) -> None:
        pass


@pytest.mark.parametrize("adaptive", [True, False])
def test_the_engine_stops_asking_a_model_that_gains_nothing(adaptive: bool) -> None:
    model = tiny("llama")
    (prompt,) = prompts(1, seed=9)
    slow = Slow(runs_a_model=True)
    engine = Engine(CausalTarget(model), drafters=[slow], adaptive=adaptive)
    rows: list[Row] = []
    for _ in engine.run([Request(prompt, 24, eos=frozenset({EOS}))], rows=rows):
        pass
    (row,) = rows
    assert list(row.new_tokens) == plain_greedy(model, prompt, 24)
    if adaptive:
        assert slow.asked <= 4 < row.stats.target_passes
    else:  # the harm without it: paid for at every step
        assert slow.asked == row.stats.target_passes
