"""Draft heads: labels by hand, cached states, training on a tiny model, faithful decoding."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from rtl_agent.decoding.drafters.heads import HeadsDrafter
from rtl_agent.decoding.drafters.heads_model import load_heads
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine.loop import Engine
from rtl_agent.decoding.engine.state import Request
from rtl_agent.decoding.engine.target import CausalTarget
from rtl_agent.decoding.errors import TrainingError
from rtl_agent.decoding.fragments.tracker import fragment_ends
from rtl_agent.decoding.training.data import load_samples
from rtl_agent.decoding.training.heads.api import make_heads
from rtl_agent.decoding.training.heads.config import HeadsTrainConfig
from rtl_agent.decoding.training.heads.labels import (
    IGNORED,
    head_labels,
    lexer_ends,
    marker_ends,
    plain_ends,
)
from rtl_agent.decoding.training.heads.states import OWN, StatesFile, collect, load_states
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

X = IGNORED
WORDS = "pad eos module a b c d y assign = ; + - endmodule begin end".split()


def test_lexer_labels_of_a_worked_example() -> None:
    # a model's tokens, not Verilog's: `counter` and `<=` come in two pieces each
    pieces = ["coun", "ter", " <", "=", " a", ";", ""]
    ids = np.arange(10, 17)
    ends = lexer_ends(pieces)
    # `coun` and ` <` may go on; everything else is whole, the end of the sequence too
    assert ends.tolist() == [False, True, False, True, True, True, True]
    # position 0 (the state `coun` is chosen from): heads see `ter`, ` <`, `=` → all kept, `=` ends
    # position 1: ` <`, `=`, ` a`;  2: `=`, ` a`, `;`;  3: ` a`, `;`, eos;  4: `;`, eos;  5: eos
    assert head_labels(ids, ends, 3).tolist() == [
        [11, 12, 13],
        [12, 13, 14],
        [13, 14, 15],
        [14, 15, 16],
        [15, 16, X],
        [16, X, X],
        [X, X, X],
    ]
    # with two heads, position 0 sees `ter`, ` <`: the second would leave `<=` incomplete; of
    # position 1 both are kept, as the `=` behind the ` <` is in reach
    assert head_labels(ids, ends, 2).tolist() == [
        [11, X],
        [12, 13],
        [13, 14],
        [14, 15],
        [15, 16],
        [16, X],
        [X, X],
    ]
    # one head: a label that ends no fragment is never learned
    assert head_labels(ids, ends, 1)[:, 0].tolist() == [11, X, 13, 14, 15, 16, X]


def test_marker_labels_of_a_worked_example() -> None:
    # `F` is the marker: module F top F ; eos, the name in two pieces
    f = 9
    ids = np.array([1, f, 2, 3, f, 4, 0])
    ends = marker_ends(ids, f)
    assert ends.tolist() == [False, True, False, False, True, False, True]
    assert head_labels(ids, ends, 3).tolist() == [
        [f, X, X],  # behind the marker `to` and `p` would stand without their end
        [2, 3, f],
        [3, f, X],
        [f, 4, 0],
        [4, 0, X],
        [0, X, X],
        [X, X, X],
    ]


def test_medusa_masks_nothing_but_the_end() -> None:
    ids = np.array([5, 6, 7])
    assert head_labels(ids, plain_ends(ids), 2).tolist() == [[6, 7], [7, X], [X, X]]
    assert head_labels(ids[:0], plain_ends(ids[:0]), 2).shape == (0, 2)
    assert lexer_ends([]).shape == (0,)


def test_fragment_ends_are_those_of_the_decoder() -> None:
    text = "  reg [3:0] q; // note\n  always @(posedge clk) q <= 4'b10_01 & {a,b};\n`define X 1\n"
    for size in (1, 2, 3, 5):
        pieces = [text[i : i + size] for i in range(0, len(text), size)]
        assert lexer_ends(pieces).tolist() == fragment_ends(pieces)


@pytest.fixture(scope="module")
def tiny() -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    core = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="pad"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="eos", pad_token="pad")
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(WORDS), hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=96,
        eos_token_id=1, pad_token_id=0,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    # a model that has something to predict: it learns the answers by heart
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    rows = torch.tensor([tokenizer(" ".join(pair) + " eos").input_ids for pair in texts()])
    for _ in range(60):
        optimizer.zero_grad()
        model(input_ids=rows, labels=rows).loss.backward()
        optimizer.step()
    return model.eval(), tokenizer


def texts() -> list[tuple[str, str]]:
    return [
        (f"module {x} ;", f"assign y = {x} + {x} ; begin assign y = {x} ; end endmodule")
        for x in "abcd"
    ]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    rows = [{"prompt": prompt, "answer": answer} for prompt, answer in texts() * 4]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


SETTINGS = HeadsTrainConfig(
    heads=3, vocabulary=14, samples=16, rows=4, epochs=120, positions=128, held=0.2,
    learning_rate=0.01,
)  # fmt: skip


COLLECT = {
    "eos": 1, "rows": 2, "own": 1.0, "prompts": True, "max_new": 12, "minutes": 1, "seed": 1,
    "log": lambda _line: None,
}  # fmt: skip


def test_states_are_those_of_the_model(tiny, pairs: Path, tmp_path: Path) -> None:
    model, tokenizer = tiny
    samples = load_samples(pairs, tokenizer, 90)[:3]
    states = collect(model, samples, StatesFile(tmp_path / "s.safetensors", {"a": "b"}), **COLLECT)
    assert len(states.starts) == 1 + 9  # of each pair: corpus answer, own answer, prompt
    for number, (begin, end) in enumerate(
        zip(states.starts[:-1].tolist(), states.starts[1:].tolist(), strict=True)
    ):
        group = int(states.groups[number])
        ids = states.ids[begin:end]
        kind = int(states.kinds[number])
        prompt = () if kind == 2 else samples[group].prompt
        first = samples[group].prompt[:1] if kind == 2 else ()
        whole = torch.tensor([[*prompt, *first, *ids.tolist()]])
        with torch.no_grad():
            hidden = model.model(whole).last_hidden_state[0]
        wanted = hidden[len(prompt) + len(first) - 1 :][: len(ids)]
        last = -1 if kind == OWN else len(ids)  # nothing follows: not kept
        assert torch.allclose(states.hidden[begin:end][:last].float(), wanted[:last], atol=0.03)
        if kind == OWN:  # greedy: each token is what its state says
            chosen = model.lm_head(wanted[:last]).argmax(-1)
            assert torch.equal(chosen, ids[:last])
    again, pairs_done = load_states(tmp_path / "s.safetensors", {"a": "b"})
    assert pairs_done == 3
    assert torch.equal(again.ids, states.ids)
    assert load_states(tmp_path / "s.safetensors", {"a": "c"}) is None


def test_states_are_gone_on_with(tiny, pairs: Path, tmp_path: Path) -> None:
    model, tokenizer = tiny
    samples = load_samples(pairs, tokenizer, 90)[:4]
    path = tmp_path / "s.safetensors"
    collect(model, samples[:2], StatesFile(path, {}), **COLLECT)
    lines: list[str] = []
    file = StatesFile(path, {})
    assert file.pairs == 2
    states = collect(model, samples, file, **COLLECT | {"log": lines.append})
    assert [json.loads(line)["pairs"] for line in lines] == [4]  # one batch, not two
    whole = collect(model, samples, StatesFile(tmp_path / "w", {}), **COLLECT)
    assert torch.equal(states.ids, whole.ids)
    assert torch.equal(states.groups, whole.groups)
    assert StatesFile(path, {"other": "model"}).pairs == 0
    path.write_bytes(b"cut short")
    assert StatesFile(path, {}).pairs == 0
    with pytest.raises(TrainingError, match="no answer fits"):
        collect(model, samples, StatesFile(path, {}), **COLLECT | {"minutes": -1})


def test_trained_heads_draft_well_and_change_nothing(tiny, pairs: Path, tmp_path: Path) -> None:
    model, tokenizer = tiny
    before = {name: value.clone() for name, value in model.state_dict().items()}
    lines: list[str] = []
    report = make_heads(model, tokenizer, pairs, tmp_path / "run", SETTINGS, log=lines.append)
    assert report.hits[0] > 0.8
    assert 0.0 <= report.masked < 0.2
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    heads = load_heads(tmp_path / "run" / "heads.safetensors", model)
    passes = {}
    for name, drafters in (("plain", []), ("heads", [HeadsDrafter(heads, model)])):
        target = CausalTarget(model, want_hidden=bool(drafters))
        rows = []
        asked = [
            Request(tuple(tokenizer(prompt).input_ids), 24, eos=frozenset([1]))
            for prompt, _ in texts()
        ]
        for _ in Engine(target, drafters=drafters, adaptive=False).run(asked, rows=rows):
            pass
        passes[name] = (
            [row.tokens for row in rows],
            sum(row.stats.target_passes for row in rows),
        )
    assert passes["heads"][0] == passes["plain"][0]
    assert passes["heads"][1] < 0.5 * passes["plain"][1]
    # a further training may start from these heads
    more = HeadsTrainConfig(
        **{**vars_of(SETTINGS), "epochs": 1, "learning_rate": 1e-5,
           "init": str(tmp_path / "run" / "heads.safetensors")}
    )  # fmt: skip
    assert make_heads(model, tokenizer, pairs, tmp_path / "run", more).hits[0] > 0.8
    # the states are there: a second training with another form computes none
    lines.clear()
    again = HeadsTrainConfig(**{**vars_of(SETTINGS), "form": "none", "epochs": 1})
    make_heads(model, tokenizer, pairs, tmp_path / "run", again, log=lines.append)
    assert not any("pairs" in json.loads(line) for line in lines)


def vars_of(config: HeadsTrainConfig) -> dict:
    return {name: getattr(config, name) for name in HeadsTrainConfig.__slots__}


def test_the_same_seed_and_states_give_the_same_heads(tiny, pairs: Path, tmp_path: Path) -> None:
    short = HeadsTrainConfig(**{**vars_of(SETTINGS), "epochs": 3})
    files = []
    for _ in range(2):
        make_heads(*tiny, pairs, tmp_path / "run", short)
        files.append((tmp_path / "run" / "heads.safetensors").read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"form": "nope"}, "no form 'nope'"),
        ({"form": "marker", "marker": "<frag>"}, "no token '<frag>'"),
        ({"init": "/nowhere"}, "no heads of this shape"),
        ({"max_answer": 2}, "no answer of at most 2 tokens"),
    ],
)
def test_wrong_options_are_named(tiny, pairs: Path, tmp_path: Path, change, said: str) -> None:
    config = HeadsTrainConfig(**{**vars_of(SETTINGS), **change})
    with pytest.raises(TrainingError, match=said):
        make_heads(*tiny, pairs, tmp_path / "run", config)


def test_a_loss_that_is_not_a_number_stops(tiny, pairs: Path, tmp_path: Path) -> None:
    config = HeadsTrainConfig(**{**vars_of(SETTINGS), "learning_rate": 1e30, "epochs": 5})
    with pytest.raises(TrainingError, match="the loss became"):
        make_heads(*tiny, pairs, tmp_path / "run", config)
    assert not (tmp_path / "run" / "heads.safetensors").exists()


def test_replayed_answers_take_the_passes_of_the_model(
    tiny, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    from heads import Answer, replay

    model, tokenizer = tiny
    short = HeadsTrainConfig(**{**vars_of(SETTINGS), "epochs": 20})
    make_heads(model, tokenizer, pairs, tmp_path / "run", short)
    heads = load_heads(tmp_path / "run" / "heads.safetensors", model)
    samples = load_samples(pairs, tokenizer, 90)[:4]
    many = COLLECT | {"max_new": 40}
    states = collect(model, samples, StatesFile(tmp_path / "own", {}), **many)
    answers = []
    for number, begin in enumerate(states.starts[:-1].tolist()):
        if int(states.kinds[number]) == OWN:
            end = int(states.starts[number + 1])
            prompt = samples[int(states.groups[number])].prompt
            hidden = states.hidden[begin:end].float()
            answers.append(Answer(prompt, states.ids[begin:end].tolist(), hidden))
    found = replay(answers, [LookupDrafter(), HeadsDrafter(heads, model)], 16, len(WORDS))
    drafters = [LookupDrafter(), HeadsDrafter(heads, model)]
    target = CausalTarget(model, want_hidden=True)
    engine = Engine(target, drafters=drafters, max_nodes=16, adaptive=False)
    passes = 0
    for answer in answers:
        rows = []
        for _ in engine.run([Request(answer.prompt, len(answer.tokens))], rows=rows):
            pass
        assert list(rows[0].new_tokens) == answer.tokens
        passes += rows[0].stats.target_passes
    assert found.stats.target_passes == passes < len(found.tokens)
