"""Many ways of writing down an interface, each with the ports that must come out."""

from __future__ import annotations

import pytest
from rtl_agent.agent.spec.read import read_spec_text

I, O, IO = "input", "output", "inout"  # noqa: E741 - columns of a table read better this way


def ports(text: str) -> list[tuple[str, str, int | str]]:
    spec = read_spec_text(text, name="test.md")
    return [(str(p.direction), p.name, p.width) for p in spec.interface.ports]


# One line each, in a list below "Ports:", with a partner so that the interface is complete.
LINES = {
    "input clk: clock": [(I, "clk", 1)],
    "`d` [7:0] in": [(I, "d", 8)],
    "a, b (8 bits each) : input operands": [(I, "a", 8), (I, "b", 8)],
    "inputs: a, b (8 bits each)": [(I, "a", 8), (I, "b", 8)],
    "outputs `sum` (9 bits)": [(O, "sum", 9)],
    "`sel` (2-bit, input): lane": [(I, "sel", 2)],
    "`data` (input, 8 bits): the byte": [(I, "data", 8)],
    "data (in, 8): the byte": [(I, "data", 8)],
    "clk - input, clock": [(I, "clk", 1)],
    "clk — input — clock": [(I, "clk", 1)],
    "d: input [15:0], the word": [(I, "d", 16)],
    "d : in std_logic_vector(7 downto 0)": [(I, "d", 8)],
    "en : in std_logic;": [(I, "en", 1)],
    "`q` : out unsigned(3 downto 0)": [(O, "q", 4)],
    "**count** (output, 4 bits)": [(O, "count", 4)],
    "*count*: output, 4 bits": [(O, "count", 4)],
    "output reg [3:0] count": [(O, "count", 4)],
    "output logic signed [7:0] y: result": [(O, "y", 8)],
    "`input wire [7:0] a`": [(I, "a", 8)],
    "`input [7:0] a`: first operand": [(I, "a", 8)],
    "input [7:0] a, b": [(I, "a", 8), (I, "b", 8)],
    "input a, b, cin": [(I, "a", 1), (I, "b", 1), (I, "cin", 1)],
    "input in (8 bits)": [(I, "in", 8)],
    "output out (8 bits)": [(O, "out", 8)],
    "in clk": [(I, "clk", 1)],
    "out [3:0] q": [(O, "q", 4)],
    "clk, input, 1 bit, system clock": [(I, "clk", 1)],
    "data (8-bit input)": [(I, "data", 8)],
    "data: 8-bit input from the bus": [(I, "data", 8)],
    "an 8-bit input `data`": [(I, "data", 8)],
    "8-bit input `data`, sampled on the edge": [(I, "data", 8)],
    "Input: `data` (8 bits)": [(I, "data", 8)],
    "Output: `done`, high for one cycle": [(O, "done", 1)],
    "Clock: `clk`": [(I, "clk", 1)],
    "Reset: `rst_n` (active low, asynchronous)": [(I, "rst_n", 1)],
    "Clock input `clk`": [(I, "clk", 1)],
    "`bus` (inout, 8 bits)": [(IO, "bus", 8)],
    "inout [7:0] bus": [(IO, "bus", 8)],
    "`addr[W-1:0]`: input address": [(I, "addr", "[W-1:0]")],
    "`addr` (W bits, input)": [(I, "addr", "[W-1:0]")],
    "`addr` (input, `W`-bit)": [(I, "addr", "[W-1:0]")],
    "`v` (input, bits 7 to 0)": [(I, "v", 8)],
    "`v` (input, 7:0)": [(I, "v", 8)],
    "`v` (input, eight bits)": [(I, "v", 8)],
    "`v` (input, [0:7])": [(I, "v", "[0:7]")],
    "`v` (input, width 8)": [(I, "v", 8)],
    "`v` (input, 4 x 8 bits)": [(I, "v", 32)],
    "`x` and `y` (inputs, 6 bits each)": [(I, "x", 6), (I, "y", 6)],
    "`x`, `y`: inputs, 6 bits": [(I, "x", 6), (I, "y", 6)],
    "`left_valid` input; `left_ready` output": [(I, "left_valid", 1), (O, "left_ready", 1)],
    "input\tclk\t1\tclock": [(I, "clk", 1)],
}


