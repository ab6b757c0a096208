"""`decode verify`, `decode bench` and `decode table build`, on a tiny model."""

from __future__ import annotations

import json

import pytest
import torch
from click.testing import CliRunner
from engine_models import VERILOG, text_model, tokenizer
from rtl_agent.agent.cli.decode import decode_command
from rtl_agent.decoding.engine import verify as engine_verify
from rtl_agent.decoding.errors import ModelUnusable
from rtl_agent.decoding.evaluate.bench import bench, contenders, first_of_each
from rtl_agent.decoding.evaluate.cases import Case, load_cases, many_lengths
from rtl_agent.decoding.evaluate.table import build_from_files, texts_of
from rtl_agent.decoding.evaluate.verify import Subject, combinations, verify
from rtl_agent.decoding.models.options import Speculation

CASES = [
    Case("fresh", "module m (input a);"),
    Case("fresh", "assign y = a"),
    Case("repair", VERILOG[:200] + "// again\n" + VERILOG[:60], (VERILOG,)),
]


@pytest.fixture
def table(tmp_path):
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "counter.v").write_text(VERILOG, "utf-8")
    build_from_files([tmp_path / "rtl"], tmp_path / "corpus.bin", tokenizer())
    return tmp_path / "corpus.bin"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("model")
    text_model().save_pretrained(path)
    tokenizer().save_pretrained(path)
    return path


def subject(table=None):
    return Subject("tiny", text_model(), tokenizer(), table)


def test_every_drafter_alone_and_all_together():
    assert combinations(("a", "b")) == [(), ("a",), ("b",), ("a", "b")]
    assert combinations(("a",)) == [(), ("a",)]


def test_a_faithful_engine_has_no_divergence(table):
    options = Speculation(drafters=("lookup", "corpus", "self"), exit_layer=1)
    report = verify(subject(table), CASES, options, tokens=16, batches=(1, 3))
    assert report.divergences == ()
    assert report.comparisons == 3 * 2 * 5 + 3
    assert report.as_dict()["divergences"] == 0
    assert report.dtype == "float32"


def test_an_unfaithful_engine_is_caught_with_place_and_margin(monkeypatch):
    """The verifier of this test accepts every draft: `verify` must see it."""

    def credulous(self, row, tree, logits, greedy):
        path = [0]
        while tree.children[path[-1]]:
            path.append(next(iter(tree.children[path[-1]].values())))
        return path, [*(tree.tokens[node] for node in path[1:]), greedy[path[-1]]]

    monkeypatch.setattr(engine_verify.Exact, "walk", credulous)
    options = Speculation(drafters=("lookup",), adaptive=False)
    report = verify(subject(), CASES, options, tokens=16, batches=(1,), sampling=False)
    assert report.divergences
    first = report.divergences[0]
    assert first.drafters == ("lookup",)
    assert first.margin > 0
    assert first.expected != first.found


def test_low_precision_reports_margins_and_does_not_fail(folder, tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"set": "mine", "prompt": VERILOG}) + "\n", "utf-8")
    arguments = ["verify", "--model", str(folder), "--dtype", "bfloat16", "--json"]
    arguments += ["--cases", str(cases)]
    done = CliRunner().invoke(decode_command, [*arguments, "--prompts", "4", "--tokens", "8"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["dtype"] == "bfloat16"
    assert report["divergences"] == len(report["divergence_list"])
    for divergence in report["divergence_list"]:
        assert abs(divergence["margin"]) < 1.0


def test_verify_on_the_command_line(folder, tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"set": "mine", "prompt": "assign y = "}) + "\n", "utf-8")
    arguments = ["verify", "--model", str(folder), "--cases", str(cases), "--tokens", "12"]
    done = CliRunner().invoke(decode_command, arguments, standalone_mode=False)
    assert done.return_value == 0, done.output
    assert "divergences: 0" in done.stdout


