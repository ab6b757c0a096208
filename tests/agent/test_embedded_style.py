"""The embedded default's format: forced header, `reg` lines moved, short evidence."""

from __future__ import annotations

from rtl_agent.agent.library.header import plain_form
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.condense import condense
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.tools.interface import Direction, Interface, Port
from rtl_agent.tools.parse import parse_text

IN, OUT = Direction.INPUT, Direction.OUTPUT
FACE = Interface("top", (Port(IN, "clk"), Port(IN, "d", 4), Port(OUT, "q", 4), Port(OUT, "z")))
SPEC = Spec("s", None, "# top\n\n**Register** `d` into `q`.\n", FACE)
ANSWER = """
    reg [3:0] q;
    always @(posedge clk) q <= d;
    assign z = ~|q;
endmodule
"""


def test_the_header_is_ours_and_the_answer_fits_it() -> None:
    style = EmbeddedStyle()
    prompt = style.draft(SPEC, ())
    assert prompt.raw.endswith("    output [3:0] q,\n    output z\n);")
    assert "// Task: top\nRegister d into q." in prompt.raw
    source = style.source(SPEC, prompt, ANSWER)
    assert "    output reg [3:0] q,\n    output z\n);" in source
    model = parse_text(source)
    assert model.ok
    assert [p.name for p in model.modules[0].interface.ports] == ["clk", "d", "q", "z"]


def test_a_wrong_range_in_the_answer_cannot_change_the_interface() -> None:
    style = EmbeddedStyle()
    source = style.source(SPEC, style.draft(SPEC, ()), ANSWER.replace("[3:0]", "[7:0]"))
    model = parse_text(source)
    assert model.modules[0].interface.port("q") == Port(OUT, "q", 4)


def test_outputs_are_reg_by_how_they_are_driven_not_by_what_the_answer_says() -> None:
    style = EmbeddedStyle()
    prompt = style.draft(SPEC, ())
    forgot = ANSWER.replace("    reg [3:0] q;\n", "")
    assert "output reg [3:0] q" in style.source(SPEC, prompt, forgot)
    needless = ANSWER.replace("    reg [3:0] q;\n", "    reg [3:0] q;\n    reg z;\n")
    source = style.source(SPEC, prompt, needless)
    assert "output z" in source
    assert parse_text(source).ok
    compared = "\n    reg [3:0] q;\n    always @(posedge clk) if (z == 1) q <= d;\n"
    compared += "    assign z = (q <= 3);\nendmodule\n"
    assert "output z" in style.source(SPEC, prompt, compared)


def test_plain_form_is_the_inverse_of_source() -> None:
    style = EmbeddedStyle()
    source = style.source(SPEC, style.draft(SPEC, ()), ANSWER)
    plain = plain_form(source, FACE)
    assert "output [3:0] q" in plain
    assert "    reg [3:0] q;\n" in plain
    assert plain.split(");", 1)[1].split() == ANSWER.split()


def test_an_answer_without_an_end_stays_as_it_is_for_the_parser_to_call_truncated() -> None:
    style = EmbeddedStyle()
    source = style.source(SPEC, style.draft(SPEC, ()), "\n    always @(posedge clk) q <=")
    assert source.endswith("q <=\n")
    assert parse_text(source).truncated


def test_without_ports_the_model_writes_the_header() -> None:
    spec = Spec("s", None, "something", Interface("top"))
    prompt = EmbeddedStyle().draft(spec, ())
    assert prompt.raw.endswith("\nmodule top")
    answer = " (\n    input a,\n    output y\n);\n    assign y = a;\nendmodule\n"
    assert parse_text(EmbeddedStyle().source(spec, prompt, answer)).ok


def test_repair_shows_the_wrong_body_and_the_first_finding_only() -> None:
    evidence = (
        "check reference: 3 of 100 samples wrong\n"
        "first mismatch in cycle 7 (70 ns):\n"
        "  q: expected 0101, got 0100\n"
        "  with inputs d=0101\n"
        "cycles around it:\n 6  0101\n 7  0101"
    )
    style = EmbeddedStyle()
    source = style.source(SPEC, style.draft(SPEC, ()), ANSWER)
    shown = Exemplar("e", "shipped", "Copies.", source, FACE)
    prompt = style.repair(SPEC, source, evidence, (shown,), compiled=True)
    assert prompt.purpose == "repair-mismatch"
    assert "// Wrong answer:\n    reg [3:0] q;\n" in prompt.raw
    problem = (
        "// Problem: first mismatch in cycle 7 (70 ns): q: expected 0101, got 0100 "
        "with inputs d=0101\n"
    )
    assert problem in prompt.raw
    assert "cycles around" not in prompt.raw


def test_resuming_goes_on_exactly_where_the_answer_stopped() -> None:
    style = EmbeddedStyle()
    prompt = style.draft(SPEC, ())
    more = style.resume(prompt, "\n    always @(")
    assert more.raw == prompt.raw + "\n    always @("
    assert more.purpose == "continue"


def test_condensing_drops_markup_and_headers_but_no_behaviour() -> None:
    text = (
        "# Adder\n\n| Port | Dir | Width | Description |\n|---|---|---|---|\n"
        "| `d` | in | 4 | data to be added twice |\n| clk | in | 1 | clock |\n\n"
        "```verilog\nmodule top (input clk);\n```\n\n| a | y |\n|---|---|\n| 0 | 1 |\n"
    )
    short = condense(text, FACE)
    assert short.splitlines()[0] == "Adder"
    assert "d: data to be added twice" in short
    assert "module" not in short
    assert "0 1" in short  # a truth table is behaviour


def test_without_ports_in_the_spec_the_answers_own_header_takes_its_reg_lines() -> None:
    spec = Spec("s", None, "something", Interface("top"))
    style = EmbeddedStyle()
    whole = " (input clk, input [3:0] d, output [3:0] q, output z);" + ANSWER
    source = style.source(spec, style.draft(spec, ()), whole)
    assert "output reg [3:0] q" in source  # else: redefinition of 'q', in every draft
    assert parse_text(source).ok
    sized = " #(parameter W = 4) (input [W-1:0] d, output [W-1:0] q);\n assign q = d;\nendmodule"
    assert "output [W-1:0] q" in style.source(spec, style.draft(spec, ()), sized)