@pytest.mark.parametrize("line", LINES, ids=list(LINES))
def test_a_line_of_a_port_list(line: str) -> None:
    text = f"Module name: thing\n\nParameters: `W` (default 8).\n\nPorts:\n\n- {line}\n"
    text += "- input zz_in\n- output zz_out\n\nIt works."
    want = [*LINES[line], (I, "zz_in", 1), (O, "zz_out", 1)]
    assert ports(text) == want


# Lines below "Input ports:" (direction from the section), as an indented paragraph.
SECTION_LINES = {
    "x[7:0]: operand": [(I, "x", 8)],
    "x [7:0]: operand": [(I, "x", 8)],
    "x: 8-bit operand": [(I, "x", 8)],
    "x: the 8-bit operand": [(I, "x", 8)],
    "x (8-bit): operand": [(I, "x", 8)],
    "x (8 bits) - operand": [(I, "x", 8)],
    "x: operand (8 bits)": [(I, "x", 8)],
    "x: operand, 8 bits wide": [(I, "x", 8)],
    "x: signed 8-bit operand": [(I, "x", 8)],
    "`x`: operand": [(I, "x", 1)],
    "x, y: operands (8 bits each)": [(I, "x", 8), (I, "y", 8)],
    "x[7:0], y[3:0]": [(I, "x", 8), (I, "y", 4)],
    "en: enables the 8-bit counter": [(I, "en", 1)],
    "busy: high while the 8-bit frame is sent": [(I, "busy", 1)],
    "in_ready: input of the consumer is ready": [(I, "in_ready", 1)],
    "en": [(I, "en", 1)],
    "in: data": [(I, "in", 1)],
    "left, right": [(I, "left", 1), (I, "right", 1)],
    "CLK_in: Clock signal used for synchronous operation.": [(I, "CLK_in", 1)],
}


@pytest.mark.parametrize("line", SECTION_LINES, ids=list(SECTION_LINES))
def test_a_line_of_an_input_section(line: str) -> None:
    text = f"Module name:\n    thing\n\nInput ports:\n    {line}\n    last: one more.\n\n"
    text += "Output ports:\n    q: result.\n\nImplementation:\nUse an always block."
    assert ports(text) == [*SECTION_LINES[line], (I, "last", 1), (O, "q", 1)]


