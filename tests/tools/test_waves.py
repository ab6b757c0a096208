import json
from pathlib import Path

import pytest
from checks_support import COUNTER, COUNTER_MODEL, WIRE, dut, source
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.failure import failure_window, record_failure
from rtl_agent.tools.checks.types import CheckKind, Cycle, Limits, Mismatch
from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.errors import SourceUnreadable
from rtl_agent.tools.simulate.icarus import compile_icarus, run_vvp
from rtl_agent.tools.waves import (
    first_mismatch_window,
    format_value,
    open_waves,
    recorded_window,
    render_table,
    to_wavedrom,
)

BENCH = r"""
`timescale 1ns/1ps
module sub(input [7:0] d, output \odd.name , output [7:0] q);
  assign q = ~d; assign \odd.name = d[0]; endmodule
module tb;
  reg clk = 0; reg [7:0] d; wire o; wire [7:0] q; real r = 0.5;
  sub u(d, o, q);
  initial begin
    $dumpfile("w.wave"); $dumpvars(0, tb);
    #5 clk = 1; d = 3; #5 clk = 0; d = 8'bx; #5 clk = 1; d = 200; r = 1.5; #5 $finish;
  end
endmodule
"""


@pytest.fixture(params=["vcd", "fst"])
def recording(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "tb.v").write_text(BENCH)
    built = compile_icarus([tmp_path / "tb.v"], tops=["tb"], workdir=tmp_path, limits=Limits())
    assert built.image is not None
    run_vvp(built.image, workdir=tmp_path, limits=Limits(), waves=request.param)
    return tmp_path / "w.wave"


def test_signals_and_values(recording: Path) -> None:
    waves = open_waves(recording)
    assert waves.tick_fs == 1000
    names = {signal.name for signal in waves.signals}
    assert {"tb.clk", "tb.d", "tb.u.q", r"tb.u.\odd.name"} <= names
    d = waves.find("tb.d")
    assert d is not None
    assert d.width == 8
    assert [(c.time_ns, c.value) for c in waves.changes(d)] == [
        (0.0, "xxxxxxxx"), (5.0, "00000011"), (10.0, "xxxxxxxx"), (15.0, "11001000"),
    ]  # fmt: skip
    assert waves.value(d, 5.0) == "00000011"
    assert waves.value(d, 5.0, before=True) == "xxxxxxxx"
    assert waves.value(d, 0.0, before=True) == "xxxxxxxx"
    assert waves.value(d, 99.0) == "11001000"


def test_a_signal_is_found_by_the_end_of_its_name(recording: Path) -> None:
    waves = open_waves(recording)
    assert waves.find("u.q") is not None
    assert waves.find("d") is None  # tb.d and tb.u.d
    assert waves.find("nowhere") is None


def test_a_window_of_a_recording(recording: Path) -> None:
    waves = open_waves(recording)
    signals = [s for s in waves.signals if s.name in {"tb.d", "tb.clk"}]
    table = render_table(recorded_window(waves, signals, [5.0, 10.0, 15.0]))
    lines = {line.split()[0]: line.split()[1:] for line in table.splitlines()}
    assert lines["cycle"] == ["5", "10", "15"]
    assert lines["tb.d"] == ["h03", "hxx", "hc8"]
    assert lines["tb.clk"] == ["1", "0", "1"]


@pytest.mark.parametrize("content", [None, b"", b"hello\n", b"\0" * 100])
def test_what_is_no_recording(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "w.fst"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceUnreadable, match=r"w\.fst"):
        open_waves(path)


MISMATCH = Mismatch(
    20.0, 5, {"q": "00000010"}, {"q": "000000x1"}, {"en": "1"},
    (
        Cycle(10.0, 4, {"en": "1", "q": "00000001", "z": "1"}, {"q": "00000001"}),
        Cycle(20.0, 5, {"en": "1", "q": "000000x1", "z": "0"}, {"q": "00000010"}),
        Cycle(30.0, 6, {"en": "0", "q": "00000001", "z": "0"}, {}),
    ),
)  # fmt: skip


def test_the_window_of_a_mismatch() -> None:
    window = first_mismatch_window(MISMATCH)
    assert window.mismatch == 1
    assert window.labels == ("4", "5", "6")
    q = next(t for t in window.traces if t.name == "q")
    assert q.role == "output"
    assert q.expected == ("00000001", "00000010", None)
    assert [q.differs(i) for i in range(3)] == [False, True, False]


def test_the_table_shows_expected_and_actual() -> None:
    assert render_table(first_mismatch_window(MISMATCH)) == (
        "cycle         4    5    6\n"
        "en            1    1    0\n"
        "q           h01  h0X  h01\n"
        "  expected       h02\n"
        "                   ^\n"
        "z             1    0    0\n"
    )


