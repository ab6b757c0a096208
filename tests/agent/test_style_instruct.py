"""RTL is found in whatever a chat model wraps around it; headers are forced where they can be."""

from __future__ import annotations

import pytest
from loop_kit import INVERTER, counter_spec, inverter_spec
from rtl_agent.agent.graph.folder import file_stem
from rtl_agent.agent.styles.extract import design_text, is_cut, join, split_units
from rtl_agent.agent.styles.instruct import InstructStyle, forced_header, header_text
from rtl_agent.decoding.api import FinishReason
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

INV = "module inv(input a, output y);\n  assign y = ~a;\nendmodule"
PORTS = frozenset({"a", "y"})


@pytest.mark.parametrize(
    "answer",
    [
        INV,
        f"```verilog\n{INV}\n```",
        f"Sure! Here is the module you asked for:\n\n```systemverilog\n{INV}\n```\nIt inverts.",
        f"```\n{INV}\n```",
        f"~~~v\n{INV}\n~~~",
        f"```verilog\n{INV}",
        f"{INV}\n```\nThis module is simple.",
        f"First try:\n```verilog\nmodule inv(input a, output y);\nendmodule\n```\n"
        f"Better:\n```verilog\n{INV}\n```",
        f"The `module` keyword starts it.\n```verilog\n{INV}\n```",
        f"```python\nprint('module')\n```\n```verilog\n{INV}\n```",
        f"```verilog\n{INV}\n```\n```verilog\nmodule tb;\n  wire y; reg a;\n  inv dut(a, y);\n"
        "  initial $finish;\nendmodule\n```",
    ],
)
def test_the_design_is_found(answer):
    assert design_text(answer, "inv", PORTS).strip() == INV


@pytest.mark.parametrize("answer", ["", "I cannot.", "```c\nint x;\n```", "the module is ready"])
def test_nothing_is_made_of_prose(answer):
    assert design_text(answer, "inv", PORTS) == ""


def test_helpers_are_kept_and_strangers_left_out():
    helper = "module half(input a, output y);\n  assign y = a;\nendmodule"
    top = "module inv(input a, output y);\n  half h(.a(~a), .y(y));\nendmodule"
    other = "module unused(input z);\nendmodule"
    text = design_text(f"```verilog\n{helper}\n{other}\n{top}\n```", "inv", PORTS)
    assert [u.name for u in split_units(text)] == ["half", "inv"]


def test_modules_that_the_spec_asks_for_beside_the_top_are_kept():
    second = "module second(input b, output z);\n  assign z = b;\nendmodule"
    text = design_text(f"{INV}\n{second}", "inv", PORTS, frozenset({"second", "missing"}))
    assert [u.name for u in split_units(text)] == ["inv", "second"]


def test_top_by_ports_takes_the_name_that_was_asked_for():
    text = design_text(INV.replace("inv", "my_inverter"), "inv", PORTS)
    assert text.startswith("module inv(")


def test_a_module_with_other_ports_keeps_its_own_name():
    text = design_text("module other(input clk, output q);\nendmodule", "inv", PORTS)
    assert text.startswith("module other(")


def test_packages_and_directives_are_kept_in_front():
    answer = (
        "`timescale 1ns/1ps\n`define W 4\npackage p;\n  typedef logic [3:0] t;\nendpackage\n"
        "module inv import p::*; (input t a, output t y);\n  assign y = ~a;\nendmodule"
    )
    text = design_text(answer, "inv", PORTS)
    assert text.startswith("`timescale 1ns/1ps\n`define W 4\npackage p;")
    assert "module inv" in text


def test_words_in_comments_and_strings_are_no_modules():
    code = "// module old(input b);\n/* endmodule */\n" + INV.replace(
        "assign", "/* module x */ assign"
    )
    assert [u.name for u in split_units(code)] == ["inv"]


def test_escaped_names_survive():
    code = "module \\inv-1 (input a, output y);\n  assign y = ~a;\nendmodule"
    assert design_text(f"```verilog\n{code}\n```", "inv-1", PORTS).strip() == code
    interface = Interface("inv-1", (Port(Direction.INPUT, "a[0]"),))
    assert header_text(interface, "verilog-2005").startswith("module \\inv-1  (\n    input \\a[0] ")


def test_a_name_with_a_slash_makes_no_folder():
    assert file_stem("../a/b") == "_a_b"
    assert file_stem("inv") == "inv"


