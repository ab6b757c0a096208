"""The cost model and the planner that uses it."""

from __future__ import annotations

import pytest
from engine_models import tiny
from rtl_agent.decoding.engine.calibrate import Calibration
from rtl_agent.decoding.engine.cost import CostModel, Planner, measure
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.engine.tree import Tree, pad

FLAT = CostModel([1, 8, 64], [1.0, 1.0, 1.0])
STEEP = CostModel([1, 8, 64], [1.0, 8.0, 64.0])


def chain(length, confidence=0.9):
    tree, node = Tree.rooted(0), 0
    for token in range(1, length + 1):
        node = tree.add(node, token, "a", confidence=confidence)
    return tree


def test_time_is_interpolated_and_extended():
    cost = CostModel([1, 4, 16], [1.0, 2.0, 8.0])
    assert cost.time(1) == 1.0
    assert cost.time(10) == pytest.approx(5.0)
    assert cost.time(32) == pytest.approx(16.0)
    with pytest.raises(ValueError, match="ascend"):
        CostModel([4, 1], [1.0, 2.0])


def test_free_nodes_are_all_taken_and_dear_ones_are_not():
    def select(cost, confidence):
        planner = Planner(Calibration(), max_nodes=64, cost=cost)
        return len(planner.select([chain(20, confidence)])[0])

    assert select(FLAT, 0.9) == 21
    assert select(STEEP, 0.5) == 1  # speculation is off
    assert select(CostModel([1, 8, 64], [1.0, 1.2, 9.0]), 0.9) == 8


def test_speculation_turns_off_and_on_again():
    calibration = Calibration()
    planner = Planner(calibration, max_nodes=64, cost=CostModel([1, 8, 64], [1.0, 2.4, 16.0]))
    tree = chain(8, 0.9)
    assert len(planner.select([tree])[0]) > 1
    for _ in range(60):
        calibration.learn(tree, [0])  # everything is refused
    assert len(planner.select([tree])[0]) == 1
    for _ in range(400):
        calibration.learn(tree, range(9))
    assert len(planner.select([tree])[0]) > 1


def test_the_likeliest_nodes_are_kept_with_their_parents():
    tree = Tree.rooted(0)
    weak = tree.add(0, 1, "a", confidence=0.1)
    tree.add(weak, 2, "a", confidence=0.9)
    strong = tree.add(0, 3, "a", confidence=0.8)
    tree.add(strong, 4, "a", confidence=0.8)
    planner = Planner(Calibration(), max_nodes=3)
    kept = planner.select([tree])[0]
    assert kept.tokens == [0, 3, 4]
    assert kept.parents == [-1, 0, 1]
    assert kept.path(2) == [0, 3, 4]


def test_a_batch_shares_one_width():
    planner = Planner(Calibration(), max_nodes=5)
    first, second = planner.select([chain(20), chain(2)])
    assert len(first) == 5
    assert len(second) == 3
    batch = pad([first, second])
    assert batch.tokens.shape == (2, 5)
    assert batch.ancestors[1, 4].tolist() == [False] * 4 + [True]
    assert batch.ancestors[0, 2].tolist() == [True, True, True, False, False]


def test_agreeing_drafters_share_a_node():
    tree = Tree.rooted(0)
    node = tree.add(0, 5, "lookup", kind=1, confidence=0.3)
    assert tree.add(0, 5, "corpus", kind=2, confidence=0.6) == node
    assert tree.sources[node] == "lookup+corpus"
    assert (tree.kinds[node], tree.confidence[node]) == (2, 0.6)


def test_calibration_goes_from_the_guess_to_the_record():
    calibration = Calibration()
    tree = chain(1, 0.95)
    assert calibration.rate("a", 0, 0.95) == 0.95
    for _ in range(100):
        calibration.learn(tree, [0])
    assert calibration.rate("a", 0, 0.95) < 0.1
    assert calibration.rate("b", 0, 0.95) == 0.95


def test_one_disturbed_step_does_not_upset_the_model():
    cost = CostModel([1, 8, 64], [1.0, 2.0, 8.0])
    cost.observe(8, 1000.0)
    assert 2.0 < cost.time(8) < 4.0
    for _ in range(60):
        cost.observe(8, 4.0)
    assert cost.time(8) == pytest.approx(4.0, rel=0.05)
    assert cost.time(64) == 8.0


def test_the_target_is_measured():
    cost = measure(CausalTarget(tiny("llama")), largest=16)
    assert cost.sizes == [1, 4, 8, 16]
    assert all(seconds > 0 for seconds in cost.seconds)
