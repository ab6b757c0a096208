"""The loop from a design that is already there: judged first, then repaired or changed."""

from __future__ import annotations

import os
import signal
import warnings
from functools import partial

import pytest
from loop_kit import (
    BAD_INVERTER,
    GOOD_INVERTER,
    ByPurpose,
    FakeToolbox,
    fenced,
    inverter_spec,
    run_loop,
)
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.errors import UsageError
from rtl_agent.agent.graph import session  # noqa: F401 - imported once, before any fork
from rtl_agent.agent.graph.given import whole_design
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.agent.verdict import Verdict

OTHER_INVERTER = "module inv(input a, output y);\n  not n(y, a);  // ~a\nendmodule\n"
WISH = "use a gate primitive"


def run(out, backend, text, *, request="", toolbox=None, on_event=None, given=True, **options):
    design = out / "mine.v"
    design.write_text(text)
    return solve(
        inverter_spec("one"),
        SolveOptions(out=out / "out", **{"jobs": 1, "probe": False, "candidates": 1, **options}),
        backend,
        InstructStyle(),
        None,
        toolbox=toolbox or FakeToolbox(),
        given=[design] if given else None,
        request=request,
        on_event=on_event,
    )


def test_a_given_design_that_is_good_asks_no_model(tmp_path):
    result = run(tmp_path, ScriptedBackend([]), GOOD_INVERTER)
    assert (result.verdict, result.stop_reason) == (Verdict.VERIFIED, StopReason.REACHED)
    assert [a.phase for a in result.attempts] == ["given"]
    assert result.rtl.read_text() == GOOD_INVERTER
    assert (tmp_path / "mine.v").read_text() == GOOD_INVERTER


def test_a_given_design_that_falls_short_is_repaired_with_its_evidence(tmp_path):
    backend = ScriptedBackend([fenced(GOOD_INVERTER)])
    result = run(tmp_path, backend, BAD_INVERTER, attempts=1)
    assert [a.phase for a in result.attempts] == ["given", "repair"]
    assert result.verdict is Verdict.VERIFIED
    prompt = backend.prompts[0].messages[-1][1]
    assert "assign y = a;" in prompt
    assert "first mismatch" in prompt
    assert (tmp_path / "mine.v").read_text() == BAD_INVERTER


def test_a_model_that_repeats_the_given_fault_is_not_judged_again(tmp_path):
    toolbox = FakeToolbox()
    result = run(
        tmp_path,
        ScriptedBackend([fenced(BAD_INVERTER)], repeat_last=True),
        BAD_INVERTER,
        toolbox=toolbox,
    )
    assert (result.verdict, result.stop_reason) == (Verdict.FAILED, StopReason.STALLED)
    assert len(toolbox.judged) == 3  # screen, lint and the one check, once


def test_a_request_stands_although_the_given_design_is_good(tmp_path):
    backend = ScriptedBackend([fenced(OTHER_INVERTER)])
    result = run(tmp_path, backend, GOOD_INVERTER, request=WISH)
    assert result.verdict is Verdict.VERIFIED
    assert result.rtl.read_text() == OTHER_INVERTER
    prompt = backend.prompts[0].messages[-1][1]
    assert f"requested change: {WISH}" in prompt


def test_a_request_nobody_fulfilled_does_not_hand_back_the_given_design(tmp_path):
    backend = ScriptedBackend([fenced(GOOD_INVERTER)], repeat_last=True)
    result = run(tmp_path, backend, GOOD_INVERTER, request=WISH)
    assert (result.verdict, result.rtl) == (Verdict.FAILED, None)
    assert "gave back" in result.reason


def test_a_change_that_broke_something_is_repaired_from_the_change(tmp_path):
    broken = OTHER_INVERTER.replace("not n(y, a);  // ~a", "buf n(y, a);")
    backend = ScriptedBackend([fenced(broken), fenced(OTHER_INVERTER)])
    result = run(tmp_path, backend, GOOD_INVERTER, request=WISH)
    assert result.verdict is Verdict.VERIFIED
    second = backend.prompts[1].messages[-1][1]
    assert "buf n(y, a);" in second
    assert second.index(WISH) < second.index("first mismatch")


