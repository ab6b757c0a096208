"""The search repairer: what it mends, what it refuses to take for a repair, and its bounds."""

from __future__ import annotations

import pytest
from rtl_agent.agent.graph.searching import SearchJob
from rtl_agent.agent.search.real import RealSearcher
from rtl_agent.agent.search.repairer import search
from rtl_agent.agent.search.richer import richer_edits
from rtl_agent.agent.search.syntax import complaints, search_syntax
from rtl_agent.agent.search.types import Budget, SearchTask
from rtl_agent.agent.spec.model import Spec
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, CheckSource, Limits
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.edits import apply
from rtl_agent.tools.interface import Direction, Interface, Port
from rtl_agent.tools.trials import Recording, Trials

# Every search simulates dozens of variants: minutes in all.
pytestmark = pytest.mark.slow

IN, OUT = Direction.INPUT, Direction.OUTPUT
PORTS = Interface(
    "updown",
    (
        Port(IN, "clk"), Port(IN, "rst"), Port(IN, "up"), Port(IN, "down"),
        Port(OUT, "q", 4), Port(OUT, "zero"),
    ),
)  # fmt: skip
GOOD = """module updown(
    input clk, input rst, input up, input down,
    output reg [3:0] q, output zero
);
    always @(posedge clk) begin
        if (rst)
            q <= 4'd0;
        else if (up)
            q <= q + 4'd1;
        else if (down)
            q <= q - 4'd1;
    end
    assign zero = (q == 4'd0);
endmodule
"""


def recording(rows: int = 64, step: int = 3) -> Recording:
    q, values, wanted = 0, [], []
    for row in range(rows):
        rst, up, down = int(row < 2), int(row % step == 0), int(row % 4 < 2)
        q = 0 if rst else (q + 1) % 16 if up else (q - 1) % 16 if down else q
        values.append({"rst": rst, "up": up, "down": down})
        wanted.append({} if rst else {"q": format(q, "04b"), "zero": str(int(q == 0))})
    return Recording("updown", Clocking("clk", "rst"), tuple(values), tuple(wanted))


@pytest.fixture
def repair(tmp_path):
    def run(text: str, *, seconds: float = 60.0, variants: int = 4000, **more: object):
        budget = Budget(seconds=seconds, variants=variants)
        task = SearchTask(
            source=text,
            trials=Trials(PORTS, tmp_path / "trials", Limits(), jobs=1),
            **{"recordings": (recording(),), **more},
        )
        return search(task, budget)

    return run


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("q - 4'd1", "q - 4'd2", id="constant"),
        pytest.param("(q == 4'd0)", "(^q)", id="another-test"),
        pytest.param("q <= q + 4'd1;", "q <= q + 4'd1", id="semicolon"),
        pytest.param("output reg [3:0] q", "output [3:0] q", id="reg"),
        pytest.param("input down,", "input dwn,", id="port-of-the-top"),
    ],
)
def test_one_fault_is_mended(repair, old, new):
    fix = repair(GOOD.replace(old, new))
    assert fix.passed
    assert len(fix.edits) == 1
    assert fix.rows == 62


def test_a_design_that_hangs_the_simulation_is_mended(repair):
    hangs = GOOD.replace("= (q == 4'd0)", "= (q == 4'd0) & ~zero")
    assert repair(hangs).passed


def test_two_faults_are_mended_together(repair):
    fix = repair(GOOD.replace("q - 4'd1", "q + 4'd1").replace("== 4'd0", "!= 4'd0"))
    assert fix.passed
    assert len(fix.edits) == 2
    assert sorted(fix.lines) == [11, 13]


def test_a_fault_behind_an_error_of_syntax_is_mended_too(repair):
    fix = repair(GOOD.replace("if (rst)", "if (rst").replace("q + 4'd1", "q + 4'd3"))
    assert fix.passed
    assert len(fix.edits) == 2


def test_what_cannot_be_mended_at_least_compiles(repair):
    broken = GOOD.replace("q <= q + 4'd1;", "q <= q + 4'd1").replace(
        "(q == 4'd0)", "(up ^ down ^ clk ^ q[2])"
    )
    fix = repair(broken, variants=60)
    assert not fix.passed
    assert "q + 4'd1;" in fix.text
    assert not complaints(fix.text, PORTS, "verilog-2005")


def test_a_repair_that_fails_on_other_stimulus_is_none(repair):
    """The check never counts down past a pause, so that a wrong repair passes it."""
    told = recording(rows=8, step=1)  # `up` in every row: nothing is known of `down`
    wrong = GOOD.replace("q + 4'd1", "q - 4'd1").replace("(down)", "(!down)")
    assert repair(wrong, recordings=(told,)).passed
    fix = repair(wrong, recordings=(told,), further=recording)
    assert not fix.passed or "(down)" in fix.text.replace("(!(!down))", "(down)")


def test_all_checks_have_to_pass(repair):
    wrong = GOOD.replace("q + 4'd1", "q - 4'd1").replace("(down)", "(!down)")
    told = recording(rows=8, step=1)
    fix = repair(wrong, recordings=(told, recording()))
    assert not fix.passed or len(fix.edits) == 2


