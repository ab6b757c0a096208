"""The text level: streaming, stop strings, samples, chat templates, loading, errors."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import torch
from engine_models import VERILOG, text_model, tokenizer
from rtl_agent.decoding.api import FinishReason, Mode, SamplingParams
from rtl_agent.decoding.drafters.table import tokenizer_fingerprint
from rtl_agent.decoding.drafters.table_build import build_table
from rtl_agent.decoding.errors import HeadsMismatch, ModelMissing, ModelUnusable, PromptTooLong
from rtl_agent.decoding.models.assemble import assemble
from rtl_agent.decoding.models.detokenize import TextStream
from rtl_agent.decoding.models.load import load_generator
from rtl_agent.decoding.models.options import Speculation

PLAIN = Speculation(drafters=())
DEFAULT = Speculation()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("model")
    text_model().save_pretrained(path)
    tokenizer().save_pretrained(path)
    return path


def generator(speculation=DEFAULT, **kwargs):
    return assemble("tiny", text_model(), tokenizer(), speculation, **kwargs)


def test_a_saved_model_loads_and_decodes_exactly(folder):
    params = SamplingParams(max_new_tokens=50)
    plain = load_generator(str(folder), speculation=PLAIN).generate("module m", params=params)[0]
    drafted = load_generator(str(folder)).generate("module m", params=params, hints=[plain.text])
    assert drafted[0].token_ids == plain.token_ids
    assert drafted[0].text == plain.text
    assert (plain.stats.mode, drafted[0].stats.mode) == (Mode.PLAIN, Mode.EXACT_GREEDY)
    assert drafted[0].stats.target_passes < plain.stats.target_passes
    assert drafted[0].stats.accepted_by["lookup"] > 0


def test_streamed_pieces_are_the_text_and_complete_utf8():
    params = SamplingParams(max_new_tokens=80, temperature=1.2, seed=3)
    pieces = {0: [], 1: [], 2: []}
    done = generator().generate(
        "assign", n=3, params=params, on_text=lambda i, piece: pieces[i].append(piece)
    )
    for index, completion in enumerate(done):
        assert "".join(pieces[index]) == completion.text
        assert len(pieces[index]) > 3
        decoded = tokenizer().decode(completion.token_ids, skip_special_tokens=True)
        assert completion.text == decoded
    assert len({completion.text for completion in done}) == 3


def test_a_character_of_two_tokens_is_shown_when_it_is_complete():
    ids = tokenizer()("xé", add_special_tokens=False)["input_ids"]
    raw = [tokenizer().convert_tokens_to_ids(c) for c in ("x", "Ã", "©")]
    assert tokenizer().decode(raw) == "xé"
    stream = TextStream(tokenizer())
    shown = []
    for token in raw:
        stream.push([token])
        shown.append(stream.take())
    assert shown == ["x", "", "é"]
    assert stream.finish() == ""
    assert len(ids) in (2, 3)
    cut = TextStream(tokenizer())
    cut.push(raw[:2])
    assert cut.take() == "x"
    assert cut.finish() == "\ufffd"


def push_text(stream, text):
    shown = ""
    for token in tokenizer()(text, add_special_tokens=False)["input_ids"]:
        used = stream.push([token])
        shown += stream.take()
        if used is not None:
            break
    return shown


def test_a_stop_string_is_never_shown_not_even_its_beginning():
    stream = TextStream(tokenizer(), ("endmodule\n", "###"))
    shown = push_text(stream, VERILOG + "more")
    assert stream.stopped
    assert shown == VERILOG.removesuffix("endmodule\n") == stream.text
    stream = TextStream(tokenizer(), ("#x#",))
    shown = push_text(stream, "a #x b #x")
    assert not stream.stopped
    assert shown == "a #x b "
    assert shown + stream.finish() == "a #x b #x"


def test_stop_strings_inside_accepted_blocks():
    free = generator(PLAIN).generate("reg", params=SamplingParams(max_new_tokens=60))[0]
    stop = free.text[20:23]
    at = free.text.find(stop)
    params = SamplingParams(max_new_tokens=60, stop=(stop,))
    plain = generator(PLAIN).generate("reg", params=params)[0]
    drafted = generator(Speculation(adaptive=False)).generate(
        "reg", params=params, hints=[free.text]
    )[0]
    for done in (plain, drafted):
        assert done.text == free.text[:at]
        assert done.finish is FinishReason.STOP
        assert stop in tokenizer().decode(done.token_ids)
    assert plain.token_ids == drafted.token_ids


def test_samples_repeat_with_the_seed_and_share_the_first():
    params = SamplingParams(max_new_tokens=20, temperature=1.0, seed=9)
    three = generator().generate("wire", n=3, params=params)
    assert [d.text for d in generator().generate("wire", n=3, params=params)] == [
        d.text for d in three
    ]
    assert generator(PLAIN).generate("wire", params=params)[0].text == three[0].text
    other = SamplingParams(max_new_tokens=20, temperature=1.0, seed=10)
    assert generator().generate("wire", params=other)[0].text != three[0].text


def test_cancelling_ends_every_sample():
    calls = []

    def should_stop():
        calls.append(1)
        return len(calls) > 3

    done = generator(PLAIN).generate("x", n=2, should_stop=should_stop)
    assert {d.finish for d in done} == {FinishReason.CANCELLED}
    assert {d.stats.target_passes for d in done} == {3}


def test_a_prompt_beyond_the_context_is_an_error():
    with pytest.raises(PromptTooLong, match="4096"):
        generator().generate("x " * 4300)


def test_the_answer_is_cut_at_the_context():
    prompt = "x" * 4000
    count = len(tokenizer()(prompt)["input_ids"])
    done = generator().generate(prompt, params=SamplingParams(max_new_tokens=500))[0]
    assert count + len(done.token_ids) <= 4096


def test_a_missing_chat_template_is_an_error():
    with pytest.raises(ModelUnusable, match="no chat template"):
        generator().chat_prompt([("user", "hi")])


def test_a_chat_template_is_rendered_with_prefill_and_one_start_token():
    made = tokenizer().__class__(tokenizer_object=tokenizer().backend_tokenizer, bos_token="<s>")
    made.chat_template = (
        "<s>{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
        "{% if add_generation_prompt %}[assistant]{% endif %}"
    )
    chat = assemble("tiny", text_model(), made, PLAIN)
    text = chat.chat_prompt([("system", "s"), ("user", "u")], prefill="module")
    assert text == "<s>[system]s[user]u[assistant]module"
    assert chat.encode(text).count(1) == 1


@pytest.mark.parametrize("name", ["/no/such/folder", "./nowhere", "not a name at all"])
def test_a_missing_model_is_an_error(name):
    with pytest.raises(ModelMissing) as caught:
        load_generator(name)
    assert caught.value.remedy


def test_an_unreachable_hub_is_an_error(monkeypatch):
    import huggingface_hub

    def refuse(*args, **kwargs):
        raise OSError("no route")

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", refuse)
    with pytest.raises(ModelMissing, match="cannot be reached") as caught:
        load_generator("some-owner/some-model")
    assert "embedded" in caught.value.remedy


def test_folders_that_are_no_model_are_an_error(tmp_path, folder):
    with pytest.raises(ModelUnusable, match=r"config\.json"):
        load_generator(str(tmp_path))
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    with pytest.raises(ModelUnusable):
        load_generator(str(tmp_path))
    with pytest.raises(ModelUnusable, match="dtype 'int8'"):
        load_generator(str(folder), dtype="int8")
    if not torch.cuda.is_available():
        with pytest.raises(ModelUnusable, match="device 'cuda'"):
            load_generator(str(folder), device="cuda")


def test_a_table_beside_the_model_is_used_and_checked(folder, tmp_path):
    ids = tokenizer()(VERILOG)["input_ids"]
    good = tmp_path / "good.bin"
    fingerprint = tokenizer_fingerprint(tokenizer())
    build_table([ids], good, vocabulary=len(tokenizer()), fingerprint=fingerprint)
    assert [d.name for d in generator(table=good).engine.drafters] == ["lookup", "corpus"]
    bad = tmp_path / "bad.bin"
    build_table([ids], bad, vocabulary=len(tokenizer()), fingerprint="other")
    with pytest.raises(HeadsMismatch):
        generator(table=bad)


def test_options_that_do_not_fit_are_errors():
    for options, match in [
        (Speculation(drafters=("guess",)), "no drafter 'guess'"),
        (Speculation(drafters=("heads",)), "needs a heads file"),
        (Speculation(drafters=("draft-model",)), "needs a draft model"),
        (Speculation(grammar="verilog", typical=True), "typical"),
    ]:
        with pytest.raises(ModelUnusable, match=match):
            generator(options)
    with pytest.raises(ModelUnusable, match="tokenizer has"):
        small = text_model().__class__(
            text_model().config.__class__(
                **{
                    **text_model().config.to_dict(),
                    "vocab_size": 50,
                }
            )
        )
        assemble("tiny", small, tokenizer(), PLAIN)


@pytest.mark.parametrize("integrity", [False, True])
def test_typical_acceptance_names_itself_and_makes_progress(integrity):
    options = Speculation(typical=True, integrity=integrity, adaptive=False)
    params = SamplingParams(max_new_tokens=40, temperature=1.0)
    done = generator(options).generate(VERILOG[:60], n=2, params=params, hints=[VERILOG])
    for completion in done:
        assert completion.stats.mode is Mode.TYPICAL
        assert len(completion.token_ids) == 40 or completion.finish is FinishReason.EOS
        assert completion.stats.target_passes <= len(completion.token_ids)


def test_shaping_does_not_change_exact_output():
    params = SamplingParams(max_new_tokens=40)
    plain = generator(PLAIN).generate("initial", params=params)[0]
    options = Speculation(shape=True, adaptive=False)
    shaped = generator(options).generate("initial", params=params, hints=[plain.text, VERILOG])[0]
    assert shaped.token_ids == plain.token_ids


def test_importing_the_text_level_does_not_import_torch():
    code = (
        "import sys, rtl_agent.decoding.api, rtl_agent.decoding.models.load;"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