def test_wavedrom() -> None:
    drawing = to_wavedrom(first_mismatch_window(MISMATCH), title="updown", clock="clk")
    assert json.loads(json.dumps(drawing)) == {
        "signal": [
            {"name": "clk", "wave": "p.."},
            ["inputs", {"name": "en", "wave": "1.0"}],
            [
                "outputs",
                {"name": "q", "wave": "===", "data": ["h01", "h0X", "h01"]},
                {"name": "q expected", "wave": "==x", "data": ["h01", "h02"]},
                {"name": "z", "wave": "10."},
            ],
        ],
        "head": {"text": "updown", "tick": 4},
        "foot": {"text": "first mismatch in cycle 5"},
    }


def test_an_empty_window() -> None:
    window = first_mismatch_window(Mismatch(0.0, 0, {}, {}, {}))
    assert render_table(window) == ""
    assert to_wavedrom(window) == {"signal": []}


@pytest.mark.parametrize(
    ("value", "text"),
    [("1", "1"), ("10x1", "10x1"), ("00011111", "h1f"), ("101111", "h2f"), ("xxxxxxxx", "hxx"),
     ("zzzz0000", "hz0"), ("0.5", "0.5"), ("", "")],
)  # fmt: skip
def test_values_for_people(value: str, text: str) -> None:
    assert format_value(value) == text


def test_a_failure_is_recorded_and_shown_with_its_cone(tmp_path: Path) -> None:
    text = COUNTER.replace("output reg [7:0] q);", "output [7:0] q);\n  reg [7:0] count, lost;")
    text = text.replace("q <= q + 1", "count <= count + 3").replace("q <=", "count <=")
    text = text.replace("endmodule", "  assign q = count;\n  always @* lost = d;\nendmodule")
    design = dut(tmp_path, text, "cnt")
    check = make_check(
        source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL),
        clocking=infer_clocking(design.interface),
        timescale="1ns/1ps",
    )
    limits = Limits()
    result = check.run(design, tmp_path / "one", limits=limits, seed=1)
    assert result.wave is None
    result = record_failure(check, design, tmp_path / "two", result, limits=limits, seed=1)
    assert result.wave is not None
    assert open_waves(result.wave).find("cnt.count") is not None
    window = failure_window(result, design)
    assert window is not None
    internal = {t.name: t.values for t in window.traces if t.role == "internal"}
    q = next(t for t in window.traces if t.name == "q")
    assert internal == {"cnt.count": q.values}  # sampled in the same cycles; `lost` is not in it


def test_waves_of_a_bench(tmp_path: Path) -> None:
    text = (
        "module tb; reg [7:0] a; wire [7:0] y; m dut(a, y);\n"
        'initial begin a = 1; #1 if (y === a) $display("PASS"); $finish; end endmodule\n'
    )
    design = dut(tmp_path, WIRE, "m")
    check = make_check(source(CheckKind.TESTBENCH, text), clocking=infer_clocking(design.interface))
    result = check.run(design, tmp_path / "w", limits=Limits(), seed=1, waves=True)
    assert result.passed, result.reason
    assert result.wave is not None
    assert open_waves(result.wave).find("dut.y") is not None


def test_changes_are_the_same_when_they_are_asked_for_again(recording: Path) -> None:
    waves = open_waves(recording)
    clock = waves.find("tb.clk")
    assert clock is not None
    first = waves.changes(clock)
    assert first
    assert waves.changes(clock) == first


@pytest.mark.parametrize("share", [0.02, 0.5, 0.9])
def test_a_recording_that_was_cut_off(recording: Path, share: float) -> None:
    data = recording.read_bytes()
    recording.write_bytes(data[: int(len(data) * share)].rstrip(b"\n"))
    if data.startswith(b"$") and b"$enddefinitions" in recording.read_bytes():
        waves = open_waves(recording)
        assert waves.cut_off
        assert waves.signals
        return
    with pytest.raises(SourceUnreadable, match="cut off") as told:
        open_waves(recording)
    assert "record it again" in told.value.remedy


def test_why_a_file_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "in.vcd").write_text("$end\n")
    (tmp_path / "text").write_text("module m; endmodule // gr\u00f6\u00dfe\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 8)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "loop").symlink_to("loop")
    for name, says, remedy in (
        ("", "is a folder", "in.vcd"),
        ("gone", "no such file", "check the path"),
        ("text", "is text, no recording", "$dumpfile"),
        ("binary", "is a binary file", "$dumpfile"),
        ("empty", "is empty", "$dumpvars"),
        ("loop", "Too many levels", "check the path"),
        ("in.vcd", "cut off in its header", "record it again"),
    ):
        with pytest.raises(SourceUnreadable, match=says) as told:
            open_waves(tmp_path / name)
        assert remedy in told.value.remedy
    with pytest.raises(SourceUnreadable, match="not a regular file"):
        open_waves(Path("/dev/null"))