PROSE = {
    "It has an 8-bit input `d` and an 8-bit output `q`.": [(I, "d", 8), (O, "q", 8)],
    "It takes two 4-bit operands a and b and produces a 5-bit sum s.": [
        (I, "a", 4),
        (I, "b", 4),
        (O, "s", 5),
    ],
    "Inputs are a, b and cin; outputs are sum and cout.": [
        (I, "a", 1),
        (I, "b", 1),
        (I, "cin", 1),
        (O, "sum", 1),
        (O, "cout", 1),
    ],
    "The inputs are `a` and `b`, each 16 bits, and the output is `y`, 16 bits.": [
        (I, "a", 16),
        (I, "b", 16),
        (O, "y", 16),
    ],
    "Inputs: clk, rst_n, d[7:0]. Outputs: q[7:0].": [
        (I, "clk", 1),
        (I, "rst_n", 1),
        (I, "d", 8),
        (O, "q", 8),
    ],
    "Inputs: `clk`, `rst`, 12-bit `adc` and `go`. Outputs: 12-bit `held` and `ready`.": [
        (I, "clk", 1),
        (I, "rst", 1),
        (I, "adc", 12),
        (I, "go", 1),
        (O, "held", 12),
        (O, "ready", 1),
    ],
    "The ports are clock clk, active-low asynchronous reset rst_n, input d and output q.": [
        (I, "clk", 1),
        (I, "rst_n", 1),
        (I, "d", 1),
        (O, "q", 1),
    ],
    "`a` and `b` are 4-bit inputs, `gt` is a 1-bit output.": [
        (I, "a", 4),
        (I, "b", 4),
        (O, "gt", 1),
    ],
    "d and en are inputs and q is the output.": [(I, "d", 1), (I, "en", 1), (O, "q", 1)],
    "There is a clock `clk`, a reset `rst`, an input `x` and an output `y`.": [
        (I, "clk", 1),
        (I, "rst", 1),
        (I, "x", 1),
        (O, "y", 1),
    ],
    "It takes `clk`, `start` and 8-bit `word` and drives `tx` and `busy`.": [
        (I, "clk", 1),
        (I, "start", 1),
        (I, "word", 8),
        (O, "tx", 1),
        (O, "busy", 1),
    ],
    "Two 8-bit inputs (`a` and `b`) are compared; one output, `eq`, is high when they agree.": [
        (I, "a", 8),
        (I, "b", 8),
        (O, "eq", 1),
    ],
    "An input called sel picks one of four inputs named w, x, y and z; the result is a 1-bit "
    "output called f.": [
        (I, "sel", 1),
        (I, "w", 1),
        (I, "x", 1),
        (I, "y", 1),
        (I, "z", 1),
        (O, "f", 1),
    ],
    "A 16-bit bus `code` comes in together with a strobe `stb`; a flag `ok` comes out.": [
        (I, "code", 16),
        (I, "stb", 1),
        (O, "ok", 1),
    ],
    "It accepts a signed 12-bit sample `x_in` and returns a signed 16-bit value `y_out`.": [
        (I, "x_in", 12),
        (O, "y_out", 16),
    ],
    "Inputs `a` (3 bits), `b` (5 bits). Output `p` (8 bits).": [
        (I, "a", 3),
        (I, "b", 5),
        (O, "p", 8),
    ],
    "Input PADDR 7:0, PWDATA 31:0. Output PRDATA 31 downto 0.": [
        (I, "PADDR", 8),
        (I, "PWDATA", 32),
        (O, "PRDATA", 32),
    ],
    "The module has one input, `x`, and one output, `y`, both 8 bits wide.": [
        (I, "x", 8),
        (O, "y", 8),
    ],
    "The block has inputs clk and d, and outputs q and q_n. q_n is the inverse of q.": [
        (I, "clk", 1),
        (I, "d", 1),
        (O, "q", 1),
        (O, "q_n", 1),
    ],
    "Use ports `clk` (input), `d` (input, 4 bits) and `q` (output, 4 bits).": [
        (I, "clk", 1),
        (I, "d", 4),
        (O, "q", 4),
    ],
    "The interface is: input clk, input [7:0] din, output [7:0] dout.": [
        (I, "clk", 1),
        (I, "din", 8),
        (O, "dout", 8),
    ],
    "It has a 4-bit input n and four outputs p, q, r, s.": [
        (I, "n", 4),
        (O, "p", 1),
        (O, "q", 1),
        (O, "r", 1),
        (O, "s", 1),
    ],
    "Inputs: `a`, `b`: 8-bit operands. Output: `y`: 8-bit result.": [
        (I, "a", 8),
        (I, "b", 8),
        (O, "y", 8),
    ],
    "Given a 4-bit input `bin`, it drives a 4-bit output `gray`.": [
        (I, "bin", 4),
        (O, "gray", 4),
    ],
    "`q` is an output of 8 bits. `d` is an input of 8 bits. `clk` is the clock input.": [
        (O, "q", 8),
        (I, "d", 8),
        (I, "clk", 1),
    ],
}


@pytest.mark.parametrize("text", PROSE, ids=[t[:40] for t in PROSE])
def test_prose(text: str) -> None:
    spec = read_spec_text(f"Design a module called thing. {text}\n", name="test.md")
    got = [(str(p.direction), p.name, p.width) for p in spec.interface.ports]
    assert sorted(map(str, got)) == sorted(map(str, PROSE[text]))
    assert got == PROSE[text]