@pytest.mark.parametrize("wrong", [GOOD.replace("q - 4'd1", "q + 4'd1"), GOOD.replace("4'd0;", "")])
def test_what_the_screen_refuses_is_never_simulated(tmp_path, repair, wrong):
    """Also where an error of syntax hid it from the screen of the loop."""
    told = tmp_path / "told"
    cheat = wrong.replace("    assign", f'    initial $system("touch {told}");\n    assign')
    fix = repair(cheat)
    assert not fix.passed
    assert fix.text == ""
    assert not told.exists()


def test_bounds_hold(repair):
    hopeless = GOOD.replace("(q == 4'd0)", "(up ^ down ^ clk ^ q[2])")
    fix = repair(hopeless, variants=20)
    assert not fix.passed
    assert fix.tried < 20 + 400, "no new wave after the bound"
    assert repair(hopeless, seconds=0.0).tried == 0


def test_a_right_design_is_left_alone(repair):
    fix = repair(GOOD)
    assert fix.passed
    assert fix.text == GOOD
    assert fix.edits == ()


def test_richer_edits_apply_and_differ():
    edits = richer_edits(GOOD)
    texts = {apply(GOOD, [e]) for e in edits}
    assert len(texts) > 0.95 * len(edits) > 100
    assert GOOD not in texts
    assert all(1 <= e.line <= 14 and e.note for e in edits)
    header = GOOD.index(");")
    assert all(e.start > header for e in edits), "ports are the spec's"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("        else if (up)", "        elsif (up)", 8),
        ("4'd0;\n        else", "4d0;\n        else", 7),
        ("    end\n    assign", "    assign", 12),
        ("endmodule", "", 14),
        ("assign zero", "zero", 13),
        ("reg [3:0] q", "rge [3:0] q", 3),
    ],
)
def test_errors_of_syntax_have_a_fix_near_them(old, new, line):
    broken = GOOD.replace(old, new, 1)
    assert broken != GOOD
    found = search_syntax(broken, PORTS, "verilog-2005", Budget(seconds=30))
    assert found
    assert abs(found[0].edits[0].line - line) <= 2


BENCH = """module tb;
    reg clk = 0, rst = 1, up = 0, down = 0;
    wire [3:0] q; wire zero;
    updown dut(clk, rst, up, down, q, zero);
    integer k, bad = 0;
    always #5 clk = ~clk;
    initial begin
        @(negedge clk); @(negedge clk) rst = 0; up = 1;
        for (k = 1; k < 6; k = k + 1) begin
            @(negedge clk);
            if (q !== k) bad = bad + 1;
        end
        up = 0; down = 1; @(negedge clk);
        if (q !== 4) bad = bad + 1;
        if (bad == 0) $display("PASS: 6 samples"); else $display("FAIL: %0d of 6 samples", bad);
        $finish;
    end
endmodule
"""


def job(tmp_path, text: str, *sources: CheckSource, seconds: float = 60.0) -> SearchJob:
    path = tmp_path / "design.v"
    path.write_text(text)
    spec = Spec("updown", None, "", PORTS, checks=tuple(sources), clocking=Clocking("clk", "rst"))
    checks = tuple(make_check(s, clocking=spec.clocking) for s in sources)
    work = tmp_path / "work"
    work.mkdir()
    return SearchJob(path, spec, checks, (), work, seconds, 0, Limits(), lambda: False)


def test_a_bench_is_run_for_every_variant(tmp_path):
    bench = CheckSource(CheckKind.TESTBENCH, "tb", BENCH, "s.md:1")
    wrong = GOOD.replace("q - 4'd1", "q + 4'd1")
    found = RealSearcher(2).search("c", job(tmp_path, wrong, bench))
    assert found.passed
    assert found.edits
    assert "q + 4'd1;\n        else" in found.text


MODEL = """
class Model:
    def reset(self):
        self.q = 0
        return {"q": 0, "zero": 1}

    def step(self, inputs):
        if inputs["up"]:
            self.q = (self.q + 1) % 16
        elif inputs["down"]:
            self.q = (self.q - 1) % 16
        return {"q": self.q, "zero": int(self.q == 0)}
"""


def test_a_reference_model_is_recorded_once(tmp_path):
    source = CheckSource(CheckKind.REFERENCE_MODEL, "m", MODEL, "s.md:1", options={"cycles": "150"})
    searcher = RealSearcher(1)
    wrong = GOOD.replace("else if (up)", "else if (!up)")
    found = searcher.search("c", job(tmp_path, wrong, source))
    assert found.passed
    assert found.rows >= 290, "the check's samples and those of the second stimulus"
    assert found.suspects[0].line == 8
    again = SearchJob(
        tmp_path / "design.v", Spec("updown", None, "", PORTS), job_checks(source), (),
        tmp_path / "gone", 60.0, 0, Limits(), lambda: False,
    )  # fmt: skip
    assert searcher.search("c", again).passed


def job_checks(*sources: CheckSource):
    return tuple(make_check(s, clocking=Clocking("clk", "rst")) for s in sources)


def test_a_check_that_never_compares_is_no_ground_for_a_repair(tmp_path):
    silent = MODEL.replace('return {"q": self.q, "zero": int(self.q == 0)}', "return {}").replace(
        'return {"q": 0, "zero": 1}', "return None"
    )
    source = CheckSource(CheckKind.REFERENCE_MODEL, "m", silent, "s.md:1")
    found = RealSearcher(1).search("c", job(tmp_path, GOOD, source, seconds=6.0))
    assert not found.passed
