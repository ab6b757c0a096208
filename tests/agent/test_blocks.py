"""Search-and-replace answers: applied as they are written, or reported back."""

from __future__ import annotations

import json

import pytest
from loop_kit import BAD_INVERTER, GOOD_INVERTER, ByPurpose, fenced, inverter_spec, run_loop
from rtl_agent.agent.styles.blocks import BlockError, apply_blocks, find_blocks
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


RIGHT = "The inversion is missing.\n\n" + block("  assign y = a;", "  assign y = ~a;") + "Done.\n"


def test_blocks_are_applied_in_order():
    answer = RIGHT + block("  assign y = ~a;", "  assign y = ~a; // once more")
    found = find_blocks(answer)
    assert len(found) == 2
    new = apply_blocks(BAD_INVERTER, found)
    assert new == GOOD_INVERTER.replace("~a;", "~a; // once more")
    assert find_blocks(fenced(GOOD_INVERTER)) == ()


def test_spaces_at_ends_of_lines_do_not_matter_those_before_do():
    assert apply_blocks(BAD_INVERTER, find_blocks(block("  assign y = a;  ", "  assign y = ~a;")))
    with pytest.raises(BlockError, match="do not stand in the source"):
        apply_blocks(BAD_INVERTER, find_blocks(block("assign y = a;", "assign y = ~a;")))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (block("  assign y = b;", "  x"), "block 1 of the answer: its lines .* do not stand"),
        (block("a;", "b;"), "stand"),
        (block("", "x"), "names no lines"),
        (RIGHT + "<<<<<<< SEARCH\n  assign", "block 2 of the answer is not complete"),
    ],
)
def test_nothing_is_guessed(answer, why):
    with pytest.raises(BlockError, match=why):
        apply_blocks("a;\na;\n" + BAD_INVERTER, find_blocks(answer))


def test_a_repair_by_blocks_is_taken(tmp_path):
    model = ByPurpose(draft=fenced(BAD_INVERTER), repair_mismatch=RIGHT)
    result = run_loop(tmp_path, inverter_spec("one"), model, candidates=1)
    assert result.verdict is Verdict.VERIFIED
    assert (tmp_path / "inv.v").read_text() == GOOD_INVERTER


def test_a_block_that_does_not_apply_is_reported_back(tmp_path):
    wrong = block("  assign z = a;", "  assign y = ~a;")
    model = ByPurpose(draft=fenced(BAD_INVERTER), repair_mismatch=wrong)
    result = run_loop(tmp_path, inverter_spec("one"), model, candidates=1, attempts=3)
    assert result.verdict is Verdict.FAILED
    prompt = (result.run / "attempt-03" / "prompt-0.txt").read_text()
    assert "the last answer could not be used: block 1 of the answer" in prompt
    assert "`assign z = a;`" in prompt
    steps = json.loads((result.run / "trajectory.json").read_text())["steps"]
    assert [s["step"] for s in steps].count("repair") == 2


def test_blocks_are_asked_for_where_the_source_is_long():
    spec = inverter_spec("one")
    long = BAD_INVERTER + "// padding\n" * 150
    asked = InstructStyle().repair(spec, long, "it is wrong", (), compiled=True)
    assert "<<<<<<< SEARCH" in asked.messages[-1][1]
    assert "complete corrected source" not in asked.messages[-1][1]
    assert "complete source" not in asked.messages[0][1], "the rules say nothing else"
    middle = BAD_INVERTER + "// padding\n" * 30
    either = InstructStyle().repair(spec, middle, "it is wrong", (), compiled=False)
    assert "either with the complete corrected source" in either.messages[-1][1]
    assert "<<<<<<< SEARCH" in either.messages[-1][1]
    short = InstructStyle().repair(spec, BAD_INVERTER, "it is wrong", (), compiled=True)
    assert "<<<<<<< SEARCH" not in short.messages[-1][1]
    forced = InstructStyle(prefill=True).repair(spec, long, "it is wrong", (), compiled=True)
    assert "<<<<<<< SEARCH" not in forced.messages[-1][1]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (block("  assign t = a;", "  assign t = ~a;"), "stand 2 times in it"),
        ("<<<<<<< SEARCH\n  assign y = t;\n=======\n", "is not complete"),
    ],
)
def test_what_does_not_apply_exactly_is_told_to_the_model(tmp_path, answer, why):
    twice = BAD_INVERTER.replace("  assign y = a;", "  assign t = a;\n  assign t = a;")
    model = ByPurpose(draft=fenced(twice), repair_mismatch=answer)
    result = run_loop(tmp_path, inverter_spec("one"), model, candidates=1, attempts=3)
    assert result.verdict is Verdict.FAILED
    assert why in (result.run / "attempt-03" / "prompt-0.txt").read_text()


def test_a_whole_module_is_taken_where_both_forms_are_allowed(tmp_path):
    padded = BAD_INVERTER.replace("\n  assign", "\n" + "\n" * 30 + "  assign")
    model = ByPurpose(draft=fenced(padded), repair_mismatch=fenced(GOOD_INVERTER))
    result = run_loop(tmp_path, inverter_spec("one"), model, candidates=1)
    assert result.verdict is Verdict.VERIFIED
    asked = (result.run / "attempt-02" / "prompt-0.txt").read_text()
    assert "<<<<<<< SEARCH" in asked
