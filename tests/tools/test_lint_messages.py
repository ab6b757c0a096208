"""How the messages of each tool are read, for versions that are not installed here too."""

from pathlib import Path

import pytest
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.lint import icarus, verible, verilator, yosys
from rtl_agent.tools.lint.icarus_messages import classify
from rtl_agent.tools.lint.merge import MAX_DIAGNOSTICS, merge, subjects


@pytest.mark.parametrize(
    ("text", "code", "severity"),
    [
        ("warning: implicit definition of wire 'mid'.", "implicit-net", "error"),
        (
            "sorry: constant selects in always_* processes are not currently supported "
            "(all bits will be included).",
            "sensitivity-whole",
            "note",
        ),
        ("sorry: break statements not supported.", "unsupported-by-simulator", "error"),
        ("sorry: This cast operation is not yet supported.", "unsupported-by-simulator", "error"),
        ("syntax error", "syntax", "error"),
        ("error: malformed statement", "syntax", "error"),
        ("error: Unable to bind wire/reg/memory `a2' in `m.u'", "undeclared", "error"),
        ("error: Net x is not defined in this context.", "compile", "error"),
        ("error: Unknown module type: foo", "unknown-module", "error"),
        ("error: port ``nope'' is not a port of u.", "unknown-port", "error"),
        ("warning: Port 2 (y) of add1 expects 8 bits, got 1.", "port-width", "warning"),
        ("warning: Port 2 (y) of add1 expects 8 bit(s), given 1.", "port-width", "warning"),
        ("warning: input port c is coerced to inout.", "drives-input", "error"),
        ("error: y is not a valid l-value in m.", "assign-to-wire", "error"),
        (
            "error: reg q; cannot be driven by primitives or continuous assignment.",
            "assign-to-reg",
            "error",
        ),
        (
            "error: Local parameters in module parameter port lists requires SystemVerilog.",
            "needs-systemverilog",
            "error",
        ),
        ("warning: timescale for m inherited from another file.", "timescale", "note"),
        ("assert: elab_type.cc:86: failed assertion scope", "tool-crash", "error"),
        ("internal error: unexpected node", "tool-crash", "error"),
        ("warning: something nobody has seen before", "compile", "warning"),
        ("error: something nobody has seen before", "compile", "error"),
        ("Something without a level", "compile", "error"),
    ],
)
def test_icarus_messages(text, code, severity):
    found = classify(text)
    assert found is not None
    assert (found[0], str(found[1])) == (code, severity)


def test_icarus_lines_of_three_versions():
    lines = [
        "a.v:3: warning: Port 2 (y) of add1 expects 8 bits, got 1.",
        "a.v:3:        : Padding 7 high bits of the port.",
        "a.v:4: syntax error",
        "a.v:5:10: error: invalid module item.",
        "I give up.",
        "2 error(s) during elaboration.",
        "Elaboration failed",
        "",
    ]
    found = list(icarus.read_messages(lines, {"a.v": "user/a.v"}))
    assert [(d.line, d.column, d.code) for d in found] == [
        (3, 0, "port-width"),
        (4, 0, "syntax"),
        (5, 10, "syntax"),
    ]
    assert {d.file for d in found} == {"user/a.v"}


def test_verilator_lines():
    lines = [
        "%Warning-LATCH: a.v:2:2: Latch inferred for signal 'q' (not all control paths)",
        "                        : ... Suggest use of always_latch for intentional latches",
        "%Warning-DECLFILENAME: a.v:1:8: Filename 'a' does not match MODULE name: 'm'",
        "%Warning-BRANDNEW: a.v:3:1: Something new",
        "%Error: a.v:4:1: syntax error, unexpected IDENTIFIER",
        "%Error-UNSUPPORTED: a.v:5:1: Unsupported: thing",
        "%Error: Exiting due to 2 error(s)",
    ]
    found = list(verilator.read_messages(lines, {}))
    assert [(d.line, d.code, str(d.severity)) for d in found] == [
        (2, "latch", "warning"),
        (3, "verilator-brandnew", "note"),
        (4, "verilator-error", "warning"),
        (5, "verilator-unsupported", "warning"),
    ]


def test_verible_lines():
    lines = [
        "a.v:1:101-124: Line length exceeds max: 100; is: 124 [Style: line-length] [line-length]",
        "a.v:4:31: Remove trailing spaces. [Style: trailing-spaces] [no-trailing-spaces]",
        "a.v:3:14-5:2: Something over two lines. [Style: x] [some-rule]",
        'a.v:4:5-7: syntax error at token "end"',
    ]
    found = list(verible.read_messages(lines, {}))
    assert [(d.line, d.column, d.code) for d in found] == [
        (1, 101, "style-line-length"),
        (4, 31, "style-no-trailing-spaces"),
        (3, 14, "style-some-rule"),
    ]


