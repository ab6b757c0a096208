"""Which line is to blame, by what ran, by what depends on what, and by what edits change."""

from __future__ import annotations

import pytest
from rtl_agent.tools.checks.types import Limits
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.edits import find_edits
from rtl_agent.tools.edits.source import Source
from rtl_agent.tools.interface import Direction, Interface, Port
from rtl_agent.tools.localise import (
    Failure,
    explore,
    localise,
    locate_errors,
    rank_statically,
)
from rtl_agent.tools.localise.coverage import instrument
from rtl_agent.tools.localise.statements import statements_of
from rtl_agent.tools.trials import Recording, Trials

IN, OUT = Direction.INPUT, Direction.OUTPUT
PORTS = Interface(
    "two",
    (
        Port(IN, "clk"), Port(IN, "rst"), Port(IN, "up"), Port(IN, "down"),
        Port(OUT, "q", 4), Port(OUT, "seen"),
    ),
)  # fmt: skip
GOOD = """module two(
    input clk, input rst, input up, input down,
    output reg [3:0] q, output reg seen
);
    always @(posedge clk) begin
        if (rst) begin
            q <= 4'd0;
            seen <= 1'b0;
        end else begin
            if (up)
                q <= q + 4'd1;
            else if (down)
                q <= q - 4'd1;
            if (up && down)
                seen <= 1'b1;
        end
    end
endmodule
"""
WRONG = GOOD.replace("q - 4'd1", "q - 4'd2")
LINE = 13


def recording(rows: int = 60) -> Recording:
    q, seen, values, wanted = 0, 0, [], []
    for row in range(rows):
        rst, up, down = int(row < 2), int(row % 3 == 0), int(row % 4 < 2)
        if rst:
            q = seen = 0
        else:
            q = (q + 1) % 16 if up else (q - 1) % 16 if down else q
            seen |= up & down
        values.append({"rst": rst, "up": up, "down": down})
        wanted.append({} if rst else {"q": format(q, "04b"), "seen": str(seen)})
    return Recording("two", Clocking("clk", "rst"), tuple(values), tuple(wanted))


@pytest.fixture
def failure(tmp_path):
    return Failure(WRONG, recording(), Trials(PORTS, tmp_path, Limits(), jobs=1))


def test_the_design_is_instrumented_without_changing_what_it_does(tmp_path):
    right = Failure(GOOD, recording(), Trials(PORTS, tmp_path, Limits(), jobs=1))
    assert right.coverage is not None
    assert right.failed == 0
    assert right.coverage.ran, "the instrumented design compiled"
    marked, numbers = instrument(GOOD, right.statements)
    assert len(numbers) == marked.count("bits_that_ran[") == 9


def test_what_ran_and_the_cone_put_the_line_near_the_top(failure):
    found = localise(failure)
    assert found.wrong == ("q",)
    assert found.rank(LINE) <= 3
    assert found.rank(15) > found.rank(LINE), "`seen` reaches no wrong output"
    assert set(found.evidence) == {"cone", "spectrum"}


def test_edits_that_mend_the_failure_put_it_first(failure):
    outcomes = explore(failure, [(e,) for e in find_edits(WRONG)], lambda: False)
    assert any(o.passed for o in outcomes)
    found = localise(failure, outcomes)
    assert found.lines(1) == (LINE,)
    assert "what-if" in found.evidence


def test_without_a_run_the_cone_alone_ranks():
    found = rank_statically(WRONG, PORTS, ("seen",))
    assert found.rank(15) < found.rank(LINE)


def test_a_hint_of_a_linter_lifts_its_line():
    plain = rank_statically(WRONG, PORTS, ("q",))
    hint = Diagnostic("two.v", 8, 0, Severity.WARNING, "w", "look here", "", "lint")
    assert rank_statically(WRONG, PORTS, ("q",), [hint]).rank(8) < plain.rank(8)


def test_errors_name_their_line_and_the_one_before():
    errors = [
        Diagnostic("a.v", 7, 0, Severity.ERROR, "syntax", "expected ';'", "", "slang"),
        Diagnostic("a.v", 2, 0, Severity.WARNING, "w", "no matter", "", "slang"),
    ]
    assert locate_errors(errors).lines(5) == (7, 6)


def test_statements_know_what_they_read_and_write():
    found = {(s.kind, s.line): s for s in statements_of(Source(GOOD))}
    minus = found["assign", LINE]
    assert (minus.writes, minus.reads) == ({"q"}, {"q"})
    assert found["branch", 10].writes == {"q"}
    assert found["process", 5].writes == {"q", "seen"}


def test_a_design_that_does_not_run_has_no_coverage(tmp_path):
    broken = Failure(
        "module two(input a); endmodule", recording(), Trials(PORTS, tmp_path, Limits())
    )
    assert broken.coverage is None
    assert broken.failed == 0
