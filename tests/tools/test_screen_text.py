"""The screen: files, directives and conditional text hide nothing and reach nothing outside."""

import pytest
from rtl_agent.tools.parse import parse_files, parse_text
from rtl_agent.tools.screen import screen
from screen_kit import codes, dut


@pytest.mark.parametrize(
    "line",
    [
        '`include "/etc/passwd"',
        '`include "../other.vh"',
        "`include <secret.vh>",
        "`pragma protect begin_protected",
        '`line 1 "other.v" 0',
    ],
)
def test_directives_that_hide_or_reach_outside(tmp_path, line):
    path = tmp_path / "dut.v"
    path.write_text(f"{line}\n{dut('')}")
    found = screen(parse_files([path]), None)
    assert {d.code for d in found} <= {"include-outside", "directive"}
    assert found[0].line == 1


def test_include_and_memory_file_beside_the_design_are_allowed(tmp_path):
    (tmp_path / "defs.vh").write_text("`define W 4\n")
    (tmp_path / "rom.hex").write_text("0 1 2 3\n")
    path = tmp_path / "dut.v"
    line = 'reg [3:0] m [0:3]; initial $readmemh("rom.hex", m);'
    path.write_text('`include "defs.vh"\n' + dut(line))
    assert screen(parse_files([path]), None, workdir=tmp_path) == ()


@pytest.mark.parametrize(
    "argument",
    ['"/etc/passwd"', '"../golden.hex"', '"sub/../../x.hex"', "NAME", '{"a", ".hex"}', '"a b.hex"'],
)
def test_memory_files_elsewhere_are_refused(tmp_path, argument):
    path = tmp_path / "dut.v"
    line = f'reg [63:0] m [0:3]; localparam NAME = "x.hex"; initial $readmemh({argument}, m);'
    path.write_text(dut(line))
    assert [d.code for d in screen(parse_files([path]), None, workdir=tmp_path)] == ["file-access"]


def test_a_memory_file_behind_a_link_is_outside(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "golden.hex").write_text("0\n")
    (work / "rom.hex").symlink_to(tmp_path / "golden.hex")
    path = work / "dut.v"
    path.write_text(dut('reg [3:0] m [0:0]; initial $readmemh("rom.hex", m);'))
    assert [d.code for d in screen(parse_files([path]), None, workdir=work)] == ["file-access"]


@pytest.mark.parametrize(
    "text",
    [
        dut("`ifdef __ICARUS__\n  initial $finish;\n`endif"),
        dut("`ifdef COCOTB_SIM\n  initial $finish;\n`endif"),
        dut("`ifdef BENCH\n  initial $finish;\n`endif"),
        dut("`ifndef SYNTHESIS\n  initial $finish;\n`endif"),
        dut("`ifdef A\n`elsif B\n  initial $finish;\n`endif"),
        dut("`ifdef A\n`ifndef B\n  initial $finish;\n`endif\n`endif"),
        "`define QUIT $finish\n" + dut("initial `QUIT;"),
        "`define QUIT(x) x``finish\n" + dut("initial `QUIT($);"),
        "`ifdef X\n`define Q $finish\n`else\n`define Q\n`endif\n" + dut("initial `Q;"),
    ],
    ids=["icarus", "cocotb", "other", "ifndef", "elsif", "nested", "macro", "paste", "define"],
)
def test_conditional_text_and_macros_do_not_hide(text):
    assert "ends-simulation" in codes(text)


def test_many_conditionals_end():
    text = "".join(f"`ifdef M{i}\n`endif\n" for i in range(300)) + dut("")
    found = screen(parse_text(text), None)
    assert [d.code for d in found] == ["too-many-conditionals"]


def test_included_files_are_screened_too(tmp_path):
    path = tmp_path / "dut.v"
    path.write_text('`include "a.vh"\n' + dut(""))
    hidden = tmp_path / "b.vh"
    (tmp_path / "a.vh").write_text('`include "b.vh"\n')
    for text, code in [
        ("`ifdef BENCH\n`define Q 1\ninitial $finish;\n`endif\n", "ends-simulation"),
        ("`pragma protect begin_protected\n", "directive"),
        ('`include "/dev/zero"\n', "include-outside"),
        ('`include "../x.vh"\n', "include-outside"),
    ]:
        hidden.write_text(text)
        assert code in [d.code for d in screen(parse_files([path]), None)]


def test_a_file_that_includes_itself_ends(tmp_path):
    path = tmp_path / "dut.v"
    path.write_text('`include "dut.v"\n' + dut(""))
    assert not parse_files([path]).ok
