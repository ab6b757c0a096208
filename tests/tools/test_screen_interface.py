"""The screen: the interface that was asked for, and modules beside it."""

import pytest
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port
from rtl_agent.tools.parse import parse_text
from rtl_agent.tools.screen import screen
from screen_kit import codes, dut

PORTS = (
    Port(Direction.INPUT, "clk"),
    Port(Direction.INPUT, "a", 4),
    Port(Direction.OUTPUT, "y", 4),
)
WANTED = Interface("dut", PORTS)


def test_the_wanted_interface_has_no_findings():
    assert codes(dut(""), WANTED) == []


@pytest.mark.parametrize(
    ("head", "code", "says"),
    [
        ("module other(input clk, input [3:0] a, output [3:0] y);", "wrong-top", "`dut`"),
        ("module dut(input [3:0] a, output [3:0] y);", "port-missing", "`clk`"),
        ("module dut(input clk, rst, input [3:0] a, output [3:0] y);", "port-invented", "`rst`"),
        ("module dut(output clk, input [3:0] a, output [3:0] y);", "port-direction", "`clk`"),
        ("module dut(input clk, input [4:0] a, output [3:0] y);", "port-width-wrong", "5 bits"),
        ("module dut(input clk, input [3:0] a, output y);", "port-width-wrong", "`y`"),
        ("module dut(input clk, input [3:0] a, inout [3:0] y);", "port-direction", "inout"),
    ],
)
def test_a_different_interface_is_an_error(head, code, says):
    found = screen(parse_text(dut("", head=head + "\n")), WANTED)
    assert [d.code for d in found] == [code]
    assert found[0].severity is Severity.ERROR
    assert says in found[0].message
    assert found[0].hint


def test_a_renamed_port_is_both_missing_and_invented():
    found = screen(
        parse_text("module dut(input CLK, input [3:0] a, output [3:0] y); assign y = a; endmodule"),
        WANTED,
    )
    assert {d.code for d in found} == {"port-missing", "port-invented"}
    assert any("it has `CLK`" in d.message for d in found)


def test_no_module_at_all():
    assert codes("// nothing\n", WANTED) == ["no-module"]


def test_a_guessed_width_is_only_a_warning():
    guessed = Interface("dut", (*PORTS[:2], Port(Direction.OUTPUT, "y", 1, inferred=True)))
    (found,) = screen(parse_text(dut("")), guessed)
    assert (found.code, found.severity) == ("port-width-wrong", Severity.WARNING)


PARAMETRISED = Interface(
    "dut",
    (Port(Direction.INPUT, "a", "[W-1:0]"), Port(Direction.OUTPUT, "y", "[$clog2(W)-1:0]")),
    (Parameter("W", "8"),),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "module dut #(parameter W = 8) (input [W-1:0] a, output [$clog2(W)-1:0] y); endmodule",
            [],
        ),
        (
            "module dut #(parameter W=8, localparam L=$clog2(W)) (input [W-1:0] a,"
            " output [L-1:0] y);"
            " endmodule",
            [],
        ),
        ("module dut(a, y); parameter W = 8; input [W-1:0] a; output [2:0] y; endmodule", []),
        ("module dut(input [7:0] a, output [2:0] y); endmodule", ["parameter-missing"]),
        (
            "module dut #(parameter W = 4) (input [W-1:0] a, output [2:0] y); endmodule",
            ["parameter-default", "port-width-wrong"],
        ),
    ],
)
def test_widths_that_depend_on_parameters(text, expected):
    assert codes(text, PARAMETRISED, name="dut.sv") == expected


def test_escaped_names_pass():
    text = "module \\top.level[0] (input \\a[1] , output \\y$out ); "
    text += "assign \\y$out = \\a[1] ; endmodule\n"
    wanted = Interface(
        "top.level[0]", (Port(Direction.INPUT, "a[1]"), Port(Direction.OUTPUT, "y$out"))
    )
    assert codes(text, wanted) == []


def test_a_design_may_not_bring_its_own_bench_modules():
    text = dut("") + "module RefModule(output y); assign y = 1'b0; endmodule\n"
    assert codes(text, WANTED) == ["shadows-testbench"]
    assert codes(dut("") + "module golden; endmodule\n", WANTED, reserved={"golden"}) == [
        "shadows-testbench"
    ]


def test_a_module_nobody_uses_is_a_warning():
    (found,) = screen(parse_text(dut("") + "module spare(input x); endmodule\n"), WANTED)
    assert (found.code, found.severity) == ("unused-module", Severity.WARNING)
