"""Examples in prose: read where there is no doubt, left alone everywhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from loop_kit import fenced
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.rejudge import rejudge
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.spec.examples import read_examples
from rtl_agent.agent.spec.examples.values import bits
from rtl_agent.agent.spec.read import read_spec_text
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Evidence, Verdict, judge
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus

PORTS = {
    "mux": "- input [7:0] a\n- input [7:0] b\n- input [7:0] c\n- input [1:0] sel\n"
    "- output [7:0] y\n",
    "add": "- input [3:0] a\n- input [3:0] b\n- output [4:0] s\n",
    "prio": "- input [3:0] a\n- output [2:0] y\n",
    "gate": "- input [3:0] a\n- input en\n- output [3:0] y\n",
    "cnt": "- input clk\n- input rst (synchronous reset, active high)\n- input en\n"
    "- output [3:0] q\n",
    "low": "- input clk\n- input rst_n (asynchronous reset, active low)\n- output [3:0] q\n",
    "det": "- input clk\n- input rst\n- input x\n- output z\n",
}


def spec(name: str, text: str):
    return read_spec_text(
        f"Implement a module named {name}.\n\n{PORTS[name]}\n{text}\n", name="s.md"
    )


def rows(name: str, text: str) -> list[dict[str, str]]:
    check = spec(name, text).examples
    if check is None:
        return []
    head, *lines = check.text.splitlines()
    return [dict(zip(head.split(","), line.split(","), strict=True)) for line in lines]


@pytest.mark.parametrize(
    ("name", "text", "row"),
    [
        ("cnt", "After reset q is 0.", {"rst": "0b1", "en": "x", "q": "0b0000"}),
        ("cnt", "`q` is 0 after reset.", {"rst": "0b1", "q": "0b0000"}),
        ("cnt", "On reset, q becomes 5.", {"rst": "0b1", "q": "0b0101"}),
        ("cnt", "Reset sets q to 4'd9.", {"rst": "0b1", "q": "0b1001"}),
        ("cnt", "During reset the output is 3.", {"rst": "0b1", "q": "0b0011"}),
        ("low", "After a reset, q is 0.", {"rst_n": "0b0", "q": "0b0000"}),
        ("add", "3 + 5 gives 8.", {"a": "0b0011", "b": "0b0101", "s": "0b01000"}),
        ("add", "For example, 3 plus 5 gives 8.", {"s": "0b01000"}),
        ("add", "E.g. 0xf + 1 gives s = 5'h10.", {"a": "0b1111", "s": "0b10000"}),
        ("add", "When a is 9 and b is 9, s is 18.", {"a": "0b1001", "s": "0b10010"}),
        ("add", "s is 2 when a = 1 and b = 1.", {"b": "0b0001", "s": "0b00010"}),
        ("prio", "e.g. a=4'b1010 gives y=3'd3", {"a": "0b1010", "y": "0b011"}),
        ("prio", "Example: `a = 4'b1000` -> `y = 4`.", {"a": "0b1000", "y": "0b100"}),
        ("prio", "With a = 0, the result is 0.", {"a": "0b0000", "y": "0b000"}),
        ("gate", "If a = 3 and en = 1, then y = 3.", {"a": "0b0011", "en": "0b1", "y": "0b0011"}),
        ("mux", "When sel is 2 the output is c.", {"sel": "0b10", "y": "0b01010101"}),
        ("mux", "- if `sel` is 0, **y** equals `a`", {"sel": "0b00", "y": "0b01010101"}),
    ],
)
def test_read(name, text, row):
    last = rows(name, text)[-1]
    assert {key: last[key] for key in row} in ({**row}, row | {"y": "0b10101010"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("add", "3 + 5 does not give 8."),
        ("add", "For example if it were 3 + 5, s would be 8."),
        ("add", "When a is 3 or b is 5, s is 8."),
        ("add", "When a is between 3 and 5, s is 8."),
        ("add", "9 - 5 gives 4."),
        ("add", "3 + 5 gives 99."),
        ("add", "30 + 5 gives 8."),
        ("add", "When a is 3, s is 8."),
        ("add", "10 + 11 gives 21."),
        ("add", "x + 5 gives 8."),
        ("add", "3 + 5 gives sum 8."),
        ("prio", "When a is 4'b1x10, y is 3."),
        ("prio", "When a is 5'b01010, y is 3."),
        ("prio", "When a is 8, q is 4."),
        ("gate", "When a is 3, y is 3."),
        ("gate", "When en is 1, y is a unless a is 9."),
        ("mux", "When sel is 2 the output is d."),
        ("mux", "When sel is 7 the output is c."),
        ("mux", "When sel is 2 the output is c. When b is 0 the output is a."),
        ("cnt", "After reset q is 5."),
        ("cnt", "One cycle after reset q is 0."),
        ("cnt", "When en is 1, q is 3."),
        ("cnt", "For example after 3 cycles q is 3."),
        ("cnt", "After reset the counter is 0."),
        ("cnt", "After reset q is not 0."),
        ("det", "1011 gives 1 on the last bit."),
        ("det", "The input 1011 produces z = 1 on the last bit."),
        ("add", "```\n3 + 5 gives 8.\n```"),
        ("add", "## 3 + 5 gives 8"),
    ],
)
def test_left_alone(name, text):
    assert spec(name, text).examples is None


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("add", "For example if it were 3 + 5, s would be 8.", "line 7: it only supposes"),
        ("cnt", "E.g. after 3 cycles q is 3.", "the cycle in which it holds is left open"),
        ("add", "For example, 9 - 5 gives 4.", "it has no form that is understood"),
        ("gate", "For example, when a is 3, y is 3.", "it leaves en open"),
        ("add", "3 + 5 gives 8. When a is 3 and b is 5, s is 9.", "another example contradicts it"),
    ],
)
def test_what_is_not_read_is_listed(name, text, why):
    found = spec(name, text)
    assert found.examples is None
    assert any(n.startswith("example not read: ") and why in n for n in found.notes), found.notes


def test_what_is_read_is_listed_too():
    assert (
        "examples in the text that are checked: 3 + 5 gives 8"
        in spec("add", "3 + 5 gives 8.").notes
    )


def test_contradicting_examples_take_only_each_other_out():
    found = rows("add", "1 + 1 gives 2. 3 + 5 gives 8. 3 + 5 gives 9.")
    assert [row["s"] for row in found] == ["0b00010"]


def test_a_spec_with_checks_has_those_alone():
    table = "\n\n| a | b | s |\n|---|---|---|\n| 1 | 1 | 2 |\n"
    found = spec("add", "3 + 5 gives 8." + table)
    assert len(found.checks) == 1
    assert found.examples is None


def test_unknown_widths_and_parameters_are_doubt_enough():
    text = "module add #(parameter W = 4) (input [W-1:0] a, input [W-1:0] b, output [W:0] s);"
    found = read_spec_text(f"```verilog\n{text}\nendmodule\n```\n\n3 + 5 gives 8.\n", name="s.md")
    assert found.interface.ports
    assert found.examples is None


@pytest.mark.parametrize(
    ("text", "width", "value"),
    [
        ("5", 4, "0101"), ("0x1f", 5, "11111"), ("0b11", 4, "0011"), ("4'hA", 4, "1010"),
        ("16", 4, None), ("3'h7", 4, None), ("101", 3, None), ("4'd19", 4, None), ("1", 1, "1"),
        ("2'b12", 2, None),
    ],
)  # fmt: skip
def test_values(text, width, value):
    assert bits(text, width) == value


def test_no_ports_no_examples():
    found = read_spec_text("Something that adds. 3 + 5 gives 8.\n", name="s.md")
    assert read_examples(found.text, found.interface, found.clocking, "s.md").check is None


ADDER = "module add(input [3:0] a, input [3:0] b, output [4:0] s);\n  assign s = {};\nendmodule\n"


def solved(out, text: str, *sources: str):
    return solve(
        spec("add", text),
        SolveOptions(out=out, jobs=1, candidates=1, attempts=len(sources), propose=False),
        ScriptedBackend([fenced(s) for s in sources]),
        InstructStyle(),
        None,
    )


def test_a_design_that_contradicts_an_example_is_repaired(tmp_path):
    wrong, right = ADDER.format("a - b"), ADDER.format("a + b")
    result = solved(tmp_path, "It adds. For example, 3 + 5 gives 8.", wrong, right)
    first, second = result.attempts
    assert (first.verdict, first.candidates[0].failed_at) == ("failed", "simulate")
    assert second.verdict == "compiles"
    assert result.verdict is Verdict.COMPILES, "a few examples verify nothing"
    assert "agrees with the examples in the text (1 sample), too few to count" in result.reason
    report = result.report.read_text()
    assert "| examples in the text | vectors | passed | 1 | 0 |" in report
    assert "examples in the text that are checked: For example, 3 + 5 gives 8" in report
    again = rejudge(result.run)
    assert (len(again.candidates), again.same) == (2, True)


def test_without_examples_any_design_that_compiles_is_taken(tmp_path):
    """The harm that the examples are against."""
    result = solved(tmp_path, "It adds.", ADDER.format("a - b"))
    assert (result.verdict, result.reached) == (Verdict.COMPILES, True)


RESULT = CheckResult("e", CheckKind.VECTORS, CheckStatus.PASSED, 3, 0, "")
CLEAN = Evidence(has_source=True, screen=(), compiled=True, lint=(), example_checks=1)


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (CheckStatus.PASSED, Verdict.COMPILES),
        (CheckStatus.FAILED, Verdict.FAILED),
        (CheckStatus.TIMEOUT, Verdict.FAILED),
        (CheckStatus.BROKEN, Verdict.COMPILES),
    ],
)
def test_examples_refuse_and_never_lift(status, verdict):
    samples = 3 if status in {CheckStatus.PASSED, CheckStatus.FAILED} else 0
    found = replace(CLEAN, examples=(replace(RESULT, status=status, samples=samples),))
    assert judge(found).verdict is verdict


def test_examples_refuse_what_the_models_own_check_accepts():
    own = {"own": (RESULT,), "own_checks": 1, "weighed": True, "mutation_score": 1.0}
    assert judge(replace(CLEAN, examples=(RESULT,), **own)).verdict is Verdict.SELF_CHECKED
    wrong = replace(RESULT, status=CheckStatus.FAILED, mismatches=1)
    assert judge(replace(CLEAN, examples=(wrong,), **own)).verdict is Verdict.FAILED
