from pathlib import Path

import pytest
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.errors import SourceUnreadable, ToolMissing
from rtl_agent.tools.process import Limits
from rtl_agent.tools.simulate import icarus
from rtl_agent.tools.simulate.icarus import CompileResult, compile_icarus, run_vvp
from rtl_agent.tools.simulate.sources import stage
from rtl_agent.tools.simulate.timescale import split_timescale


def compiled(folder: Path, *texts: str, tops: tuple[str, ...] = (), **more: bool) -> CompileResult:
    paths = []
    for i, text in enumerate(texts):
        path = folder / f"f{i}.v"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    staged = stage(paths, folder / "src")
    return compile_icarus(
        staged.files, tops=tops, workdir=folder, limits=Limits(), origin=staged.origin, **more
    )


def test_compile_and_run(tmp_path: Path) -> None:
    result = compiled(tmp_path, 'module t; initial $display("hello"); endmodule\n')
    assert result.ok
    assert result.image is not None
    assert run_vvp(result.image, workdir=tmp_path, limits=Limits()).stdout == "hello\n"


def test_errors_name_the_users_file_and_line(tmp_path: Path) -> None:
    result = compiled(tmp_path, "module t;\n  assign y = q;\nendmodule\n")
    assert not result.ok
    assert not result.crashed
    errors = [d for d in result.diagnostics if d.severity is Severity.ERROR]
    assert (errors[0].file, errors[0].line) == (str(tmp_path / "f0.v"), 2)
    assert not list(tmp_path.glob("*.vvp"))


def test_implicit_nets_are_told(tmp_path: Path) -> None:
    text = "module a(input [7:0] x); endmodule\nmodule t; a u(.x(typo)); endmodule\n"
    result = compiled(tmp_path, text)
    assert [d.code for d in result.diagnostics if "implicit" in d.message] == ["implicit-net"]


def test_missing_module(tmp_path: Path) -> None:
    result = compiled(tmp_path, "module t; nowhere u(); endmodule\n")
    assert "unknown-module" in [d.code for d in result.diagnostics]


def test_words_of_systemverilog_are_names_in_verilog(tmp_path: Path) -> None:
    assert compiled(tmp_path, "module t; reg bit, do, unique; endmodule\n").ok


def test_directives_do_not_leak_into_the_next_file(tmp_path: Path) -> None:
    first = "`default_nettype none\n`timescale 1s/1s\nmodule a; endmodule\n"
    second = 'module t; assign w = 1\'b0; initial #1 $display("%0t", $realtime); endmodule\n'
    assert compiled(tmp_path, first, second, tops=("t",)).ok
    # the harm, with the bare files
    bare = compile_icarus(
        [tmp_path / "f0.v", tmp_path / "f1.v"], tops=["t"], workdir=tmp_path, limits=Limits()
    )
    assert not bare.ok


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "bom.v"
    path.write_bytes(b"\xef\xbb\xbfmodule t; // \xc2\xb5s\r\nendmodule\r\n")
    staged = stage([path], tmp_path / "src")
    result = compile_icarus(staged.files, tops=[], workdir=tmp_path, limits=Limits())
    assert result.ok
    assert not compile_icarus([path], tops=[], workdir=tmp_path, limits=Limits()).ok


def test_a_crash_of_icarus_is_a_crash(tmp_path: Path) -> None:
    package = "package p; typedef struct packed { logic v; logic [7:0] d; } t_req; endpackage\n"
    use = "module t(input p::t_req r, output logic v); assign v = r.v; endmodule\n"
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.sv").write_text(package + use)
    result = compile_icarus([tmp_path / "src/a.sv"], tops=["t"], workdir=tmp_path, limits=Limits())
    assert not result.ok
    assert result.crashed


def test_includes_come_along_but_only_from_beside(tmp_path: Path) -> None:
    (tmp_path / "outside.vh").write_text("`define W 8\n")
    design = tmp_path / "design"
    (design / "inc").mkdir(parents=True)
    (design / "inc" / "w.vh").write_text("`define W 4\n")
    top = design / "t.v"
    top.write_text('`include "inc/w.vh"\nmodule t; wire [`W-1:0] a; endmodule\n')
    staged = stage([top], tmp_path / "one")
    folder = [tmp_path / "one"]
    result = compile_icarus(
        staged.files, tops=["t"], workdir=tmp_path, limits=Limits(), includes=folder
    )
    assert result.ok
    top.write_text('`include "../outside.vh"\nmodule t; wire [`W-1:0] a; endmodule\n')
    staged = stage([top], tmp_path / "two")
    assert not list((tmp_path / "two").glob("**/outside.vh"))


def test_equal_file_names_do_not_overwrite_each_other(tmp_path: Path) -> None:
    paths = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        paths.append(tmp_path / name / "x.v")
        paths[-1].write_text(f"module {name}; endmodule\n")
    staged = stage(paths, tmp_path / "src")
    assert len(set(staged.files)) == 2
    assert staged.origin(str(staged.files[1])) == str(paths[1])


@pytest.mark.parametrize("kind", ["missing", "folder", "binary"])
def test_what_is_no_source(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.v"
    if kind == "folder":
        path.mkdir()
    elif kind == "binary":
        path.write_bytes(b"\0\1\2")
    with pytest.raises(SourceUnreadable, match=r"x\.v"):
        stage([path], tmp_path / "src")


def test_missing_icarus_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(icarus.shutil, "which", lambda _: None)
    with pytest.raises(ToolMissing) as caught:
        compile_icarus([], tops=[], workdir=tmp_path, limits=Limits())
    assert "apt-get install iverilog" in caught.value.remedy


def test_timescale() -> None:
    assert split_timescale("10ns / 1ps") == ("10ns", "1ps")
    for wrong in ("1ns", "2ns/1ps", "ns/ps", ""):
        with pytest.raises(ValueError, match="timescale"):
            split_timescale(wrong)
