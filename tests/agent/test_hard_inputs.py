"""Inputs that broke other tools, each kind with siblings, judged as `rtl-agent check` judges."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from rtl_agent.agent.cli.main import run
from rtl_agent.agent.styles.extract import design_text
from rtl_agent.tools.parse import parse_text

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Case:
    """Files, what is simulated, and what has to come out.

    `step` is the body of a reference model's answer; without one nothing is simulated. `code`
    has to be among the diagnostics, on `line`, with `says` in its message.
    """

    files: dict[str, str]
    verdict: str
    step: str = ""
    code: str = ""
    line: int = 0
    says: str = ""
    reason: str = ""
    options: tuple[str, ...] = field(default=())


def v(text: str, name: str = "d.v") -> dict[str, str]:
    return {name: text}


_LATCH = "latch"
_LOOP_HEAD = "module osc(input go, output reg busy);\n"
CASES: dict[str, list[Case]] = {
    "header_localparam": [
        Case(
            v(
                "module pick #(parameter N = 4, localparam LW = $clog2(N)) (input [N-1:0] d, "
                "input [LW-1:0] i, output y);\n  assign y = d[i];\nendmodule\n",
                "d.sv",
            ),
            "verified",
            "{'y': i['d'] >> i['i'] & 1}",
        ),
        Case(
            v("module w #(parameter A = 2, localparam B = A * 3) (input [B-1:0] d, output y);\n"
              "  assign y = ^d;\nendmodule\n", "d.sv"),
            "verified",
            "{'y': bin(i['d']).count('1') & 1}",
        ),
        Case(
            v("module w #(localparam B = 5, parameter C = B) (input [C-1:0] d, output [B-1:0] y);\n"
              "  assign y = ~d;\nendmodule\n", "d.sv"),
            "verified",
            "{'y': ~i['d'] & 31}",
        ),
        Case(
            v("module w(d, y); parameter A = 3; localparam B = A + 1; input [B-1:0] d;\n"
              "output [B:0] y; assign y = d + 1; endmodule\n"),
            "verified",
            "{'y': i['d'] + 1}",
        ),
    ],
    "function_integer": [
        Case(v("module fdiv(input [7:0] a, output [7:0] y);\n  function integer halve; input "
               "integer v; begin halve = v / 2; end endfunction\n  assign y = halve(a);\n"
               "endmodule\n"),
             "verified", "{'y': i['a'] // 2}"),
        Case(v("module f(input [7:0] a, output [3:0] y);\n  function [3:0] ones; input [7:0] v; "
               "integer k; begin ones = 0; for (k = 0; k < 8; k = k + 1) ones = ones + v[k]; end\n"
               "  endfunction\n  assign y = ones(a);\nendmodule\n"),
             "verified", "{'y': bin(i['a']).count('1')}"),
        Case(v("module f(input [7:0] a, output [7:0] y);\n  function automatic [7:0] twice(input "
               "[7:0] v); twice = v << 1; endfunction\n  assign y = twice(a);\nendmodule\n"),
             "verified", "{'y': i['a'] * 2 & 255}"),
        Case(v("module f #(parameter D = 9) (input [3:0] a, output [3:0] y);\n  function integer "
               "lg; input integer n; begin lg = 0; while ((1 << lg) < n) lg = lg + 1; end\n"
               "  endfunction\n  localparam L = lg(D);\n  assign y = a + L;\nendmodule\n"),
             "verified", "{'y': i['a'] + 4 & 15}"),
    ],
    "silent_latch": [
        Case(v("module hold(input en, input d, output reg q);\n  always @(*) if (en) q = d;\n"
               "endmodule\n"), "compiles", code=_LATCH, line=2, says="q"),
        Case(v("module h(input [1:0] s, input d, output reg q);\n  always @* case (s)\n"
               "    0: q = d; 1: q = ~d; 2: q = 0;\n  endcase\nendmodule\n"),
             "compiles", code=_LATCH, says="q"),
        Case(v("module h(input a, b, output reg x, output reg y);\n  always @(a or b) begin\n"
               "    x = a; if (b) y = a; end\nendmodule\n"), "compiles", code=_LATCH, says="y"),
        Case(v("module h(input e, input [3:0] d, output reg [3:0] q);\n  always @(*) begin\n"
               "    q[1:0] = d[1:0]; if (e) q[3:2] = d[3:2]; end\nendmodule\n"),
             "compiles", code=_LATCH, says="q"),
    ],
    "delta_loop": [
        Case(v(_LOOP_HEAD + "  reg t;\n  always @(*) begin busy <= 1'b0; if (go) t <= busy; "
               "busy <= 1'b1; end\nendmodule\n"),
             "failed", "{'busy': 1}", code="zero-delay-loop", says="busy", reason="zero-delay"),
        Case(v(_LOOP_HEAD + "  always @(*) begin busy <= go; busy <= ~busy; end\nendmodule\n"),
             "failed", "{'busy': 1}", reason="loop"),
        Case(v("module osc(input go, output busy);\n  wire a, b;\n  assign a = go ? ~b : 1'b0;\n"
               "  assign b = a;\n  assign busy = b;\nendmodule\n"),
             "failed", "{'busy': 1}", reason="loop"),
        Case(v("module osc(input go, output reg busy);\n  always begin busy = go; end\n"
               "endmodule\n"), "failed", "{'busy': i['go']}"),
    ],
    "implicit_net": [
        Case(v("module add1(input [7:0] a, output [7:0] y); assign y = a + 8'd1; endmodule\n"
               "module two(input [7:0] a, output [7:0] y);\n  add1 u0(.a(a), .y(mid)); "
               "add1 u1(.a(mid), .y(y));\nendmodule\n"),
             "failed", code="implicit-net", line=3, says="mid"),
        Case(v("module t(input [3:0] a, output [3:0] y);\n  assign midd = a;\n  assign y = a;\n"
               "endmodule\n"), "failed", code="implicit-net", line=2, says="midd"),
        Case(v("module g(input a, b, output y);\n  and (t1, a, b);\n  buf (y, t1);\nendmodule\n"),
             "failed", code="implicit-net", line=2, says="t1"),
        Case(v("module s(input a, output y); assign y = ~a; endmodule\nmodule t(input a, output y);"
               "\n  s u(a, nett);\n  assign y = nett;\nendmodule\n"),
             "failed", code="implicit-net", line=3, says="nett"),
    ],
    "bom": [
        Case(v("\ufeffmodule bom(input a, output y); // µs\n  assign y = a;\nendmodule\n"),
             "verified", "{'y': i['a']}"),
        Case(v("\ufeff// größe\r\nmodule bom(input a, output y);\r\n  assign y = a;\r\n"
               "endmodule\r\n"),
             "verified", "{'y': i['a']}"),
        Case(v("module bom(input a, output y); /* 単純 */\r  assign y = a;\rendmodule\r"),
             "verified", "{'y': i['a']}"),
        Case({"a.v": "\ufeffmodule bom(input a, output y);\n  sub s(a, y);\nendmodule\n",
              "b.v": "\ufeffmodule sub(input a, output y); assign y = ~a; endmodule"},
             "verified", "{'y': 1 - i['a']}"),
    ],
    "escaped_names": [
        Case(v("module \\top.level[0] (input \\a[1] , input a, output \\y$out );\n"
               "  wire \\bus.0 ; assign \\bus.0 = \\a[1] & a; assign \\y$out = \\bus.0 ;\n"
               "endmodule\n"), "verified", "{'y$out': i['a[1]'] & i['a']}"),
        Case(v("module \\1+1 (input \\+ , output \\- ); assign \\- = ~\\+ ; endmodule\n"),
             "verified", "{'-': 1 - i['+']}"),
        Case(v("module \\plain (input \\a , output y); assign y = a; endmodule\n"),
             "verified", "{'y': i['a']}"),
        Case(v("module \\a/b (input [3:0] \\x:y , output [3:0] \\q# ); reg [3:0] \\r! ;\n"
               "  always @* \\r! = \\x:y + 1; assign \\q# = \\r! ; endmodule\n"),
             "verified", "{'q#': i['x:y'] + 1 & 15}"),
    ],
    "truncated": [
        Case(v("module tr(input clk, input [7:0] d, output reg [7:0] q);\n"
               "  always @(posedge clk) begin\n    q <= d\n"), "failed", code="truncated", line=3),
        Case(v("module tr(input a, output y);\n  assign y = a;\n"), "failed", code="truncated"),
        Case(v("module tr(input a, input b,\n"), "failed", code="truncated"),
        Case(v("module tr(input [1:0] s, output reg y);\n  always @* case (s)\n    0: y = 1;\n"),
             "failed", code="truncated"),
    ],
    "early_finish": [
        Case(v("module cheat(input clk, input rst, output [7:0] q);\n  assign q = 8'd0;\n"
               "  initial $finish;\nendmodule\n"),
             "failed", "{'q': 0}", code="ends-simulation", line=3, says="$finish"),
        Case(v("module c(input a, output y);\n  assign y = a;\n  initial begin #3 $stop; end\n"
               "endmodule\n"), "failed", "{'y': i['a']}", code="ends-simulation", says="$stop"),
        Case(v("module c(input a, output y);\n  assign y = a;\n  always @(a) if (a) $fatal;\n"
               "endmodule\n"), "failed", "{'y': i['a']}", code="ends-simulation", says="$fatal"),
        Case(v("`define E $finish\nmodule c(input a, output y);\n  assign y = a;\n  initial `E;\n"
               "endmodule\n"), "failed", "{'y': i['a']}", code="ends-simulation"),
    ],
    "package_order": [
        Case({"a_use.sv": "module usep(input p::t_req r, output logic v); assign v = r.valid; "
              "endmodule\n",
              "b_def.sv": "package p; typedef struct packed { logic valid; logic [7:0] data; } "
              "t_req; endpackage\n"},
             "failed", "{'v': i['r'] >> 8}", reason="crash"),
        Case({"a.sv": "module u(input [p::W-1:0] r, output y); assign y = ^r; endmodule\n",
              "b.sv": "package p; parameter W = 3; endpackage\n"},
             "verified", "{'y': bin(i['r']).count('1') & 1}"),
        Case({"a.sv": "module u import p::*; (input [W-1:0] r, output y); assign y = |r; "
              "endmodule\n",
              "b.sv": "package p; import q::*; parameter W = V + 1; endpackage\n",
              "c.sv": "package q; parameter V = 2; endpackage\n"},
             "verified", "{'y': int(i['r'] > 0)}"),
        Case({"a.v": "module u(input [`W-1:0] r, output y); assign y = &r; endmodule\n",
              "b.v": "`define W 4\n"}, "verified", "{'y': int(i['r'] == 15)}"),
    ],
}  # fmt: skip
_ALL = [(kind, number) for kind, cases in CASES.items() for number in range(len(cases))]


def checked(
    case: Case, folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, Any]]:
    """Exit code and result of `check` on the files, with a reference model if there is one."""
    for name, text in case.files.items():
        (folder / name).write_bytes(text.encode())
    arguments = [str(folder / name) for name in case.files]
    if case.step:
        model = folder / "model.py"
        model.write_text(f"def step(i):\n    return {case.step}\n", encoding="utf-8")
        arguments += ["--reference", str(model), "--check-timeout", "20"]
    code = run(["check", *arguments, *case.options, "--out", str(folder / "o"), "--json", "-q"])
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    (result,) = json.loads(shown.out)["results"]
    return code, result


@pytest.mark.parametrize(
    ("kind", "number"),
    [pytest.param(*c, id=f"{c[0]}-{c[1]}", marks=[pytest.mark.slow] if c[1] else []) for c in _ALL],
)
def test_each_kind(
    kind: str, number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[kind][number]
    code, result = checked(case, tmp_path, capsys)
    assert result["verdict"] == case.verdict, result["reason"]
    assert (code == 0) == (case.verdict != "failed")
    assert case.reason in result["reason"]
    told = [d for c in result["checks"] for d in c.get("diagnostics", ())]
    found = [d for d in (*result["diagnostics"], *told) if d["code"] == case.code]
    if case.code:
        assert found, result
        assert any(case.says in d["message"] for d in found)
        assert not case.line or case.line in {d["line"] for d in found}


ANSWERS = {
    "prose around a fence": "Here is the module:\n```verilog\nMODULE\n```\nIt works.\n",
    "no language": "```\nMODULE\n```",
    "no fence": "Sure. The design:\n\nMODULE\n\nLet me know!",
    "open fence": "```systemverilog\nMODULE\n",
    "bench beside it": "```verilog\nMODULE\n```\n```verilog\nmodule tb; f u(); endmodule\n```",
}


@pytest.mark.parametrize("how", sorted(ANSWERS))
def test_fenced_answer(how: str) -> None:
    module = "module f(input a, output y); assign y = a; endmodule"
    text = design_text(ANSWERS[how].replace("MODULE", module), "f", frozenset({"a", "y"}))
    assert text.strip() == module
    assert parse_text(text).ok
