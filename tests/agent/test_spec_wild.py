"""Whole specs as different people write them, each with module and ports."""

from __future__ import annotations

import re

import pytest
from rtl_agent.agent.spec.read import read_spec_text

# The module is the first word that looks like `w12` or `w12_x`.
SPECS = {
    "bold labels": (
        "Module `w1`\n\n**Inputs**\n\n- clk\n- `d` (8)\n\n**Outputs**\n\n- `q` (8)\n",
        "in clk 1, in d 8, out q 8",
    ),
    "bold labels lines": (
        "Module: w1b\n"
        "\n"
        "**Inputs:** `clk`, `d[7:0]`\n"
        "**Outputs:** `q[7:0]`\n"
        "\n"
        "q is d one cycle later.",
        "in clk 1, in d 8, out q 8",
    ),
    "text fence": (
        "# w2_top\n"
        "\n"
        "Interface:\n"
        "\n"
        "```\n"
        "clk    in   1   clock\n"
        "rst_n  in   1   reset, active low\n"
        "data   in   8   operand\n"
        "sum    out  9   result\n"
        "```\n",
        "in clk 1, in rst_n 1, in data 8, out sum 9",
    ),
    "verilog fence no module": (
        "Module name: w3\n"
        "\n"
        "```verilog\n"
        "input clk;\n"
        "input [7:0] a, b;\n"
        "output reg [8:0] s;\n"
        "```\n"
        "\n"
        "Add.",
        "in clk 1, in a 8, in b 8, out s 9",
    ),
    "pipes": (
        "Module: w4\n"
        "\n"
        "Ports:\n"
        "\n"
        "clk | input | 1 | clock\n"
        "d | input | 4 | data\n"
        "q | output | 4 | result\n",
        "in clk 1, in d 4, out q 4",
    ),
    "numbered": (
        "Module: w5\n\n1. Input `clk`\n2. Input `sel` [1:0]\n3. Output `y` [3:0]: one-hot\n",
        "in clk 1, in sel 2, out y 4",
    ),
    "nested": (
        "Module: w6\n"
        "\n"
        "- Interface\n"
        "  - Inputs\n"
        "    - `clk`: clock\n"
        "    - `x` (5 bits): value\n"
        "  - Outputs\n"
        "    - `y` (5 bits): value\n"
        "- Behaviour\n"
        "  - y is x delayed\n",
        "in clk 1, in x 5, out y 5",
    ),
    "nested2": (
        "Module: w6b\n"
        "\n"
        "- Inputs:\n"
        "  - clk, rst: 1 bit each\n"
        "  - opcode: 3 bits\n"
        "- Output:\n"
        "  - flags: 4 bits\n",
        "in clk 1, in rst 1, in opcode 3, out flags 4",
    ),
    "sentence list": (
        "Create module w7 having the following ports. Inputs: clk (clock), rst (synchronous "
        "reset), load, din [7:0]. Outputs: dout [7:0], empty.",
        "in clk 1, in rst 1, in load 1, in din 8, out dout 8, out empty 1",
    ),
    "with words": (
        "Design w8_mul, a multiplier with two unsigned 8-bit inputs a and b and a 16-bit output p.",
        "in a 8, in b 8, out p 16",
    ),
    "port sentences": (
        "Module w9.\n"
        "\n"
        "The input clk is the clock.\n"
        "The input d is 4 bits wide.\n"
        "The output q is 4 bits wide and follows d.",
        "in clk 1, in d 4, out q 4",
    ),
    "vhdl like": (
        "Entity: w10\n"
        "\n"
        "Ports:\n"
        "- clk : in std_logic\n"
        "- addr : in std_logic_vector(3 downto 0)\n"
        "- data : out std_logic_vector(7 downto 0)\n",
        "in clk 1, in addr 4, out data 8",
    ),
    "table no dir": (
        "# `w11`\n"
        "\n"
        "### Input signals\n"
        "\n"
        "| Signal | Width | Meaning |\n"
        "|---|---|---|\n"
        "| `req` | 4 | requests |\n"
        "\n"
        "### Output signals\n"
        "\n"
        "| Signal | Width | Meaning |\n"
        "|---|---|---|\n"
        "| `gnt` | 4 | grants |\n",
        "in req 4, out gnt 4",
    ),
    "inputs header table": (
        "# `w12`\n"
        "\n"
        "| Input | Width |\n"
        "|---|---|\n"
        "| a | 3 |\n"
        "\n"
        "| Output | Width |\n"
        "|---|---|\n"
        "| y | 8 |\n",
        "in a 3, out y 8",
    ),
    "emdash": (
        "**w13_blk** — a divider.\n\nInputs — `clk`, `en`\nOutput — `tick`\n",
        "in clk 1, in en 1, out tick 1",
    ),
    "inline header": (
        "Write `module w14(input clk, input [3:0] d, output reg [3:0] q);` where q is d "
        "inverted, one clock later.",
        "in clk 1, in d 4, out q 4",
    ),
    "raw header": (
        "Write this module.\n"
        "\n"
        "module w15 (\n"
        "  input clk,\n"
        "  input [3:0] d,\n"
        "  output [3:0] q\n"
        ");\n"
        "\n"
        "q follows d.",
        "in clk 1, in d 4, out q 4",
    ),
    "colon list": (
        "Module w16: inputs are clk, rst, start; outputs are busy, done. busy goes high after "
        "start.",
        "in clk 1, in rst 1, in start 1, out busy 1, out done 1",
    ),
    "eight bit each": (
        "The module `w17` compares two numbers. Inputs `a` and `b` are 8 bits each; outputs "
        "`lt`, `eq` and `gt` are one bit each.",
        "in a 8, in b 8, out lt 1, out eq 1, out gt 1",
    ),
    "clocked by": (
        "Make a module called w18. It is clocked by `clk`, has an asynchronous active-low "
        "reset `rst_n`, an enable `en` as input and a 5-bit output `cnt`.",
        "in clk 1, in rst_n 1, in en 1, out cnt 5",
    ),
    "parens": (
        "Build w19_unit. Ports: clk (in), d (in, 8 bits), q (out, 8 bits).",
        "in clk 1, in d 8, out q 8",
    ),
    "slash": (
        "Module: w20\n\nInputs: a/b/c (1 bit)\nOutput: y\n",
        "in a 1, in b 1, in c 1, out y 1",
    ),
    "i/o col": (
        "# `w21`\n"
        "\n"
        "| Name | I/O | Range | Notes |\n"
        "|:-|:-:|:-:|:-|\n"
        "| CLK | I | - | |\n"
        "| A | I | 7..0 | |\n"
        "| Z | O | 7..0 | |\n",
        "in CLK 1, in A 8, out Z 8",
    ),
    "math": (
        "Design module w22 that computes y = a + b. a and b are 4-bit unsigned inputs. y is a "
        "5-bit output.",
        "in a 4, in b 4, out y 5",
    ),
    "signed": (
        "Module w23: input signed [7:0] x; output signed [15:0] y. y = x*x.",
        "in x 8, out y 16",
    ),
    "takes": (
        "w24_filter takes an 8-bit sample x_in on every clock edge of clk and gives the 8-bit "
        "average y_out.",
        "",
    ),
    "bus": (
        "Module: w25\n"
        "\n"
        "- `addr` (input bus, 16 bits)\n"
        "- `data` (bidirectional, 8 bits)\n"
        "- `rw` (input)\n"
        "- `ready` (output)\n",
        "in addr 16, io data 8, in rw 1, out ready 1",
    ),
    "width col word": (
        "# `w26`\n"
        "\n"
        "| Port | Direction | Width |\n"
        "|-|-|-|\n"
        "| a | input | 8-bit |\n"
        "| y | output | 1-bit |\n",
        "in a 8, out y 1",
    ),
    "quoted": (
        'Create a module named "w27" with input "a" and output "y".',
        "in a 1, out y 1",
    ),
    "fsm": (
        "Implement a Moore FSM w28_fsm with states A, B and C. Inputs: clk, rst, w. Output: "
        "z. z=1 in state C.",
        "in clk 1, in rst 1, in w 1, out z 1",
    ),
}
SHORT = {"input": "in", "output": "out", "inout": "io"}


@pytest.mark.parametrize("name", SPECS)
def test_a_whole_spec(name: str) -> None:
    text, want = SPECS[name]
    spec = read_spec_text(text, name="spec.md")
    module = re.search(r"w\d+\w*", text)
    assert module is not None
    assert spec.interface.module == module[0]
    got = [f"{SHORT[p.direction]} {p.name} {p.width}" for p in spec.interface.ports]
    assert ", ".join(got) == want
