"""The CI front door: failures are named where they stand; a patch is judged before it counts."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped
from loop_kit import BAD_INVERTER, GOOD_INVERTER, fenced
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.ci.check import exit_code, judge
from rtl_agent.agent.ci.fix import Fixer
from rtl_agent.agent.ci.manifest import read_manifest
from rtl_agent.agent.cli.main import run
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.styles.instruct import InstructStyle

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")

SPEC = """# {name}

Write a module `{name}` with input `a` and output `y`: y is not a.

| a | y |
| --- | --- |
| 0 | 1 |
| 1 | 0 |
"""
OPEN_SPEC = "# {name}\n\nWrite a module `{name}` with input `a` and output `y`.\n"
LICENCE = "// Copyright of somebody.\n`timescale 1ns/1ps\n\n"


class Repo:
    """A small repository with a manifest."""

    def __init__(self, root):
        self.root = root
        self.entries: list[str] = []

    def add(self, name, rtl, *, spec=SPEC, require="", file=""):
        path = self.root / (file or f"rtl/{name}.v")
        path.parent.mkdir(exist_ok=True)
        path.write_text(rtl)
        (self.root / f"{name}.md").write_text(spec.format(name=name))
        entry = f"  - name: {name}\n    spec: {name}.md\n    rtl: {path.relative_to(self.root)}\n"
        self.entries.append(entry + (f"    require: {require}\n" if require else ""))
        self.write()
        return path

    def write(self):
        (self.root / "rtl-agent.yaml").write_text("designs:\n" + "".join(self.entries))


@pytest.fixture
def repo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return Repo(tmp_path)


def scripted(monkeypatch, *answers):
    """The model of `--fix`, and nothing else that repairs."""
    monkeypatch.setenv("RTL_AGENT_SEARCH", "false")
    backend = ScriptedBackend([fenced(a) for a in answers])
    monkeypatch.setattr("rtl_agent.agent.backends.factory.make_backend", lambda settings: backend)
    return backend


def apply(root, patch):
    subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    subprocess.run(["git", "apply", str(patch)], cwd=root, check=True)


def test_all_good_is_zero_and_a_table(repo, capsys):
    repo.add("inv", GOOD_INVERTER)
    assert run(["ci", "-q"]) == 0
    out, err = capsys.readouterr()
    assert "inv     verified  verified" in out
    assert "1 of 1 designs" in out
    assert "::" not in out
    assert err == ""


def test_failures_go_to_table_junit_and_annotations(repo, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    repo.add("inv", LICENCE + BAD_INVERTER)
    repo.add("syn", "module syn(input a, output y);\n  assign y = q q;\nendmodule\n")
    repo.add("low", GOOD_INVERTER.replace("inv", "low"), spec=OPEN_SPEC, require="verified")
    repo.add("odd", GOOD_INVERTER.replace("inv", "odd"), spec="---\nfrob: 1\n---\n" + SPEC)
    assert run(["ci", "-q", "--junit", "out/rtl.xml"]) == 2  # `odd` cannot be checked at all
    out = capsys.readouterr().out
    assert "0 of 4 designs" in out
    commands = [line for line in out.splitlines() if line.startswith("::")]
    (wrong,) = [c for c in commands if "title=inv" in c]
    assert wrong.startswith("::error file=rtl/inv.v,line=4,title=inv%3A check ")
    assert "first mismatch" in wrong
    assert "%0A" in wrong
    assert any(c.startswith("::error file=rtl/syn.v,line=2,") for c in commands)
    assert any(
        c.startswith("::error file=rtl/low.v,line=1,title=low%3A compiles") for c in commands
    )
    assert any(c.startswith("::error file=odd.md,line=2,") and "frob" in c for c in commands)
    suites = {suite.name: suite for suite in JUnitXml.fromfile("out/rtl.xml")}
    kinds = {
        name: [(case.name, type(r)) for case in suite for r in case.result]
        for name, suite in suites.items()
    }
    assert [k for _, k in kinds["inv"]] == [Failure]
    assert ("compile and lint", Failure) in kinds["syn"]
    assert [k for _, k in kinds["syn"]] == [Failure, Skipped]
    assert kinds["low"] == [("verdict", Failure)]
    assert kinds["odd"] == [("spec", Error)]


def test_json_is_one_object_and_annotations_go_beside_it(repo, capsys):
    repo.add("inv", BAD_INVERTER)
    assert run(["ci", "-q", "--json", "--annotations"]) == 1
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["schema_version"], found["exit_code"]) == (1, 1)
    assert found["designs"][0]["result"]["verdict"] == "failed"
    assert err.startswith("::error file=rtl/inv.v,line=1,")


def test_named_designs_only(repo, capsys):
    repo.add("inv", GOOD_INVERTER)
    repo.add("bad", BAD_INVERTER.replace("inv", "bad"))
    assert run(["ci", "-q", "inv"]) == 0
    assert run(["ci", "-q", "inw"]) == 2
    assert "Designs: inv, bad." in capsys.readouterr().err


def test_a_run_out_of_time_is_four(repo):
    repo.add("inv", GOOD_INVERTER)
    assert run(["ci", "-q", "--timeout", "0.01s"]) == 4


def test_fix_writes_a_patch_that_applies_and_touches_nothing(repo, capsys, monkeypatch):
    text = (LICENCE + BAD_INVERTER + "// the end").replace("\n", "\r\n")
    path = repo.add("inv", "", file="rtl/my inv.v")
    path.write_bytes(text.encode())
    good = repo.add("fine", GOOD_INVERTER.replace("inv", "fine"))
    backend = scripted(monkeypatch, GOOD_INVERTER)
    assert run(["ci", "-q", "--fix", "fix.patch"]) == 1
    assert path.read_bytes() == text.encode()
    assert good.read_text() == GOOD_INVERTER.replace("inv", "fine")
    out = capsys.readouterr().out
    assert "inv: repaired" in out
    assert "assign y = a;" in backend.prompts[0].messages[-1][1]
    apply(repo.root, "fix.patch")
    assert path.read_bytes() == text.replace("= a;", "= ~a;").encode()
    assert run(["ci", "-q"]) == 0


@pytest.mark.slow
def test_a_model_that_cannot_repair_leaves_an_empty_patch(repo, capsys, monkeypatch):
    repo.add("inv", BAD_INVERTER)
    worse = [BAD_INVERTER.replace("= a;", f"= a | {i};") for i in range(2)]
    scripted(monkeypatch, *worse)
    argv = ["ci", "-q", "--json", "--fix", "fix.patch", "--candidates", "1", "--attempts", "2"]
    assert run(argv) == 1
    found = json.loads(capsys.readouterr().out)
    assert [f["fixed"] for f in found["fixes"]] == [False]
    assert found["patch"] is None
    assert (repo.root / "fix.patch").read_text() == ""


def test_no_model_is_needed_when_nothing_fails(repo, monkeypatch):
    repo.add("inv", GOOD_INVERTER)
    scripted(monkeypatch)
    assert run(["ci", "-q", "--fix", "fix.patch"]) == 0


@pytest.mark.slow
def test_a_fix_that_breaks_a_design_with_the_same_file_is_dropped(repo):
    """Two specs ask for opposite things of one module: no patch may satisfy one alone."""
    repo.add("inv", BAD_INVERTER)
    opposite = SPEC.replace("| 0 | 1 |\n| 1 | 0 |", "| 0 | 0 |\n| 1 | 1 |")
    repo.add("buf", BAD_INVERTER, spec=opposite.replace("`{name}`", "`inv`"), file="rtl/inv.v")
    fixer, reports = _fixer(repo, GOOD_INVERTER)
    assert [r.ok for r in reports] == [False, True]
    fix = fixer.fix("inv")
    assert not fix.fixed
    assert "buf fails" in fix.reason
    assert fixer.patch() == ""


def test_a_check_is_never_changed(repo):
    spec = "---\nchecks:\n  - reference: rtl/inv.v\n---\n" + OPEN_SPEC
    repo.add("inv", "module inv(input a, output y);\n  assign y = 1'bx;\nendmodule\n", spec=spec)
    fixer, _ = _fixer(repo, GOOD_INVERTER)
    fix = fixer.fix("inv")
    assert not fix.fixed
    assert "also a spec or a check" in fix.reason
    assert fixer.patch() == ""


def _fixer(repo, *answers):
    manifest = read_manifest(repo.root / "rtl-agent.yaml")
    options = SolveOptions(out=repo.root / "out", candidates=1, attempts=1, probe=False, search_s=0)
    reports = [judge(design, options) for design in manifest.designs]
    backend = ScriptedBackend([fenced(a) for a in answers])

    def run_loop(spec, own, files):
        return solve(spec, own, backend, InstructStyle(), None, given=files)

    scratch = repo.root / "scratch"
    scratch.mkdir()
    return Fixer(manifest, reports, options, run_loop, scratch), reports


def test_results_never_overwrite_what_is_checked(repo, capsys):
    path = repo.add("inv", BAD_INVERTER)
    assert run(["ci", "--fix", "rtl/inv.v"]) == 2
    assert run(["ci", "--junit", "rtl-agent.yaml"]) == 2
    assert path.read_text() == BAD_INVERTER
    assert "would overwrite" in capsys.readouterr().err


def test_without_icarus_it_is_three(repo, monkeypatch, capsys):
    repo.add("inv", GOOD_INVERTER)
    monkeypatch.setenv("PATH", "/nowhere")
    assert run(["ci", "-q"]) == 3
    assert "icarus" in capsys.readouterr().err.lower()


def test_ctrl_c_is_130_without_a_run_to_go_on_with(repo, monkeypatch, capsys):
    repo.add("inv", GOOD_INVERTER)

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("rtl_agent.agent.graph.toolbox_real.RealToolbox.screen", stop)
    assert run(["ci", "-q"]) == 130
    assert "--resume" not in capsys.readouterr().err


def test_exit_codes_of_many():
    class Report:
        def __init__(self, code):
            self.exit_code = code

    assert exit_code([Report(0), Report(4)]) == 4
    assert exit_code([Report(4), Report(1)]) == 1
    assert exit_code([Report(1), Report(2)]) == 2
    assert exit_code([]) == 0
