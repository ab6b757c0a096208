"""The local backend hands prompts to a generator as they are meant, and turns errors into ours."""

from __future__ import annotations

import pytest
from rtl_agent.agent.backends.base import Prompt
from rtl_agent.agent.backends.factory import BackendSettings, make_backend, make_style
from rtl_agent.agent.backends.local import LocalBackend
from rtl_agent.agent.backends.openai import OpenAIBackend
from rtl_agent.agent.backends.replay import Recorder
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.errors import BackendError, ConfigError, MissingError
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.decoding.api import Completion, DecodeStats, FinishReason, SamplingParams
from rtl_agent.decoding.errors import ModelMissing, ModelUnusable, PromptTooLong
from rtl_agent.decoding.models import load


class Generator:
    """Keeps what it was asked; answers with the prompt's length."""

    name = "fake"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: list = []

    def generate(self, prompt, *, n, params, hints, on_text, should_stop):
        if self.error:
            raise self.error
        self.asked.append((prompt, n, hints))
        if on_text:
            on_text(0, "x")
        stats = DecodeStats(new_tokens=1)
        return [Completion(str(len(prompt)), (1,), FinishReason.EOS, stats) for _ in range(n)]

    def chat_prompt(self, messages, *, prefill=""):
        return "|".join(text for _, text in messages) + "|" + prefill


def test_chat_prompts_go_through_the_template_with_the_prefill():
    generator = Generator()
    backend = LocalBackend("some/model", generator=generator)
    prompt = Prompt("draft", messages=(("user", "hi"),), prefill="module", hints=("a",))
    answers = backend.answer(prompt, n=2, params=SamplingParams())
    assert [a.text for a in answers] == ["9", "9"]
    assert generator.asked == [("hi|module", 2, ("a",))]


def test_raw_prompts_are_continued_as_they_stand():
    generator = Generator()
    backend = LocalBackend(generator=generator)
    backend.answer(Prompt("draft", raw="// Task", prefill="module x"), n=1, params=SamplingParams())
    assert generator.asked[0][0] == "// Task"


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (ModelMissing("not here", remedy="fetch it"), MissingError),
        (ModelUnusable("no template", remedy="another"), BackendError),
        (PromptTooLong("too long", remedy="shorten"), BackendError),
    ],
)
def test_decoding_errors_become_ours_with_their_remedy(error, ours):
    backend = LocalBackend(generator=Generator(error))
    with pytest.raises(ours, match=error.message) as caught:
        backend.answer(Prompt("draft", raw="x"), n=1, params=SamplingParams())
    assert caught.value.remedy == error.remedy


def test_a_missing_model_is_found_out_when_it_is_first_needed(monkeypatch):
    def absent(name, *, device, dtype):
        raise ModelMissing(f"{name} is not here", remedy="rtl-agent model pull")

    monkeypatch.setattr(load, "load_generator", absent)
    backend = make_backend(BackendSettings(model="some/model"))
    with pytest.raises(MissingError, match="some/model is not here"):
        backend.answer(Prompt("draft", raw="x"), n=1, params=SamplingParams())


def test_factory_makes_each_kind_with_its_style(tmp_path):
    embedded = make_backend(BackendSettings())
    assert (embedded.name, embedded.style) == ("embedded", "embedded")
    assert isinstance(make_style(embedded), EmbeddedStyle)
    assert isinstance(make_style(make_backend(BackendSettings(model="m"))), InstructStyle)
    server = BackendSettings(kind="openai", model="m", base_url="http://localhost:1/v1")
    assert isinstance(make_backend(server), OpenAIBackend)
    recorded = make_backend(BackendSettings(record=tmp_path / "r.jsonl"))
    assert isinstance(recorded, Recorder)
    assert recorded.style == "embedded"
    again = make_backend(BackendSettings(kind="replay", replay=tmp_path / "r.jsonl"))
    assert again.style == "embedded"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (BackendSettings(kind="magic"), "'magic' is none of local, openai, replay"),
        (BackendSettings(kind="openai", model="m"), "needs a base_url"),
        (BackendSettings(kind="openai", base_url="http://x"), "needs a model"),
        (BackendSettings(kind="replay"), "needs a recording"),
    ],
)
def test_settings_that_make_no_backend(settings, message):
    with pytest.raises(ConfigError, match=message) as caught:
        make_backend(settings)
    assert caught.value.remedy


def test_a_script_that_ran_out_says_so():
    backend = ScriptedBackend(["one"])
    backend.answer(Prompt("draft"), n=1, params=SamplingParams())
    with pytest.raises(BackendError, match="1 answers and another was asked for"):
        backend.answer(Prompt("draft"), n=1, params=SamplingParams())
