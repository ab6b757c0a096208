"""A recorded run is given back call for call, and a wrong recording says what is wrong with it."""

from __future__ import annotations

import json

import pytest
from loop_kit import BAD_INVERTER, GOOD_INVERTER, ByPurpose, fenced, inverter_spec, run_loop
from rtl_agent.agent.backends.base import Answer, Prompt
from rtl_agent.agent.backends.replay import Recorder, ReplayBackend
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.errors import BackendError, MissingError, OutputError
from rtl_agent.agent.verdict import Verdict
from rtl_agent.decoding.api import DecodeStats, FinishReason, Mode, SamplingParams

ASK = Prompt("draft", messages=(("user", "one"),))
OTHER = Prompt("draft", messages=(("user", "two"),))


def record(path, *calls):
    """Record calls `(prompt, seed, text)`."""
    backend = Recorder(ScriptedBackend([text for _, _, text in calls]), path)
    for prompt, seed, _ in calls:
        backend.answer(prompt, n=1, params=SamplingParams(seed=seed))
    return path


def ask(backend, prompt=ASK, seed=0, n=1):
    return backend.answer(prompt, n=n, params=SamplingParams(seed=seed))[0].text


def test_a_whole_run_replays_to_the_same_verdict(tmp_path):
    model = ByPurpose(draft=fenced(BAD_INVERTER), repair_mismatch=fenced(GOOD_INVERTER))
    spec = inverter_spec("t")
    first = run_loop(tmp_path / "a", spec, Recorder(model, tmp_path / "run.jsonl"), candidates=2)
    again = run_loop(tmp_path / "b", spec, ReplayBackend(tmp_path / "run.jsonl"), candidates=2)
    assert first.verdict is again.verdict is Verdict.VERIFIED
    assert first.attempts == again.attempts
    assert again.decoding.new_tokens == first.decoding.new_tokens
    assert again.decoding.backend == "replay of by-purpose"


def test_everything_of_an_answer_survives(tmp_path):
    stats = DecodeStats(Mode.EXACT_GREEDY, 5, 6, 2, accepted_by={"lookup": 4})
    answer = Answer("é\n`x`", FinishReason.LENGTH, stats)
    recorder = Recorder(ScriptedBackend([answer]), tmp_path / "r.jsonl")
    recorder.answer(ASK, n=1, params=SamplingParams())
    replay = ReplayBackend(tmp_path / "r.jsonl")
    assert replay.answer(ASK, n=1, params=SamplingParams()) == (answer,)


def test_the_same_seed_is_preferred_and_none_is_used_twice(tmp_path):
    path = record(tmp_path / "r.jsonl", (ASK, 1, "first"), (ASK, 2, "second"))
    replay = ReplayBackend(path)
    assert ask(replay, seed=2) == "second"
    assert ask(replay, seed=9) == "first"
    with pytest.raises(BackendError, match="all 2 recorded answers to `draft`"):
        ask(replay, seed=9)


def test_another_prompt_is_refused_unless_wording_does_not_matter(tmp_path):
    path = record(tmp_path / "r.jsonl", (ASK, 1, "text"))
    with pytest.raises(BackendError, match=r"r\.jsonl:2: call 1 .* another prompt") as caught:
        ask(ReplayBackend(path), OTHER)
    assert "record it again" in caught.value.remedy
    assert ask(ReplayBackend(path, strict=False), OTHER) == "text"


def test_more_answers_than_recorded_is_refused(tmp_path):
    path = record(tmp_path / "r.jsonl", (ASK, 1, "text"))
    with pytest.raises(BackendError, match="1 answers are recorded, 3 wanted"):
        ask(ReplayBackend(path), n=3)


def test_purpose_that_was_never_recorded(tmp_path):
    path = record(tmp_path / "r.jsonl", (ASK, 1, "text"))
    with pytest.raises(BackendError, match="all 0 recorded answers to `repair-compile`"):
        ask(ReplayBackend(path), Prompt("repair-compile", raw="x"))


def test_a_resumed_recording_goes_on(tmp_path):
    path = record(tmp_path / "r.jsonl", (ASK, 1, "first"))
    recorder = Recorder(ScriptedBackend(["second"]), path, append=True)
    recorder.answer(ASK, n=1, params=SamplingParams(seed=2))
    calls = [json.loads(line) for line in path.read_text().splitlines()][1:]
    assert [c["sequence"] for c in calls] == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json\n", r"r\.jsonl:1: not a recorded call"),
        ('{"purpose": "draft"}\n', r"r\.jsonl:1: not a recorded call"),
        ('{"schema_version": 99}\n', "recorded in format 99"),
        ("[1]\n", r"r\.jsonl:1: not a recorded call"),
    ],
)
def test_damaged_recordings_name_the_line(tmp_path, text, message):
    (tmp_path / "r.jsonl").write_text(text)
    with pytest.raises(BackendError, match=message):
        ReplayBackend(tmp_path / "r.jsonl")


def test_missing_and_unreadable_recordings(tmp_path):
    with pytest.raises(MissingError, match="no recording there"):
        ReplayBackend(tmp_path / "none.jsonl")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BackendError, match="not text"):
        ReplayBackend(tmp_path / "binary")


def test_recording_to_an_impossible_place(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        Recorder(ScriptedBackend([]), tmp_path / "file" / "r.jsonl")
