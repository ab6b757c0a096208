"""The manifest: every mistake in it is named with file and line."""

from __future__ import annotations

import pytest
from rtl_agent.agent.ci.manifest import read_manifest
from rtl_agent.agent.ci.patch import splice, unified
from rtl_agent.agent.errors import ConfigError, UsageError
from rtl_agent.agent.verdict import Verdict

GOOD = """designs:
  - name: fifo
    spec: fifo.md
    rtl: [rtl/fifo.v, rtl/ram.v]
    require: compiles
  - {name: uart, spec: uart.md, rtl: rtl/uart.v}
"""


def manifest(tmp_path, text):
    (tmp_path / "rtl").mkdir(exist_ok=True)
    for name in ("fifo.md", "uart.md", "rtl/fifo.v", "rtl/ram.v", "rtl/uart.v"):
        (tmp_path / name).write_text("x")
    path = tmp_path / "rtl-agent.yaml"
    path.write_text(text)
    return read_manifest(path)


def test_a_good_one(tmp_path):
    found = manifest(tmp_path, GOOD)
    fifo, uart = found.designs
    assert fifo.rtl == (tmp_path / "rtl/fifo.v", tmp_path / "rtl/ram.v")
    assert (fifo.require, uart.require) == (Verdict.COMPILES, None)
    assert (fifo.line, uart.line) == (2, 6)
    assert found.choose(["uart"]) == (uart,)
    assert found.choose([]) == (fifo, uart)
    with pytest.raises(UsageError, match="no design 'x'"):
        found.choose(["x"])


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("spec: fifo.md", "spce: fifo.md"), 3, "'spce' is no key of a design"),
        (("designs:", "design:"), 1, "'design' is no key of the manifest"),
        (("spec: fifo.md", "spec: no.md"), 3, "no such spec file: 'no.md'"),
        (("rtl/ram.v", "rtl/no.v"), 4, "no such rtl file: 'rtl/no.v'"),
        (("rtl/ram.v", "rtl"), 4, "is a folder"),
        (("[rtl/fifo.v, rtl/ram.v]", "[]"), 4, "names no file"),
        (("require: compiles", "require: perfect"), 5, "'perfect' cannot be required"),
        (("require: compiles", "require: failed"), 5, "'failed' cannot be required"),
        (("require: compiles", "name: fifo"), 5, "'name' is given twice"),
        (("name: uart", "name: fifo"), 6, "two designs 'fifo'"),
        (("name: fifo", "name: ../fifo"), 2, "is no name"),
        (("    spec: fifo.md\n", ""), 2, "has no `spec`"),
        (("name: fifo", "name: [a: b"), 3, "not valid YAML"),
        ((GOOD, ""), 1, "`key: value` lines"),
        ((GOOD, "designs: []"), 1, "must list designs"),
        ((GOOD, "designs: [fifo]"), 1, "has the keys"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path, change, line, message):
    with pytest.raises(ConfigError) as caught:
        manifest(tmp_path, GOOD.replace(*change))
    assert f"rtl-agent.yaml:{line}: " in caught.value.message
    assert message in caught.value.message
    assert caught.value.remedy


def test_no_manifest_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"rtl-agent\.yaml: no such file") as caught:
        read_manifest(tmp_path / "rtl-agent.yaml")
    assert "designs:" in caught.value.remedy


TOP = "// licence\nmodule top(input a, output y);\n  part p(a, y);\nendmodule // top\n"
PART = "module part(input a, output y);\n  assign y = a;\nendmodule\n"


def test_modules_go_back_to_their_own_files():
    fixed = PART.replace("= a", "= ~a")
    changed = splice({"top.v": TOP, "part.v": PART}, f"{TOP}\n{fixed}", "top")
    assert changed == {"part.v": fixed}


def test_what_stands_outside_modules_stays():
    new = "`default_nettype none\nmodule top(input a, output y);\n  assign y = ~a;\nendmodule\n"
    (text,) = splice({"top.v": TOP}, new, "top").values()
    assert text.startswith("`default_nettype none\n// licence\nmodule top")
    assert text.endswith("endmodule // top\n")
    assert "part" not in text


def test_new_modules_go_to_the_file_of_the_top():
    changed = splice({"part.v": PART, "top.v": TOP}, f"{TOP}\nmodule more;\nendmodule\n", "top")
    assert changed == {"top.v": f"{TOP.rstrip()}\n\nmodule more;\nendmodule\n"}


def test_a_module_with_a_wrong_name_is_replaced():
    new = "module top(input a, output y);\n  assign y = a;\nendmodule\n"
    assert splice({"f.v": PART}, new, "top") == {"f.v": new}


def test_a_file_without_newline_at_its_end_can_be_patched():
    diff = unified({"a.v": "x\ny"}, {"a.v": "x\nz"})
    assert diff.count("\\ No newline at end of file\n") == 2
    assert unified({"a.v": "x"}, {"a.v": "x"}) == ""
