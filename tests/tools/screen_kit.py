"""What the tests of the screen share: a small design with a line in it, and its findings."""

import subprocess

from rtl_agent.tools.parse import parse_text
from rtl_agent.tools.screen import screen

HEAD = "module dut(input clk, input [3:0] a, output [3:0] y);\n"
BODY = "  assign y = a;\n"


def dut(line, *, head=HEAD, body=BODY):
    return f"{head}  {line}\n{body}endmodule\n"


def codes(text, wanted=None, **options):
    name = options.pop("name", "dut.v")
    return [d.code for d in screen(parse_text(text, name=name), wanted, **options)]


def only(text, **options):
    name = options.pop("name", "dut.v")
    (found,) = screen(parse_text(text, name=name), None, **options)
    assert found.hint
    assert found.message
    return found


def run_verilog(folder, text):
    (folder / "all.v").write_text(text)
    subprocess.run(["iverilog", "-g2012", "-o", "a.out", "all.v"], cwd=folder, check=True)
    done = subprocess.run(
        ["vvp", "-n", "a.out"], cwd=folder, check=False, capture_output=True, text=True, timeout=10
    )
    return done.stdout
