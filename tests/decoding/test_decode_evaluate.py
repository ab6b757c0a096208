"""`decode verify`, `decode bench` and `decode table build`, on a tiny model."""

from __future__ import annotations

import gzip
import json

import pytest
import torch
from click.testing import CliRunner
from engine_models import VERILOG, Oracle, plain_greedy, text_model, tokenizer
from rtl_agent.agent.cli.decode import decode_command
from rtl_agent.decoding.drafters.lookup import LookupDrafter
from rtl_agent.decoding.engine import verify as engine_verify
from rtl_agent.decoding.errors import ModelUnusable
from rtl_agent.decoding.evaluate import verify as verify_module
from rtl_agent.decoding.evaluate.bench import bench, contenders, first_of_each
from rtl_agent.decoding.evaluate.cases import Case, in_the_loop, load_cases, many_lengths
from rtl_agent.decoding.evaluate.table import build_from_files, texts_of
from rtl_agent.decoding.evaluate.verify import Subject, combinations, verify
from rtl_agent.decoding.models import detokenize
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
    assert set(printed["speedup"]) == {"fresh", "bare", "repair", "repair-in-loop"}
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
    for out in (tmp_path, tmp_path / "none" / "t.bin"):
        done = CliRunner().invoke(decode_command, [*arguments, "--out", str(out)])
        assert done.exit_code == 2
        assert "cannot be written" in done.output


def test_numbers_that_would_compare_nothing_are_refused():
    for arguments in (["verify", "--prompts", "0"], ["table", "build", "a.v", "--max-mb", "-1"]):
        done = CliRunner().invoke(decode_command, arguments)
        assert done.exit_code == 2, done.output
        assert "not in the range" in done.output


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


def test_a_repair_in_the_loop_comes_after_the_draft_of_its_task():
    """Both prompts begin alike, so what the earlier call left in the cache is not run again."""
    repairs = [case for case in load_cases() if case.name == "repair"][:1]
    looped = in_the_loop(load_cases())
    assert len(looped) == len([case for case in load_cases() if case.name == "repair"])
    case = looped[0]
    assert case.prompt == repairs[0].prompt
    assert "// Wrong answer:" not in case.earlier
    assert case.earlier.rstrip().endswith(");")
    shared = case.prompt.index("// Wrong answer:")
    assert case.earlier[:shared] == case.prompt[:shared]
    assert in_the_loop([fresh for fresh in CASES if fresh.name == "fresh"]) == []


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


ANSWERED = [
    Case("fresh", "module m (input a);", (), "\n    assign y = a;\nendmodule\n"),
    Case("fresh", "assign y = a", (), ";\nassign z = y;\n"),
]


def test_prompts_of_many_lengths_go_into_the_answer_and_repeat_with_the_seed():
    many = many_lengths(ANSWERED, 40, seed=3)
    assert many == many_lengths(ANSWERED, 40, seed=3)
    assert many != many_lengths(ANSWERED, 40, seed=4)
    assert len(many) == 40
    wholes = [case.prompt + case.answer for case in ANSWERED]
    assert all(any(whole.startswith(case.prompt) for whole in wholes) for case in many)
    assert any(len(case.prompt) > len("module m (input a);") for case in many[2:])


def test_cases_come_from_pairs_with_the_hints_of_the_loop(tmp_path):
    module = "module k (input a, output y);\n    assign y = a;\nendmodule\n"
    known = "// Known design: A wire.\n" + module
    task = "// Task: A wire.\n"
    header = "module m (input b, output z);"
    wrong = "// Wrong answer:\n    assign z = 0;\nendmodule\n// Problem: z is 0\n"
    answer = "\n    assign z = b;\nendmodule\n"
    rows = [
        {"kind": "draft", "prompt": known + task + header, "answer": answer},
        {"kind": "repair-mismatch", "prompt": known + task + wrong + header, "answer": answer},
    ]
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    out = tmp_path / "cases.jsonl"
    done = CliRunner().invoke(decode_command, ["cases", str(pairs), "--out", str(out)])
    assert done.exit_code == 0, done.output
    fresh, bare, repair = load_cases(out)
    assert [fresh.name, bare.name, repair.name] == ["fresh", "bare", "repair"]
    assert fresh.hints == (module,)
    assert bare.prompt == task + header
    assert bare.hints == ()
    assert repair.hints[0] == header + "\n    assign z = 0;\nendmodule\n"
    assert repair.hints[1] == fresh.hints[0]
    pairs.write_text("{}\n", "utf-8")
    failed = CliRunner().invoke(decode_command, ["cases", str(pairs), "--out", str(out)])
    assert isinstance(failed.exception, ModelUnusable)
    assert "corpus pairs" in failed.exception.remedy


