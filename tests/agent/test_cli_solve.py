"""`solve` and `check` as users run them: exit codes, streams, files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from cli_kit import BAD, GOOD, ONE, SPEC, UNCHECKED, only, record, rtl_agent
from rtl_agent.agent.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec in an empty folder, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RTL_AGENT_CONFIG", os.devnull)
    path = tmp_path / "mux.md"
    path.write_text(SPEC)
    return path


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings of a model that is right, and of one that is wrong."""
    folder = tmp_path_factory.mktemp("answers")
    path = folder / "mux.md"
    path.write_text(SPEC)
    record(path, [GOOD], folder / "good.jsonl")
    record(path, [BAD], folder / "bad.jsonl")
    return folder


def test_a_verified_design(spec: Path, answers: Path) -> None:
    done = rtl_agent(
        "solve", "mux.md", *ONE, "--replay", str(answers / "good.jsonl"), cwd=spec.parent
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("verified")
    assert len(done.stdout.splitlines()) == 1
    assert "attempt 1" in done.stderr
    assert (spec.parent / "rtl-out" / "mux2.v").read_text().startswith("module mux2")
    assert (spec.parent / "rtl-out" / "mux2.report.md").is_file()


def test_a_wrong_design_is_exit_code_1(
    spec: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["solve", "mux.md", *ONE, "--replay", str(answers / "bad.jsonl"), "--json"])
    shown = capsys.readouterr()
    assert code == 1
    (result,) = only(shown.out)["results"]
    assert (result["verdict"], result["stop_reason"]) == ("failed", "attempts")
    assert result["checks"][0]["mismatches"] > 0


def test_json_has_what_the_design_document_promises(
    spec: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = spec.parent / "build"
    code = run(
        ["solve", "mux.md", *ONE, "--replay", str(answers / "good.jsonl"), "--json", "-o", str(out)]
    )
    shown = capsys.readouterr()
    assert code == 0
    data = only(shown.out)
    assert data["schema_version"] == 1
    (result,) = data["results"]
    assert {
        "spec",
        "module",
        "verdict",
        "stop_reason",
        "rtl",
        "run",
        "attempts",
        "checks",
        "diagnostics",
        "timing",
        "decoding",
    } <= set(result)
    assert result["rtl"] == str(out / "mux2.v")
    assert result["run"].startswith(str(out / "runs"))


def test_events_are_json_lines_that_end_with_the_results(
    spec: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["solve", "mux.md", *ONE, "--replay", str(answers / "good.jsonl"), "--events"])
    shown = capsys.readouterr()
    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert all(line["schema_version"] == 1 for line in lines)
    names = [line["event"] for line in lines]
    assert names[0] == "run-started"
    assert names[-1] == "results"
    assert {"draft-text", "candidate-judged", "run-ended"} <= set(names)
    assert shown.err == ""


def test_quiet_says_nothing_but_the_result(
    spec: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["solve", "mux.md", *ONE, "--replay", str(answers / "good.jsonl"), "-q"])
    assert capsys.readouterr().err == ""


def test_standard_input(spec: Path, answers: Path) -> None:
    done = rtl_agent("solve", "-", "--dry-run", "--json", cwd=spec.parent, stdin=SPEC)
    (plan,) = only(done.stdout)["plans"]
    assert (plan["module"], plan["spec"]) == ("mux2", "standard input")


def test_dry_run_shows_plan_and_prompt_and_leaves_nothing(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", "mux.md", "--dry-run", "--model", "some/model", "--no-library"]) == 0
    text = capsys.readouterr().out
    for part in ("module mux2", "input  sel", "check: vectors", "up to 4 attempts", "prompt:"):
        assert part in text
    assert "y is b when sel is 1" in text.split("prompt:")[1]
    assert [p.name for p in spec.parent.iterdir()] == ["mux.md"]


def test_folders_stand_for_their_specs(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = spec.parent / "specs"
    (folder / "deep" / "runs").mkdir(parents=True)
    (folder / "one.md").write_text(SPEC)
    (folder / "deep" / "two.md").write_text(SPEC.replace("mux2", "mux3"))
    for other in ("README.md", "mux2.report.md", "deep/runs/old.md", "notes.txt"):
        (folder / other).write_text("not a spec")
    assert run(["solve", str(folder), "--dry-run", "--json"]) == 0
    plans = only(capsys.readouterr().out)["plans"]
    assert sorted(p["module"] for p in plans) == ["mux2", "mux3"]


def test_a_spec_without_checks_needs_only_to_compile(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(UNCHECKED)
    recording = record(spec, [BAD], spec.parent / "bad.jsonl")
    assert run(["solve", "mux.md", *ONE, "--replay", str(recording), "-q"]) == 0
    assert capsys.readouterr().out.startswith("compiles")


def test_require_asks_for_more_than_there_can_be(spec: Path) -> None:
    spec.write_text(UNCHECKED)
    recording = record(spec, [GOOD], spec.parent / "good.jsonl", require="verified")
    args = ["solve", "mux.md", *ONE, "--replay", str(recording), "-q", "--require", "verified"]
    assert run(args) == 1


USAGE = {
    "nothing": ([], "no spec was named"),
    "no file": (["none.md"], "none.md: no such file"),
    "empty": (["empty.md"], "empty.md: the spec is empty"),
    "latin": (["latin.md"], "latin.md:1: not UTF-8"),
    "key": (["key.md"], "key.md:2: unknown front-matter key"),
    "check": (["check.md"], "check.md:3: no such check file: 'none.py'"),
    "keyword": (["keyword.md"], "keyword.md:1: 'case' is a reserved word"),
    "big": (["big.md"], "big.md: the spec has 2.0 MiB"),
    "empty folder": (["void"], "void: no spec in this folder"),
    "both outputs": (["mux.md", "--json", "--events"], "exclude each other"),
    "no duration": (["mux.md", "--timeout", "soon"], "'soon' is no duration"),
    "no attempts": (["mux.md", "--attempts", "0"], "0 is not in the range"),
    "no run": (["--resume", "nothing"], "no run 'nothing' below"),
    "no last run": (["--resume", "last"], "there is no run below"),
    "no server named": (["mux.md", "--backend", "openai"], "backend `openai` needs a base_url"),
    "no recording named": (["mux.md", "--backend", "replay"], "needs a recording"),
}


@pytest.fixture
def broken(spec: Path) -> Path:
    folder = spec.parent
    (folder / "void").mkdir()
    (folder / "empty.md").write_text("")
    (folder / "latin.md").write_bytes("Zähler".encode("latin-1"))
    (folder / "key.md").write_text(f"---\nmoduel: x\n---\n{SPEC}")
    (folder / "check.md").write_text(f"---\nchecks:\n  - cocotb: none.py\n---\n{SPEC}")
    (folder / "keyword.md").write_text("Module name: case\n")
    (folder / "big.md").write_text("word " * 420_000)
    return folder


@pytest.mark.parametrize("name", USAGE)
def test_wrong_usage_is_one_message_and_exit_code_2(
    name: str, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args, message = USAGE[name]
    assert run(["solve", *args]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""
    assert "Traceback" not in shown.err
    assert not (broken / "rtl-out").exists()


def test_all_bad_specs_are_named_before_anything_runs(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", "empty.md", "mux.md", "latin.md"]) == 2
    shown = capsys.readouterr().err
    assert "empty.md: the spec is empty" in shown
    assert "error: latin.md:1: not UTF-8" in shown


def test_what_is_done_is_printed_though_a_later_spec_fails(
    spec: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = "```python cocotb\nimport cocotb\ndef broken(:\n```\n"
    (spec.parent / "zz.md").write_text(UNCHECKED.replace("mux2", "mux3") + bad)
    good = str(answers / "good.jsonl")
    assert run(["solve", "mux.md", "zz.md", *ONE, "--replay", good, "--json"]) == 2
    shown = capsys.readouterr()
    assert [r["verdict"] for r in only(shown.out)["results"]] == ["verified"]
    assert "zz.md:12" in shown.err


@pytest.mark.slow
def test_specs_of_one_module_name_get_folders_of_their_own(
    spec: Path, answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (spec.parent / "other").mkdir()
    (spec.parent / "other" / "mux.md").write_text(SPEC)
    made = record(spec, [GOOD], spec.parent / "two.jsonl").read_text().splitlines()
    (spec.parent / "two.jsonl").write_text("\n".join([*made, made[1]]) + "\n")
    args = ["solve", "mux.md", "other/mux.md", *ONE, "--replay", "two.jsonl", "--json"]
    assert run(args) == 0
    rtl = [r["rtl"] for r in only(capsys.readouterr().out)["results"]]
    assert len(set(rtl)) == 2


def test_an_output_folder_that_is_a_file(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (spec.parent / "taken").write_text("")
    args = ["solve", "mux.md", "--model", "m", "--out", "taken", "--no-library"]
    assert run(args) == 2
    assert "taken: cannot be written" in capsys.readouterr().err


def test_a_server_that_cannot_be_reached(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["--backend", "openai", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"]
    assert run(["solve", "mux.md", *ONE, *args]) == 3
    shown = capsys.readouterr().err
    assert "127.0.0.1:9" in shown
    assert "Traceback" not in shown


def test_a_recording_that_is_not_there(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "mux.md", "--replay", "none.jsonl"]) == 3
    assert "none.jsonl" in capsys.readouterr().err


def test_icarus_is_missing(
    spec: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (spec.parent / "mux2.v").write_text(GOOD)
    monkeypatch.setenv("PATH", str(spec.parent))
    assert run(["check", "mux.md", "mux2.v"]) == 3
    shown = capsys.readouterr().err
    assert "iverilog is not installed" in shown or "Icarus" in shown
    assert "  -> " in shown


def test_check_judges_designs(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (spec.parent / "good.v").write_text(GOOD)
    (spec.parent / "bad.v").write_text(BAD)
    assert run(["check", "mux.md", "good.v", "-q"]) == 0
    assert capsys.readouterr().out.startswith("verified")
    assert run(["check", "mux.md", "bad.v", "-q", "--json"]) == 1
    (result,) = only(capsys.readouterr().out)["results"]
    assert (result["verdict"], result["stop_reason"]) == ("failed", "judged")
    assert run(["check", "mux.md", "none.v"]) == 2
    assert "none.v: no such file" in capsys.readouterr().err


class _Silent(BaseHTTPRequestHandler):
    """A server that takes a question and never answers it."""

    asked = Event()
    release = Event()

    def do_POST(self) -> None:
        type(self).asked.set()
        type(self).release.wait(60)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def silent_server() -> Iterator[str]:
    _Silent.asked.clear()
    _Silent.release.clear()
    server = HTTPServer(("127.0.0.1", 0), _Silent)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    _Silent.release.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_ctrl_c_says_how_to_go_on_and_resume_goes_on(
    spec: Path, answers: Path, silent_server: str
) -> None:
    model = ["--backend", "openai", "--base-url", silent_server, "--model", "m"]
    env = {k: v for k, v in os.environ.items() if not k.startswith("RTL_AGENT_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "rtl_agent.agent.cli.main", "solve", "mux.md", *ONE, *model],
        cwd=spec.parent,
        env={**env, "RTL_AGENT_CONFIG": os.devnull},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A runner that was itself started in the background hands down an ignored SIGINT.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    assert _Silent.asked.wait(60)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert "go on with: rtl-agent solve --resume " in err
    line = next(x for x in err.splitlines() if "go on with" in x)
    assert "--backend openai" in line
    assert f"--out {spec.parent / 'rtl-out'}" in line
    run_id = line.split("--resume ")[1].split()[0]
    assert (spec.parent / "rtl-out" / "runs" / run_id).is_dir()

    done = rtl_agent(
        "solve", "--resume", "last", "--replay", str(answers / "good.jsonl"), cwd=spec.parent
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("verified")
    assert f"going on with mux2 (mux.md), run {run_id}" in done.stderr
    assert len(list((spec.parent / "rtl-out" / "runs").iterdir())) == 1
