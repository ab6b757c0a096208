"""Conversations: turns make and change a design, are kept, and never claim more than was shown."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from loop_kit import fenced
from rtl_agent.agent.backends.replay import Recorder
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.chat.conversation import Conversation, Model
from rtl_agent.agent.chat.lines import PipedLines
from rtl_agent.agent.chat.loop import ChatLoop
from rtl_agent.agent.chat.session import new_session, open_session
from rtl_agent.agent.chat.stream import Stream
from rtl_agent.agent.errors import BackendError, ExitCode, OutputError, UsageError
from rtl_agent.agent.graph import events
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict

pytestmark = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")

INVERTER = "Write a module `inv` with input `a` and output `y`: y is not a."
PLAIN = "module inv(input a, output y);\n  assign y = ~a;\nendmodule\n"
GATE = "module inv(input a, output y);\n  not n(y, a);\nendmodule\n"
GATED = "module inv(input a, input en, output y);\n  assign y = en & ~a;\nendmodule\n"
WRONG = "module inv(input a, output y);\n  assign y = q q;\nendmodule\n"
TABLED = """# inv

A module inv with input `a` and output `y`: y is not a.

| a | y |
| --- | --- |
| 0 | 1 |
| 1 | 0 |
"""


class Talk:
    """A conversation whose model is scripted; everything else is real."""

    def __init__(self, sessions, *answers, resume="", backend=None, **options):
        self.out = io.StringIO()
        self.session = open_session(sessions, resume) if resume else new_session(sessions)
        self.asked_models: list[str] = []
        self.backend = backend or ScriptedBackend([fenced(a) for a in answers])
        chosen = {
            "candidates": 1, "attempts": 2, "jobs": 1, "probe": False, "search_s": 0, **options
        }  # fmt: skip

        def model(name):
            self.asked_models.append(name)
            return Model(self.backend, InstructStyle())

        self.talk = Conversation(
            self.session, SolveOptions(out=sessions, **chosen), model, self.out.write
        )

    def say(self, *lines) -> str:
        """What is printed in answer to `lines`."""
        start = self.out.tell()
        feed = PipedLines(io.StringIO("\n".join(lines) + "\n"))
        self.code = ChatLoop(self.talk, feed, self.out.write).run()
        return self.out.getvalue()[start:]

    def design(self) -> str:
        return self.session.design_path.read_text()


def test_a_first_message_makes_a_design_and_says_what_was_not_shown(tmp_path):
    talk = Talk(tmp_path, PLAIN)
    said = talk.say(INVERTER)
    assert "assign y = ~a;" in said  # the draft, as it streamed
    assert "compiles: inv: " in said
    assert "nothing was simulated" in said
    assert talk.design() == PLAIN
    assert talk.code is ExitCode.REACHED


def test_a_spec_file_brings_its_checks(tmp_path):
    spec = tmp_path / "inv.md"
    spec.write_text(TABLED)
    talk = Talk(tmp_path / "s", PLAIN)
    assert "verified: inv: its check passed" in talk.say(f"/spec {spec}")
    said = talk.say("/check")
    assert "passed, " in said
    assert "verified: inv" in said


def test_a_further_message_changes_the_design(tmp_path):
    talk = Talk(tmp_path, PLAIN, GATE)
    said = talk.say(INVERTER, "use a gate primitive", "/diff")
    assert talk.design() == GATE
    assert "see /diff" in said
    assert "-  assign y = ~a;" in said
    assert "+  not n(y, a);" in said
    prompt = talk.backend.prompts[1].messages[-1][1]
    assert "requested change: use a gate primitive" in prompt
    assert "assign y = ~a;" in prompt


def test_a_change_of_the_interface_is_read_from_the_words(tmp_path):
    talk = Talk(tmp_path, PLAIN, GATED)
    said = talk.say(INVERTER, "add an input `en`; y is 0 while en is 0", "/show spec")
    assert talk.design() == GATED
    assert "Change: add an input `en`" in said


def test_a_change_that_fails_is_dropped_with_its_words(tmp_path):
    spec = tmp_path / "inv.md"
    spec.write_text(TABLED)
    buffer = PLAIN.replace("~a", "a")
    talk = Talk(tmp_path / "s", PLAIN, buffer, buffer.replace("= a", "= a | a"))
    said = talk.say(f"/spec {spec}", "make it a buffer", "/show spec")
    assert "failed: inv: check" in said
    assert "stays as it was (verified)" in said
    assert talk.design() == PLAIN
    assert "buffer" not in said[said.rindex("# inv") :]
    assert talk.code is ExitCode.NOT_REACHED


def test_a_failed_first_design_is_kept_and_repaired_by_the_next_message(tmp_path):
    talk = Talk(tmp_path, WRONG, PLAIN, attempts=1)
    assert "failed: inv: " in talk.say(INVERTER)
    assert talk.session.design.verdict is Verdict.FAILED
    assert "compiles: inv" in talk.say("correct the syntax")
    assert talk.design() == PLAIN
    evidence = talk.backend.prompts[1].messages[-1][1]
    assert "error" in evidence


def test_save_writes_the_design_and_spares_what_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    talk = Talk(tmp_path / "s", PLAIN, GATE)
    assert "saved to" in talk.say(INVERTER, "/save")
    assert Path("inv.v").read_text() == PLAIN
    talk.say("use a gate primitive", "/save")  # its own file may be written again
    assert Path("inv.v").read_text() == GATE
    Path("inv.v").write_text(GATE + "// edited")
    assert "exists" in talk.say("/save")
    mine = tmp_path / "mine.v"
    mine.write_text("// mine")
    said = talk.say("/save mine.v")
    assert "exists" in said
    assert "/save! mine.v replaces it" in said
    assert talk.code is ExitCode.USAGE
    assert mine.read_text() == "// mine"
    talk.say("/save! mine.v")
    assert mine.read_text() == GATE


def test_a_session_goes_on_where_it_was(tmp_path):
    first = Talk(tmp_path, PLAIN)
    first.say(INVERTER, "/model other")
    again = Talk(tmp_path, GATE, resume="last")
    assert again.session.id == first.session.id
    assert again.session.document == first.session.document
    again.say("use a gate primitive")
    assert again.design() == GATE
    assert again.asked_models == ["other"]
    third = open_session(tmp_path, first.session.id)
    assert [t.text for t in third.turns] == [INVERTER, "use a gate primitive"]


def test_sessions_that_are_not_there_or_damaged_are_named(tmp_path):
    with pytest.raises(UsageError, match="no session 'last'"):
        open_session(tmp_path, "last")
    talk = Talk(tmp_path, PLAIN)
    talk.say(INVERTER)
    with pytest.raises(UsageError, match=r"no session '\.\./x'") as caught:
        open_session(tmp_path, "../x")
    assert talk.session.id in caught.value.remedy
    (talk.session.folder / "session.json").write_text('{"turns": 3}')
    with pytest.raises(OutputError, match=r"session\.json"):
        open_session(tmp_path, "last")


class Stopping:
    """Answers once per text, then is interrupted in the middle of an answer."""

    name, style, prefills = "stopping", "instruct", False

    def __init__(self, *answers):
        self._inner = ScriptedBackend([fenced(a) for a in answers])
        self._left = len(answers)

    def answer(self, prompt, *, n, params, on_text=None, should_stop=None):
        if self._left == 0:
            on_text(0, "module inv(input a, out")
            raise KeyboardInterrupt
        self._left -= 1
        return self._inner.answer(prompt, n=n, params=params, on_text=on_text)

    def close(self):
        pass


def test_ctrl_c_keeps_the_best_that_was_judged(tmp_path):
    talk = Talk(tmp_path, backend=Stopping(WRONG))
    said = talk.say(INVERTER)
    assert "stopped" in said
    assert "failed: inv: " in said
    assert "q q" in talk.design()
    assert talk.code is ExitCode.INTERRUPTED
    assert talk.session.turns[0].ended == "interrupted"


def test_ctrl_c_in_the_first_draft_keeps_what_streamed(tmp_path):
    talk = Talk(tmp_path, backend=Stopping())
    said = talk.say(INVERTER)
    path = Path(said.split("what was made instead: ")[1].strip())
    assert path.read_text() == "module inv(input a, out"
    assert talk.session.design is None
    talk.talk.close()
    talk.backend = ScriptedBackend([fenced(PLAIN)])
    talk.say("go on")
    assert talk.design() == PLAIN
    assert INVERTER in talk.session.document


def test_ctrl_c_in_a_change_leaves_the_design_alone(tmp_path):
    talk = Talk(tmp_path, backend=Stopping(PLAIN))
    said = talk.say(INVERTER, "use a gate primitive", "/quit")
    assert "stays as it was (compiles)" in said
    assert talk.design() == PLAIN
    assert "gate" not in talk.session.document


def test_errors_are_said_and_the_conversation_goes_on(tmp_path):
    class Down(ScriptedBackend):
        def answer(self, prompt, **rest):
            raise BackendError("server is down", remedy="start it")

    talk = Talk(tmp_path, backend=Down([]))
    said = talk.say(INVERTER)
    assert "error: server is down\n  -> start it" in said
    assert talk.code is ExitCode.MISSING
    assert talk.session.turns[0].ended == "error"
    said = talk.say("/frob", "/dif", "/diff", "/save", "/check", "/spec", "/spec no.md", "/show x")
    assert said.count("error: ") == 8
    assert "did you mean /diff?" in said
    assert "no.md: no such file" in said


def test_new_forgets_the_design(tmp_path):
    talk = Talk(tmp_path, PLAIN, GATE)
    talk.say(INVERTER, "/new", INVERTER)
    assert talk.design() == GATE
    assert len(talk.backend.prompts) == 2
    assert talk.backend.prompts[1].purpose == "draft"


def test_help_names_every_command(tmp_path):
    said = Talk(tmp_path).say("/help", "/model")
    for name in ("/check", "/diff", "/save", "/model", "/show", "/spec", "/quit"):
        assert name in said
    assert "model: as the settings say" in said


# -- the program itself --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Answers to a first message and one change of it."""
    folder = tmp_path_factory.mktemp("recording")
    path = folder / "answers.jsonl"
    inner = ScriptedBackend([fenced(PLAIN), fenced(GATE)])
    talk = Talk(folder, backend=Recorder(inner, path))
    talk.talk._options = SolveOptions(out=folder, candidates=1, search_s=0)
    talk.say(INVERTER, "use a gate primitive")
    assert talk.design() == GATE
    return path