def test_verify_goes_on_where_it_was_stopped_and_ends_inside_blocks(tmp_path, monkeypatch):
    answers = {}

    def knowing(self, rows, trees, budget):
        """A drafter that is right for some tokens a step: ends then fall into its drafts."""
        for row in rows:
            prompt = row.request.prompt
            if prompt not in answers:
                answers[prompt] = plain_greedy(text_model(), prompt, 24, eos=2)
        Oracle(answers).propose(rows, trees, budget)

    monkeypatch.setattr(LookupDrafter, "propose", knowing)
    keep = tmp_path / "keep.jsonl"
    options = Speculation(drafters=("lookup",), adaptive=False)
    cases = many_lengths(CASES, 8)
    some = verify(subject(), cases, options, tokens=24, batches=(1, 2), store=keep, seconds=-1.0)
    assert (some.prompts, some.asked) == (0, 8)
    lines = keep.read_text("utf-8").splitlines()
    whole = verify(subject(), cases, options, tokens=24, batches=(1, 2), store=keep)
    assert (whole.prompts, whole.divergences) == (8, ())
    assert whole.stops == 4
    assert whole.ended_in_block.get("stop", 0) > 0
    kept = keep.read_text("utf-8").splitlines()
    assert kept[: len(lines)] == lines
    # The last line was half written when the machine went down.
    keep.write_text("\n".join(kept[:-1]) + "\n" + kept[-1][:20], "utf-8")
    again = verify(subject(), cases, options, tokens=24, batches=(1, 2), store=keep)
    assert again == whole
    with pytest.raises(ModelUnusable, match="other weights, prompts or options"):
        verify(subject(), cases, options, tokens=25, batches=(1, 2), store=keep)


def test_a_stop_string_that_is_missed_is_a_divergence(monkeypatch):
    """The guard of this comparison: an engine that runs on behind a stop string is caught."""
    monkeypatch.setattr(detokenize.TextStream, "push", lambda self, ids: None)
    reference = verify_module._Comparison._cut
    options = Speculation(drafters=("lookup",))

    def cut(self, ids, stop):
        return ids[:3] if stop else reference(self, ids, stop)

    monkeypatch.setattr(verify_module._Comparison, "_cut", cut)
    report = verify(subject(), many_lengths(CASES, 4), options, tokens=16, batches=(1, 2))
    assert report.divergences
    assert {divergence.prompt for divergence in report.divergences} <= {2, 3}


def test_a_bench_goes_on_where_it_was_stopped(tmp_path):
    keep = tmp_path / "keep.jsonl"
    chosen = contenders(Speculation(drafters=("lookup",)), each=False)
    first = bench(subject(), CASES, chosen, tokens=6, store=keep, seconds=-1.0)
    assert first.lines == ()
    whole = bench(subject(), CASES, chosen, tokens=6, store=keep)
    again = bench(subject(), CASES, chosen, tokens=6, store=keep)
    assert again.lines == whole.lines
    assert whole.prompts == {"fresh": 2, "repair": 1}
    assert whole.busy_elsewhere >= 0.0
    noisy = bench(subject(), CASES, chosen, tokens=6, store=keep, seconds=-1.0, disturbed=-1e9)
    assert (noisy.left_out, noisy.lines) == (3, ())
    assert len(whole.weights) == 16


def test_a_table_is_built_from_the_zipped_library(tmp_path):
    path = tmp_path / "library.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps({"rtl": VERILOG}).encode()))
    assert list(texts_of([path])) == [VERILOG]
    path.write_bytes(b"no gzip")
    with pytest.raises(ModelUnusable, match=r"library\.jsonl\.gz"):
        list(texts_of([path]))