def test_bench_gives_one_table_with_every_contender(folder, table):
    options = Speculation(table=table)
    report = bench(subject(table), CASES, contenders(options, each=True), tokens=12)
    names = [line.contender for line in report.lines if line.cases == "repair"]
    assert names == [
        "generate",
        "generate+prompt-lookup",
        "engine:lookup+corpus",
        "engine:plain",
        "engine:lookup",
        "engine:corpus",
    ]
    assert all(line.equal for line in report.lines)
    assert set(report.speedup) == {"fresh", "repair"}
    plain = [line for line in report.lines if line.contender == "generate"]
    assert [line.speedup for line in plain] == [1.0, 1.0]
    for line in report.lines:
        if line.contender.startswith("engine"):
            assert 0.3 < line.draft_share + line.verify_share + line.accept_share <= 1.0
    arguments = ["bench", "--model", str(folder), "--prompts", "1", "--tokens", "4", "--json"]
    done = CliRunner().invoke(decode_command, [*arguments, "--only-default"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    assert set(printed["speedup"]) == {"fresh", "bare", "repair"}
    assert {"machine", "model", "parameters", "seed", "lines"} <= set(printed)


def test_llama_cpp_is_an_error_without_its_package(folder):
    done = CliRunner().invoke(
        decode_command, ["bench", "--model", str(folder), "--compare", "llama.cpp"]
    )
    assert isinstance(done.exception, ModelUnusable)
    assert "llama-cpp-python" in done.exception.remedy


def test_a_table_is_built_on_the_command_line(folder, tmp_path):
    (tmp_path / "a.v").write_text(VERILOG, "utf-8")
    (tmp_path / "pairs.jsonl").write_text(
        json.dumps({"prompt": "// x\nmodule m;", "answer": "\nendmodule\n"}) + "\n", "utf-8"
    )
    out = tmp_path / "t.bin"
    arguments = ["table", "build", str(tmp_path), "--model", str(folder), "--out", str(out)]
    done = CliRunner().invoke(decode_command, arguments)
    assert done.exit_code == 0, done.output
    assert "tokens counted" in done.stdout
    texts = list(texts_of([tmp_path]))
    assert texts == [VERILOG, "module m;\nendmodule\n"]
    arguments = ["table", "build", str(tmp_path / "none"), "--model", str(folder)]
    done = CliRunner().invoke(decode_command, arguments)
    assert "no such file" in str(done.exception)


def test_the_prompts_that_ship_cover_sets_and_lengths():
    cases = load_cases()
    assert {case.name for case in cases} == {"fresh", "bare", "repair"}
    many = many_lengths(cases, 200)
    assert len(many) == 200
    assert len({len(case.prompt) for case in many}) > 100
    assert [case.name for case in first_of_each(cases, 1)] == ["fresh", "bare", "repair"]
    for case in cases:
        if case.name == "repair":
            assert "// Wrong answer:" in case.prompt and case.hints


@pytest.mark.parametrize("line", ["{", '{"set": "a"}', '{"set": 1, "prompt": "x"}', "[]"])
def test_a_bad_line_of_prompts_is_named(tmp_path, line):
    path = tmp_path / "c.jsonl"
    path.write_text('{"set": "a", "prompt": "x"}\n' + line + "\n", "utf-8")
    with pytest.raises(ModelUnusable, match=r"c\.jsonl:2"):
        load_cases(path)


def test_generation_settings_of_a_model_do_not_leak_into_the_reference():
    """A model that ships with sampling and penalties still has one greedy output."""
    model = text_model()
    saved = model.generation_config
    try:
        model.generation_config = saved.__class__(
            do_sample=True, temperature=0.3, repetition_penalty=5.0, eos_token_id=2
        )
        report = verify(subject(), CASES[:1], Speculation(), tokens=10, batches=(1,))
    finally:
        model.generation_config = saved
    assert report.divergences == ()
    assert torch.is_tensor(model.lm_head.weight)