def test_a_fresh_draft_is_told_of_the_request(tmp_path):
    bad = [fenced(BAD_INVERTER + f"// {i}\n").replace("= a", "= a" + " & 1" * i) for i in range(6)]
    backend = ScriptedBackend(bad)
    run(tmp_path, backend, GOOD_INVERTER, request=WISH, attempts=6)
    drafts = [p for p in backend.prompts if p.purpose == "draft"]
    assert drafts
    assert WISH in drafts[0].messages[-1][1]


def test_a_request_without_a_design_is_refused(tmp_path):
    with pytest.raises(UsageError, match="needs a design"):
        run(tmp_path, ScriptedBackend([]), "", given=False, request=WISH)


def test_a_given_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"nothing\.v"):
        solve(
            inverter_spec("one"),
            SolveOptions(out=tmp_path, search_s=0),
            ScriptedBackend([]),
            InstructStyle(),
            None,
            toolbox=FakeToolbox(),
            given=[tmp_path / "nothing.v"],
        )


@pytest.mark.parametrize("request_", ["", WISH])
def test_killed_and_resumed_it_goes_on_from_its_own_copy(tmp_path, request_):
    def go(out, point, resume=""):
        backend = ByPurpose(out / "log", point, repair_mismatch=fenced(OTHER_INVERTER))
        return run_given(out, backend, point, resume)

    def run_given(out, backend, point, resume):
        toolbox = FakeToolbox(out / "log", point)
        text = "gone" if resume else BAD_INVERTER
        extra = {"given": False} if resume else {"request": request_}
        return run(out, backend, text, toolbox=toolbox, on_event=point, resume=resume, **extra)

    for at in range(1, 60, 9):
        out = tmp_path / str(at)
        out.mkdir()
        if not _killed(partial(go, out, _Killer(at))):
            break
        (folder,) = (out / "out" / "runs").iterdir()
        result = go(out, lambda _: None, folder.name)
        assert result.verdict is Verdict.VERIFIED
        done = (out / "log").read_text().splitlines()
        assert len(done) == len(set(done)) == 7
    assert at > 20


class _Killer:
    def __init__(self, at):
        self.left = at

    def __call__(self, _event):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def _killed(work) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads; none run here
        pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def test_a_run_that_a_budget_ended_goes_on(tmp_path):
    backend = ScriptedBackend([fenced(BAD_INVERTER.replace("= a", "= a | 0"))])
    first = run(tmp_path, backend, BAD_INVERTER, attempts=1)
    assert first.stop_reason is StopReason.ATTEMPTS
    backend = ScriptedBackend([fenced(GOOD_INVERTER)])
    again = run(tmp_path, backend, "gone", given=False, attempts=2, resume=first.run_id)
    assert again.verdict is Verdict.VERIFIED


def test_modules_that_an_answer_leaves_out_come_from_the_given_design():
    spec = inverter_spec("one")
    base = (
        "module inv(input a, output y);\n  part p(a, y);\nendmodule\n"
        "module part(input a, output y);\n  assign y = a;\nendmodule\n"
    )
    top = "module inv(input a, output y);\n  part q(.a(a), .y(y));\nendmodule\n"
    whole = whole_design(top, base, spec)
    assert "part q" in whole
    assert "part p" not in whole
    assert "module part" in whole
    alone = "module inv(input a, output y);\n  assign y = ~a;\nendmodule\n"
    assert whole_design(alone, base, spec) == alone
    assert whole_design("", base, spec) == ""


def test_a_run_without_a_given_design_is_as_before(tmp_path):
    result = run_loop(tmp_path, inverter_spec("one"), ScriptedBackend([fenced(GOOD_INVERTER)]))
    assert [a.phase for a in result.attempts] == ["draft"]