def test_cut_off_answers_are_told_from_finished_ones():
    half = INV.removesuffix("endmodule")
    assert is_cut(half, FinishReason.LENGTH)
    assert is_cut(half, FinishReason.EOS)
    assert is_cut("Let me think about", FinishReason.LENGTH)
    assert not is_cut(INV, FinishReason.LENGTH)
    assert not is_cut(INV, FinishReason.EOS)
    assert not is_cut("no code at all", FinishReason.EOS)
    assert not is_cut(half, FinishReason.CANCELLED)
    assert not is_cut(half + "  assign y = ~a;\n" * 40, FinishReason.LENGTH)


def test_a_continuation_that_repeats_its_start_is_joined_once():
    partial = "module m(input clk);\n  always @(posedge clk) begin\n    count <= co"
    assert join(partial, "unt + 1;\n") == partial + "unt + 1;\n"
    again = "```verilog\n  always @(posedge clk) begin\n    count <= count + 1;\n"
    assert join(partial, again) == partial + "unt + 1;\n"
    everything = partial + "unt + 1;\n  end\nendmodule\n"
    assert join(partial, everything) == everything


def test_short_lines_that_stand_twice_are_not_swallowed():
    partial = "    begin\n        a <= b;\n    end\n"
    assert join(partial, "    end\nendmodule\n") == partial + "    end\nendmodule\n"


WIDE = Interface(
    "wide",
    (
        Port(Direction.INPUT, "clk"),
        Port(Direction.INPUT, "d", "[W-1:0]", signed=True),
        Port(Direction.OUTPUT, "q", "[W-1:0]"),
        Port(Direction.INOUT, "pad"),
    ),
    (Parameter("W", "8"),),
)


def test_header_in_verilog_ends_before_the_choice_of_reg_or_wire():
    assert forced_header(WIDE, "verilog-2005") == (
        "module wide #(\n    parameter W = 8\n) (\n    input clk,\n"
        "    input signed [W-1:0] d,\n    output"
    )


def test_header_in_systemverilog_is_whole():
    text = forced_header(WIDE, "systemverilog-2017")
    assert text == header_text(WIDE, "systemverilog-2017")
    assert "output logic [W-1:0] q" in text
    assert "inout pad\n);\n" in text


def test_no_ports_no_header():
    assert forced_header(Interface("x"), "verilog-2005") == ""


def test_prefill_is_put_back_unless_the_model_began_again():
    style, spec = InstructStyle(prefill=True), inverter_spec("t")
    prompt = style.draft(spec, ())
    assert prompt.prefill == "```verilog\nmodule inv (\n    input a,\n    output"
    on = style.source(spec, prompt, " y\n);\n  assign y = ~a;\nendmodule\n```\nDone.")
    assert on == "module inv (\n    input a,\n    output y\n);\n  assign y = ~a;\nendmodule\n"
    anew = style.source(spec, prompt, f"\n```\nLet me start over.\n```verilog\n{INV}\n```")
    assert anew.strip() == INV


def test_rest_is_asked_for_to_the_letter_where_that_can_be_done():
    spec = inverter_spec("t")
    exact, chat = InstructStyle(prefill=True), InstructStyle()
    prompt = exact.draft(spec, ())
    rest = exact.resume(prompt, " y\n);\n  assign")
    assert (rest.purpose, rest.messages) == ("continue", prompt.messages)
    assert rest.prefill.endswith("output y\n);\n  assign")
    asked = chat.resume(chat.draft(spec, ()), "module inv(input a")
    assert asked.messages[-2] == ("assistant", "module inv(input a")
    assert "Go on exactly where it stopped" in asked.messages[-1][1]


def test_a_header_the_spec_already_shows_is_not_shown_twice():
    header = header_text(INVERTER, "verilog-2005")
    spec = inverter_spec("t", text=f"An inverter.\n\n```verilog\n{header}```\n", header=header)
    text = InstructStyle().draft(spec, ()).messages[-1][1]
    assert text.count("module inv (") == 1


def test_prompts_of_repairs_carry_source_and_evidence():
    spec = counter_spec()
    prompt = InstructStyle().repair(
        spec, "module cnt; endmodule", "line 1: bad", (), compiled=False
    )
    assert prompt.purpose == "repair-compile"
    assert "module cnt; endmodule" in prompt.messages[-1][1]
    assert "line 1: bad" in prompt.messages[-1][1]
    assert prompt.hints == ("module cnt; endmodule",)
