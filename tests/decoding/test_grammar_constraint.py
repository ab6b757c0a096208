"""Output constrained to Verilog modules, with and without speculation."""

from __future__ import annotations

import subprocess

import pytest
from engine_models import VERILOG, text_model, tokenizer
from rtl_agent.decoding.api import Mode, SamplingParams
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.errors import ModelUnusable
from rtl_agent.decoding.grammar.constraint import GrammarConstraint, open_text
from rtl_agent.decoding.models.generator import TextGenerator

HEADER = "module top (input a, input b, output y);\n"


def constraint():
    return GrammarConstraint("verilog", tokenizer(), vocabulary=len(tokenizer()))


def generator(drafters=(), rules=None):
    rules = rules or constraint()
    engine = Engine(
        CausalTarget(text_model()),
        drafters=drafters,
        verifier=rules,
        shaper=rules,
        adaptive=False,
    )
    return TextGenerator("tiny", engine, tokenizer(), frozenset({2}))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_speculation_does_not_change_constrained_output(temperature):
    params = SamplingParams(max_new_tokens=60, temperature=temperature, seed=4)
    plain = generator().generate(HEADER, n=2, params=params)
    hints = [VERILOG, *(done.text for done in plain)]
    drafted = generator([LookupDrafter()]).generate(HEADER, n=2, params=params, hints=hints)
    for one, other in zip(plain, drafted, strict=True):
        assert one.token_ids == other.token_ids
        assert one.stats.mode is other.stats.mode is Mode.CONSTRAINED
    assert sum(d.stats.target_passes for d in drafted) < sum(p.stats.target_passes for p in plain)


def test_a_random_model_writes_text_in_the_grammar():
    """Unconstrained, this model writes noise; constrained, every prefix is in the grammar."""
    params = SamplingParams(max_new_tokens=80, temperature=1.0, seed=1)
    done = generator([LookupDrafter()]).generate(HEADER, params=params)[0]
    rules = constraint()
    matcher = rules._matcher_type(rules._tokenizer, rules._grammar)
    ids = tokenizer()(HEADER + done.text)["input_ids"]
    assert matcher.validate_tokens(ids) >= len(ids) - 1  # the last token may be cut short
    free = Engine(CausalTarget(text_model()))
    noise = TextGenerator("tiny", free, tokenizer(), frozenset({2})).generate(
        HEADER, params=params
    )[0]
    ids = tokenizer()(HEADER + noise.text)["input_ids"]
    assert matcher.validate_tokens(ids) < len(ids) - 1


def test_the_end_is_allowed_only_where_a_module_has_ended():
    rules = constraint()
    matcher = rules._matcher_type(rules._tokenizer, rules._grammar)
    matcher.consume_tokens(tokenizer()(HEADER)["input_ids"])
    assert not rules._allowed(matcher, frozenset({2}))[2]
    matcher.consume_tokens(tokenizer()("assign y = a; endmodule")["input_ids"])
    assert rules._allowed(matcher, frozenset({2}))[2]


def parses(text):
    rules = constraint()
    matcher = rules._matcher_type(rules._tokenizer, rules._grammar)
    ids = tokenizer()(text, add_special_tokens=False)["input_ids"]
    accepted = matcher.validate_tokens(ids)
    matcher.consume_tokens(ids[:accepted])
    return accepted == len(ids) and matcher.is_accepting()


GOOD = [
    VERILOG,
    "`timescale 1ns/1ps\nmodule m; endmodule\n",
    "module m(a, y); input a; output y; assign y = ~a; endmodule",
    "module m(input [7:0] a, output y); assign y = ^a ? a[3] & |a[7:4] : !a[0]; endmodule",
    "module m(input a, output y); not g(y, a); endmodule",
    "module m(input a, output y); inv #(.W(2)) u(.i(a), .o(y)), v(a, ); endmodule",
    "module m(input [1:0] s, output reg y); always @(*) casez (s) 2'b1?: y = 1; "
    "default: y = 0; endcase endmodule",
    "module m(input c); genvar i; generate for (i = 0; i < 4; i = i + 1) begin : g "
    "wire w; end endgenerate endmodule",
    "module m(input [3:0] a, output [3:0] y); function [3:0] f; input [3:0] x; "
    "f = x << 1; endfunction assign y = f(a); endmodule",
    "module m; reg [7:0] mem [0:15]; integer i; initial begin for (i = 0; i < 16; i = i + 1) "
    'mem[i] = 8\'hA5; $display("%d", i); #10 $finish; end endmodule',
    "module \\a+b (input x); endmodule",
]
BAD = [
    "module m(input a; endmodule",
    "module m(input a); assign = a; endmodule",
    "module if(input a); endmodule",
    "module m(input a); assign y = a +; endmodule",
    "module m(input a); always @(posedge a begin end endmodule",
    "module m; assign y = 4'b12; endmodule",
]


@pytest.mark.parametrize("text", GOOD)
def test_the_grammar_takes_what_icarus_takes(text, tmp_path):
    assert parses(text)
    source = tmp_path / "x.v"
    source.write_text(text.replace("inv #", "// inv #") if "inv #" in text else text, "utf-8")
    if "inv #" not in text:
        subprocess.run(["iverilog", "-g2005", "-o", "/dev/null", source], check=True)


@pytest.mark.parametrize("text", BAD)
def test_the_grammar_refuses_what_icarus_refuses(text, tmp_path):
    assert not parses(text)
    source = tmp_path / "x.v"
    source.write_text(text, "utf-8")
    command = ["iverilog", "-g2005", "-o", "/dev/null", source]
    assert subprocess.run(command, check=False, capture_output=True).returncode != 0


def test_the_open_module_of_a_prompt_is_found():
    assert open_text("write it\n" + HEADER) == HEADER
    assert open_text(VERILOG + "\nnow\n" + HEADER) == HEADER
    assert open_text("write it\n" + VERILOG) == ""
    assert open_text("module name is x\n") == ""


def test_unknown_grammars_are_an_error():
    with pytest.raises(ModelUnusable, match="no grammar 'vhdl'"):
        GrammarConstraint("vhdl", tokenizer(), vocabulary=10)