# Sentences about behaviour that mention signals but declare none.
NOT_DECLARATIONS = (
    "On the rising edge of clk, q takes the value of d.",
    "When input d is high the output goes high as well.",
    "The outputs are registered and the inputs are sampled.",
    "The output sticks at its maximum; inputs of the adder are signed.",
    "Input transfer happens when valid and ready are high.",
    "Moore outputs: P gives out=0, Q gives out=1.",
    "The output of the first stage drives the input of the second.",
    "After reset the machine is idle.",
    "It takes 8 clock cycles to produce a result.",
    "An 8-bit counter counts clock cycles.",
)


@pytest.mark.parametrize("sentence", NOT_DECLARATIONS)
def test_talk_about_signals_declares_nothing(sentence: str) -> None:
    assert ports(f"Design a module called thing. {sentence}\n") == []


@pytest.mark.parametrize("sentence", NOT_DECLARATIONS)
def test_talk_about_signals_adds_nothing_to_a_list(sentence: str) -> None:
    text = f"Module: thing\n\n- input `go`\n- output `done`\n\n{sentence}\n\n- {sentence}\n"
    assert ports(text) == [(I, "go", 1), (O, "done", 1)]


TABLES = {
    "| Port | Direction | Width |\n|-|-|-|\n| `a` | input | 4 |\n| y | output | 1 |": None,
    "| Dir | Bits | Name |\n|-|-|-|\n| in | 4 | a |\n| out | 1 | y |": None,
    "| Name | Bits | Dir | Notes |\n|-|-|-|-|\n| a | 4 | I | x |\n| y | 1 | O | z |": None,
    "| Signal | Type | Description |\n|-|-|-|\n| a[3:0] | Input | p |\n| y | Output | r |": None,
    "| Signal | Type | Range |\n|-|-|-|\n| a | input | 3:0 |\n| y | output | - |": None,
    "| Port | I/O | Size |\n|-|-|-|\n| a | I | 4 bits |\n| y | O | 1 bit |": None,
    "| Port name | Direction |\n|-|-|\n| a [3:0] | input |\n| y | output |": None,
    "| Pin | In/Out | Width (bits) |\n|-|-|-|\n| a | In | 4 |\n| y | Out | 1 |": None,
    "| Port | Description | Direction and width |\n|-|-|-|\n| a | p | input, 4 bits |"
    "\n| y | q | output, 1 bit |": None,
    "| Signal | Direction | Width |\n|-|-|-|\n| `a` | **input** | `[3:0]` |\n"
    "| `y` | output | |": None,
    "| Direction | Declaration |\n|-|-|\n| input | `a[3:0]` |\n| output | `y` |": None,
}


@pytest.mark.parametrize("table", TABLES)
def test_tables_with_columns_in_any_order(table: str) -> None:
    assert ports(f"# Module `thing`\n\n{table}\n\nDone.") == [(I, "a", 4), (O, "y", 1)]


def test_two_tables_below_direction_headings() -> None:
    text = (
        "# Module `thing`\n\n## Inputs\n\n| Name | Width |\n|-|-|\n| a | 4 |\n\n"
        "## Outputs\n\n| Name | Width |\n|-|-|\n| y | 1 |\n"
    )
    assert ports(text) == [(I, "a", 4), (O, "y", 1)]