def diagnostic(line, code, message, tool, *, column=0, severity=Severity.WARNING, file="a.v"):
    return Diagnostic(file, line, column, severity, code, message, "", tool)


def test_one_fact_from_two_tools_is_kept_once_with_its_column():
    one = diagnostic(3, "implicit-net", "implicit definition of wire 'mid'.", "iverilog")
    two = diagnostic(3, "implicit-net", "implicit net 'mid' created", "pyslang", column=21)
    assert merge([one, two], [Path("a.v")]) == (two,)
    assert merge([two, one], [Path("a.v")]) == (two,)


def test_different_names_on_one_line_are_different_facts():
    one = diagnostic(3, "undriven", "net 'a' is never driven", "pyslang")
    two = diagnostic(3, "undriven", "Signal is not driven: 'b'", "verilator")
    assert len(merge([one, two], [])) == 2


def test_a_latch_is_one_fact_wherever_the_tools_put_it():
    one = diagnostic(3, "latch", "latch inferred for 'q[0]' because …", "pyslang", column=4)
    two = diagnostic(2, "latch", "Latch inferred for signal 'm.q' …", "verilator", column=1)
    assert merge([one, two], []) == (one,)


def test_the_worst_and_the_explaining_come_first():
    found = [
        diagnostic(1, "unused", "x", "t", severity=Severity.NOTE),
        diagnostic(9, "port-width", "x", "t"),
        diagnostic(8, "compile", "x", "t", severity=Severity.ERROR),
        diagnostic(7, "syntax", "x", "t", severity=Severity.ERROR, file="b.v"),
        diagnostic(5, "syntax", "y", "t", severity=Severity.ERROR, file="a.v"),
    ]
    merged = merge(found, [Path("b.v"), Path("a.v")])
    assert [d.line for d in merged] == [7, 5, 8, 9, 1]


def test_consequences_of_an_error_on_the_same_line_are_dropped():
    cause = diagnostic(3, "undeclared", "Unable to bind `x'", "i", severity=Severity.ERROR)
    echo = diagnostic(3, "elaboration", "Unable to elaborate r-value", "i", severity=Severity.ERROR)
    assert merge([cause, echo], []) == (cause,)
    assert merge([echo], []) == (echo,)


def test_a_flood_is_cut():
    flood = [diagnostic(i, "unused", f"'{i}'", "t") for i in range(5000)]
    assert len(merge(flood, [])) == MAX_DIAGNOSTICS


def test_names_are_read_from_messages():
    assert subjects("Unable to bind wire/reg/memory `a2' in `m.u'") == {"a2", "u"}
    assert subjects("latch inferred for 'o[3:0]'") == {"o"}
    assert subjects("assigned with `<=` in a block") == frozenset()


def test_yosys_lines():
    output = (
        "s0.v:7: Warning: Identifier `\\mid' is implicitly declared.\n"
        "Warning: Latch inferred for signal `\\m.\\q [1:0]' from process `\\m.$proc$s0.v:2$1': x\n"
        "Warning: found logic loop in module m:\n"
        "    cell $and$s1.v:3$3 ($and) source: s1.v:3.39-3.45\n"
        "      A[0] --> Y[0]\n"
        "Warning: Wire m.\\mid is used but has no driver.\n"
        "s0.v:9: ERROR: syntax error, unexpected TOK_ID\n"
    )
    found = list(yosys.read_messages(output, {"s0.v": "a.v", "s1.v": "b.v"}))
    assert [(d.file, d.line, d.code) for d in found] == [
        ("a.v", 7, "implicit-net"),
        ("a.v", 2, "latch"),
        ("b.v", 3, "combinational-loop"),
        ("a.v", 0, "undriven"),
        ("a.v", 9, "yosys"),
    ]
    assert subjects(found[1].message) == {"q"}
    assert all(d.severity is Severity.WARNING for d in found)


def test_yosys_does_not_repeat_what_others_found():
    ours = diagnostic(3, "combinational-loop", "combinational loop through `a`", "pyslang")
    theirs = diagnostic(0, "combinational-loop", "found logic loop in module m:", "yosys")
    assert merge([ours, theirs], []) == (ours,)
    assert merge([theirs], []) == (theirs,)
