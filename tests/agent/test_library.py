"""Retrieval, alignment and the text edits below them."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.errors import ConfigError
from rtl_agent.agent.library.align import align, interface_similarity, pair_ports
from rtl_agent.agent.library.fit import fit
from rtl_agent.agent.library.index import Library, open_library
from rtl_agent.agent.library.records import LibraryRecord, read_records, write_records
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.library.user import index_folder
from rtl_agent.agent.library.verilog_text import hoist_regs, rename, split_module
from rtl_agent.agent.library.words import query_words
from rtl_agent.agent.spec.model import Spec
from rtl_agent.tools.interface import Direction, Interface, Parameter, Port

if TYPE_CHECKING:
    from pathlib import Path

IN, OUT = Direction.INPUT, Direction.OUTPUT
COUNTER = Interface(
    "cnt", (Port(IN, "clk_i"), Port(IN, "rst_ni"), Port(IN, "ce"), Port(OUT, "count", 4))
)
COUNTER_RTL = """\
module cnt (
    input clk_i,
    input rst_ni,
    input ce,
    output reg [3:0] count
);
    // count counts while ce
    reg [3:0] value;
    always @(posedge clk_i) begin
        if (!rst_ni) count <= 4'd0;
        else if (ce) count <= count + 1'b1;
    end