NAMES = {
    "Module name: alpha_1\n": "alpha_1",
    "Module name:\n    alpha_1\n": "alpha_1",
    "**Module name:** `alpha_1`\n": "alpha_1",
    "**Module**: `alpha_1`\n": "alpha_1",
    "Module: alpha\n": "alpha",
    "## Module name\n\nalpha\n": "alpha",
    "Top module: `alpha`\n": "alpha",
    "Name: alpha\n": "alpha",
    "Implement a module named Alpha that counts.": "Alpha",
    "Design a module called alpha, which counts.": "alpha",
    "I want a little block called alpha_beta. It counts.": "alpha_beta",
    "Write a Verilog module `alpha` that counts.": "alpha",
    "The `alpha` module counts.": "alpha",
    "Module alpha counts; it has no reset. Module alpha: done.": "alpha",
    "Module alpha; clock is PCLK.": "alpha",
    "Please build `alpha`, a counter.": "alpha",
    "# `alpha`\n\nA counter.": "alpha",
    "# Width-configurable accumulator `alpha`\n\nIt adds.": "alpha",
    "# alpha_unit\n\nIt adds.": "alpha_unit",
    "# alpha\n\nIt adds.": "alpha",
    "# Module alpha\n\nIt adds.": "alpha",
    "# alpha_unit: an adder\n\nIt adds.": "alpha_unit",
    "Design an 8-bit counter. Call it alpha.": "alpha",
    "Design an 8-bit counter. Name the module alpha.": "alpha",
    "Design an 8-bit counter; the module name is alpha.": "alpha",
    "Design an 8-bit counter (module alpha).": "alpha",
    "Design an 8-bit counter, to be delivered as module alpha.": "alpha",
    "Design an 8-bit counter `alpha` with a reset.": "alpha",
    "Build a FIFO of 8 words of 4 bits named `alpha`.": "alpha",
    "Build a memory, 8 x 4, called ram.": "ram",
    "Give me a UART transmitter; module uart.": "uart",
    "`alpha` is a counter with a reset named `rst`.": "alpha",
    "We need a multiplexer. The top level is called alpha.": "alpha",
    "Create a module. The name of the module should be alpha.": "alpha",
    "The module `alpha` has an output named `q`.": "alpha",
}


@pytest.mark.parametrize("text", NAMES)
def test_module_names(text: str) -> None:
    spec = read_spec_text(text, name="test.md")
    assert spec.interface.module == NAMES[text]
    assert not any("no module name" in note for note in spec.notes)


PARAMETERS = {
    "Parameters: `W` (default 12), `INIT` (default 0).": {"W": "12", "INIT": "0"},
    "Parameter `W` = 8.": {"W": "8"},
    "Parameters:\n\n- `W`: data width, default 8\n- `D`: depth (default 16)": {"W": "8", "D": "16"},
    "Parameters:\n\n- `W` = 8\n- `D` = 4'd3": {"W": "8", "D": "4'd3"},
    "- parameter W = 8: width": {"W": "8"},
    "It has a parameter WIDTH with default 8.": {"WIDTH": "8"},
    "The parameter `WIDTH` defaults to 8.": {"WIDTH": "8"},
    "It is parameterised by DW (16 by default) and AW (4 by default).": {"DW": "16", "AW": "4"},
    "## Parameters\n\n| Name | Default | Meaning |\n|-|-|-|\n| W | 8 | width |": {"W": "8"},
    "| Parameter | Default |\n|-|-|\n| `W` | 8 |\n| `D` | 16 |": {"W": "8", "D": "16"},
    "`W` (parameter, default 8) is the width.": {"W": "8"},
    "The width is set by parameter `W`, default 8.": {"W": "8"},
}


@pytest.mark.parametrize("text", PARAMETERS)
def test_parameters(text: str) -> None:
    spec = read_spec_text(f"Module name: thing\n\n{text}\n", name="test.md")
    assert {p.name: p.default for p in spec.interface.parameters} == PARAMETERS[text]


WATCHDOG = [
    "I need a module called `watchdog` with a clock `clk`, a reset `rst`, a one bit input `kick` "
    "and a one bit output `bark`.",
    "Please write a Verilog module named watchdog with a clock `clk`, a reset `rst`, an input "
    "`kick` and an output `bark`.",
    "Design a block `watchdog` that has a clock `clk`, a reset `rst`, an input `kick` and an "
    "output `bark`.",
    "A watchdog (module `watchdog`) with inputs `clk`, `rst`, `kick` and output `bark`.",
    "Write `watchdog`: a clock `clk`, a reset `rst`, a 1-bit input `kick`, a 1-bit output `bark`.",
    "Create a component called `watchdog` having a clock input `clk`, a reset input `rst`, an "
    "input `kick` and an output `bark`.",
]


@pytest.mark.parametrize("text", WATCHDOG)
def test_the_name_of_the_module_is_no_port(text: str) -> None:
    expected = [(I, "clk", 1), (I, "rst", 1), (I, "kick", 1), (O, "bark", 1)]
    assert ports(text + " A 4-bit counter counts up.\n") == expected