def command(recording, folder, *more):
    code = "import sys; from rtl_agent.agent.cli.main import main; main()"
    program = [sys.executable, "-c", code, "chat"]
    options = ["--replay", str(recording), "--candidates", "1", "--no-library", *more]
    environment = {**os.environ, "HOME": str(folder), "TERM": "xterm"}
    return [*program, "--out", str(folder / "out"), *options], environment


def test_piped_lines_are_turns_and_the_exit_code_is_the_last(tmp_path, recording):
    argv, environment = command(recording, tmp_path)
    said = subprocess.run(
        argv,
        input=f"{INVERTER}\nuse a gate primitive\n/save {tmp_path}/inv.v\n",
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    assert (tmp_path / "inv.v").read_text() == GATE
    (session,) = (tmp_path / "out" / "sessions").glob("*/session.json")
    assert [t["verdict"] for t in json.loads(session.read_text())["turns"]] == [
        "compiles",
        "compiles",
    ]


READY = "\x1b[?2004h"  # the editor turns bracketed paste on when it begins to read


class Terminal:
    """The program on a pseudo-terminal."""

    def __init__(self, argv, environment, cwd):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execve(argv[0], argv, environment)
        self.seen = ""

    def wait(self, text, seconds=90):
        """Read until `text` is on the screen."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            assert ready, f"{text!r} did not come; on the screen: {self.seen[-2000:]}"
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            assert data, f"ended before {text!r}: {self.seen[-2000:]}"
            if b"\x1b[6n" in data:  # where is the cursor?
                os.write(self.fd, b"\x1b[1;1R")
            self.seen += data.decode("utf-8", "replace")
        self.seen = self.seen.partition(text)[2]

    def type(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def test_on_a_terminal_with_completion_ctrl_c_and_ctrl_d(tmp_path, recording):
    argv, environment = command(recording, tmp_path)
    screen = Terminal(argv, environment, tmp_path)
    try:
        screen.wait(READY)
        screen.type(INVERTER + "\r")
        screen.wait("compiles: inv")
        screen.wait(READY)
        screen.type("half a thou\x03")  # at the prompt: the line is dropped
        screen.wait("ends the session")
        screen.wait(READY)
        screen.type("/sh\t")
        screen.wait("/show")
        screen.type("\r")
        screen.wait("endmodule")
        screen.wait(READY)
        screen.type("\x04")
        screen.wait("chat --resume ")
    except BaseException:
        os.kill(screen.pid, signal.SIGKILL)
        raise
    finally:
        code = screen.end()
    assert code == 0
    assert INVERTER in (tmp_path / "out" / "sessions" / "history").read_text()


def test_known_designs_are_not_called_the_current_one():
    out = io.StringIO()
    stream = Stream(out.write)
    good = events.CandidateJudged(0, 1, "verified", "", "fine")
    for event in (good, events.Retrieved(("mux",)), events.StepStarted("reuse", 0), good):
        stream.event(event)
    assert out.getvalue().splitlines() == [
        "[current design: verified: fine]",
        "[nearest known-good design: mux]",
        "[known-good design 1: verified: fine]",
    ]