endmodule
"""
TASK = Interface(
    "tally", (Port(IN, "clk"), Port(IN, "rst_n"), Port(IN, "enable"), Port(OUT, "value", 8))
)


def exemplar() -> Exemplar:
    return Exemplar("x", "shipped", "Counts on ce into `count`.", COUNTER_RTL, COUNTER)


def test_ports_pair_by_role_and_name() -> None:
    assert pair_ports(COUNTER, TASK) == {
        "clk_i": "clk",
        "rst_ni": "rst_n",
        "ce": "enable",
        "count": "value",
    }


def test_aligned_exemplar_speaks_the_names_of_the_task_and_still_compiles(tmp_path: Path) -> None:
    moved = align(exemplar(), TASK)
    assert "module tally" in moved.rtl
    assert "value <= value + 1'b1" in moved.rtl
    assert "reg [7:0] value_x;" in moved.rtl  # its own signal of that name made room
    assert "// count counts while ce" in moved.rtl  # comments are left alone
    assert moved.spec == "Counts on enable into `value`."
    source = tmp_path / "t.v"
    source.write_text(moved.rtl)
    assert shutil.which("iverilog")
    subprocess.run(["iverilog", "-g2005", "-o", "/dev/null", str(source)], check=True)


def test_names_inside_submodules_survive_alignment() -> None:
    rtl = COUNTER_RTL.replace("endmodule", "    sub u (.ce(ce));\nendmodule", 1)
    rtl += "module sub (input ce);\nendmodule\n"
    moved = align(Exemplar("x", "shipped", "", rtl, COUNTER), TASK)
    assert "sub u (.ce(enable));" in moved.rtl
    assert "module sub (input ce);" in moved.rtl


def test_a_reset_of_the_other_polarity_is_a_worse_match() -> None:
    high = Interface("a", (Port(IN, "clk"), Port(IN, "rst"), Port(OUT, "q", 4)))
    low = Interface("b", (Port(IN, "clk"), Port(IN, "rst_n"), Port(OUT, "q", 4)))
    assert interface_similarity(high, high) > interface_similarity(low, high)


def test_rename_leaves_strings_macros_and_numbers() -> None:
    text = 'x <= 8\'hab + ab; $display("ab"); `ab // ab\n'
    assert rename(text, {"ab": "cd"}) == 'x <= 8\'hab + cd; $display("ab"); `ab // ab\n'


def test_split_finds_the_end_of_a_header_with_parameters() -> None:
    text = "module a; endmodule\nmodule m #(parameter W = (1+2)) (input [W-1:0] d);\nbody"
    parts = split_module(text, "m")
    assert parts is not None
    assert parts.before == "module a; endmodule\n"
    assert parts.body == "\nbody"
    assert split_module(text, "nope") is None


def test_hoisting_takes_only_outputs_of_the_top() -> None:
    body = "\n    reg [3:0] q, other;\n    reg done;\nendmodule\nmodule s;\n    reg q;\nendmodule\n"
    left, regs = hoist_regs(body, frozenset({"q", "done"}))
    assert regs == {"q", "done"}
    assert left == "\n    reg [3:0] other;\nendmodule\nmodule s;\n    reg q;\nendmodule\n"


def test_a_start_value_of_an_output_becomes_an_initial() -> None:
    left, regs = hoist_regs("    reg q = 1'b0, r;\nendmodule\n", frozenset({"q"}))
    assert regs == {"q"}
    assert left == "    reg r;\n    initial q = 1'b0;\nendmodule\n"


def record(name: str, search: str, interface: Interface = COUNTER) -> LibraryRecord:
    return LibraryRecord(name, "f", search, COUNTER_RTL, interface, search)


def test_records_survive_disk(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl.gz"
    assert write_records(path, [record("a", "an up counter")]) == 1
    first = path.read_bytes()
    (read,) = read_records(path)
    assert replace(read, search="an up counter", words="") == record("a", "an up counter")
    assert read.words.split() == query_words("an up counter", COUNTER)  # ready for the index
    write_records(path, [record("a", "an up counter")])
    assert path.read_bytes() == first  # no time stamp inside


def test_retrieval_prefers_the_right_words_and_never_the_excluded() -> None:
    library = Library([record("fifo", "a queue with full and empty"), record("cnt", "up counter")])
    spec = Spec("s", None, "I want a counter that counts up", TASK)
    assert library.nearest(spec, 1)[0].name == "cnt"
    hits = library.search(spec.text, TASK, 1, exclude=frozenset({"cnt"}))
    assert not hits or hits[0][0].name == "fifo"
    assert Library([]).nearest(spec, 1) == ()


ENCODER = Interface("enc", (Port(IN, "r", 4), Port(OUT, "out", 2)))
HIGHEST = "A priority encoder. out is the index of the highest set bit of r."
LOWEST = "A priority encoder. out is the index of the lowest set bit of r."


@pytest.mark.parametrize("order", [1, -1])
def test_of_one_kind_the_design_comes_first_that_is_what_the_spec_says(order: int) -> None:
    """Both are found by the same words; only the prose tells them apart."""
    found = "priority encoder lowest highest bit first index"
    made = [
        LibraryRecord(name, "f", said, COUNTER_RTL, ENCODER, found)
        for name, said in (("highest", HIGHEST), ("lowest", LOWEST))
    ]
    library = Library(made[::order])
    for name in ("highest", "lowest"):
        text = f"Encode the index of the {name} set bit of r."
        spec = Spec("s", None, text, replace(ENCODER, module="e"))
        assert library.nearest(spec, 2)[0].name == name


@pytest.mark.parametrize("order", [1, -1])
def test_a_design_whose_ports_all_pair_comes_before_one_that_lacks_a_port(order: int) -> None:
    plain = (Port(IN, "x", 4), Port(IN, "y", 4), Port(OUT, "s", 4), Port(OUT, "co"))
    carry = (*plain[:2], Port(IN, "c_in"), *plain[2:])
    made = [
        LibraryRecord(name, "f", "A 4-bit adder.", COUNTER_RTL, Interface("a", ports), "adder")
        for name, ports in (("plain", plain), ("carry", carry))
    ]
    library = Library(made[::order])
    for name, ports in (("plain", plain), ("carry", carry)):
        spec = Spec("s", None, "A 4-bit adder.", Interface("add4", ports))
        assert library.nearest(spec, 2)[0].name == name


def test_shipped_library_finds_the_family_of_plain_requests() -> None:
    library = open_library()
    assert len(library) > 500
    wanted = {
        "an 8 bit up/down counter with enable": "up_down_counter",
        "a UART transmitter, 8 data bits, one stop bit": "uart_tx",
        "synchronous FIFO, 16 words deep, with full and empty flags": "sync_fifo",
        "a 3-to-8 decoder with enable": "decoder",
    }
    for text, family in wanted.items():
        found = library.nearest(Spec("s", None, text, Interface("m")), 3)
        assert family in {e.name.split(":")[0] for e in found}, (text, [e.name for e in found])


def test_a_users_folder_is_indexed_without_what_does_not_parse(tmp_path: Path) -> None:
    (tmp_path / "good.v").write_text("// A counter of our house.\n" + COUNTER_RTL)
    (tmp_path / "bad.v").write_text("module broken (input a;\n")
    (tmp_path / "latin.v").write_bytes(b"// \xe9\nmodule l; endmodule\n")
    records = index_folder(tmp_path)
    assert "good.v:cnt" in {r.name for r in records}
    assert not any(r.name.startswith("bad.v") for r in records)
    found = next(r for r in records if r.name == "good.v:cnt")
    assert found.spec == "A counter of our house."
    assert found.origin.endswith("good.v")


def test_a_folder_without_designs_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="none of its 0 Verilog files"):
        index_folder(tmp_path)
    with pytest.raises(ConfigError, match="not a folder"):
        index_folder(tmp_path / "nowhere")


PARAMETRISED = """module count #(parameter WIDTH = 4) (
    input clk,
    input rst,
    output [WIDTH-1:0] q
);
    reg [WIDTH-1:0] q;
    always @(posedge clk)
        if (rst) q <= {WIDTH{1'b0}};
        else q <= q + 1'b1;
endmodule
"""


def _interface(name: str, default: str, *, module: str = "count") -> Interface:
    ports = (
        Port(Direction.INPUT, "clk"),
        Port(Direction.INPUT, "rst"),
        Port(Direction.OUTPUT, "q", f"[{name}-1:0]"),
    )
    return Interface(module, ports, (Parameter(name, default),))


def test_parameters_take_the_name_and_default_of_the_task():
    exemplar = Exemplar("c", "", "WIDTH bits", PARAMETRISED, _interface("WIDTH", "4"), 1.0)
    target = _interface("N", "6", module="ctr")
    moved = align(exemplar, target)
    assert "WIDTH" not in moved.rtl.replace("ctr", "")
    assert moved.interface.parameters == (Parameter("N", "6"),)
    made = fit(exemplar, Spec("s", None, "a counter", target))
    assert made is not None
    assert "parameter N = 6" in made
    assert "{N{1'b0}}" in made


def test_a_design_with_fewer_parameters_than_asked_for_does_not_fit():
    exemplar = Exemplar("c", "", "", PARAMETRISED, _interface("WIDTH", "4"), 1.0)
    wanted = _interface("N", "6")
    more = replace(wanted, parameters=(*wanted.parameters, Parameter("M", "2")))
    assert fit(exemplar, Spec("s", None, "a counter", more)) is None
