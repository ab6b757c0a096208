"""A user's folder of Verilog as training pairs, and the command that trains on it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.cli.main import run
from rtl_agent.agent.corpus.user_data import pairs_of_folder
from rtl_agent.agent.errors import ConfigError, ExitCode

if TYPE_CHECKING:
    from pathlib import Path

COUNTER = """// Counts up; wraps at {top}.
module counter{n} (
    input clk, input rst,
    output reg [7:0] q
);
    always @(posedge clk)
        if (rst || q == 8'd{top}) q <= 8'd0;
        else q <= q + 8'd{n};
    {extra}
endmodule
"""


def counters(folder: Path, count: int) -> None:
    folder.mkdir(exist_ok=True)
    for n in range(1, count + 1):
        extra = " ".join(
            f"wire w{n}_{i} = q[{i % 8}] ^ q[{(i + n) % 8}];" for i in range(n % 7 + 4)
        )
        text = COUNTER.format(n=n, top=200 - n, extra=extra)
        (folder / f"c{n:03}.v").write_text(text)


def test_a_folder_is_parsed_and_deduplicated_and_told(tmp_path: Path) -> None:
    folder = tmp_path / "rtl"
    counters(folder, 6)
    (folder / "copy.v").write_text("// a copy\n" + (folder / "c001.v").read_text())
    (folder / "broken.v").write_text("module broken(input a output b); endmodule\n")
    (folder / "cut.v").write_text("module cut(input a, output b);\n  assign b =\n")
    (folder / "defs.vh").write_text("`define WIDTH 8\n")
    (folder / "bytes.v").write_bytes(b"module \xff\xfe\x00(")
    (folder / "top.v").write_text(
        "/* Two\n * counters. */\nmodule top(input clk, output [7:0] y);\n"
        "  counter1 u(.clk(clk), .rst(1'b0), .q(y));\nendmodule\n"
        "module second(input a, output b);\n  assign b = ~a;\nendmodule\n"
    )
    (folder / "notes.txt").write_text("module not_verilog;")
    train, held, report = pairs_of_folder(folder)
    names = {pair["family"] for pair in train + held}
    assert report.files == 12
    assert {name.split(":")[0] for name in report.not_parsed} == {"broken.v", "cut.v", "bytes.v"}
    assert report.no_module == ["defs.vh"]
    assert report.duplicates == ["copy.v (of c001.v)"]
    assert names >= {"counter2", "top", "second"}  # an unknown module is no fault of the file
    top = next(pair for pair in train + held if pair["family"] == "top")
    assert top["prompt"] == "// Task: Two counters.\nmodule top(input clk, output [7:0] y);"
    assert top["answer"].strip().endswith("endmodule")
    assert "second" not in top["answer"]
    said = "\n".join(report.lines())
    assert "3 files do not parse" in said
    assert "broken.v: line 1" in said


def test_no_verilog_and_nothing_usable_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    with pytest.raises(ConfigError, match="no Verilog in it"):
        pairs_of_folder(tmp_path)
    (tmp_path / "a.v").write_text("module a(")
    with pytest.raises(ConfigError, match="none of its 1 files can be learned from") as told:
        pairs_of_folder(tmp_path)
    assert "does not parse: a.v" in told.value.remedy
    with pytest.raises(ConfigError, match="not a folder"):
        pairs_of_folder(tmp_path / "a.v")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with a byte-level tokenizer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("base")
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"<eos>": 0} | {letter: i + 1 for i, letter in enumerate(letters)}
    core = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<eos>").save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=1024,
        eos_token_id=0, bos_token_id=0,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


COMMON = [
    "--set", "threads=1", "--set", "warmup_steps=2", "--set", "learning_rate=0.01",
    "--set", "tokens_per_batch=3000", "--set", "rank=4", "--set", "alpha=8",
]  # fmt: skip


def test_train_on_a_folder_lowers_the_held_out_loss(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counters(tmp_path / "rtl", 40)
    out = tmp_path / "run"
    args = ["train", str(tmp_path / "rtl"), "--base", str(base), "--out", str(out)]
    code = run([*args, "--export", str(tmp_path / "mine"), "--set", "steps=12", *COMMON])
    said = capsys.readouterr()
    assert code == ExitCode.REACHED
    before = float(said.out.split("held-out loss ")[1].split()[0])
    after = float(said.out.split("before, ")[1].split()[0])
    assert after < before
    record = json.loads([line for line in said.err.splitlines() if line.startswith("{")][-1])
    assert {"eta_s", "tokens_s", "samples_s", "step"} <= record.keys()
    assert "40 files" in said.err
    # the stored config is enough to go on
    config = str(out / "config.json")
    assert run(["train", "--config", config, "--set", "steps=14"]) == ExitCode.REACHED
    assert "14 steps" in capsys.readouterr().out
    # the exported folder is a model of its own
    from transformers import AutoModelForCausalLM, AutoTokenizer

    AutoModelForCausalLM.from_pretrained(tmp_path / "mine")
    assert AutoTokenizer.from_pretrained(tmp_path / "mine").eos_token == "<eos>"


def test_wrong_use_of_train_is_said_in_one_line(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    common = ["--out", str(tmp_path / "run"), "--base", str(base)]
    for args, said in (
        ([str(empty)], "no Verilog in it"),
        ([str(tmp_path / "gone.jsonl")], "no such file or folder"),
        ([], "no data to train on"),
        (["--config", str(empty / "none.json")], "no config of a run"),
        ([str(empty), "--set", "nope=1"], "no such setting"),
        ([str(empty), "--set", "rank=many"], "--set rank=many"),
    ):
        assert run(["train", *args, *common]) == ExitCode.USAGE
        error = capsys.readouterr().err
        assert said in error
        assert "Traceback" not in error


def test_heads_of_any_model_from_the_command_line(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "pairs.jsonl"
    rows = [{"prompt": f"module m{i};", "answer": "\nassign y = a;\nendmodule\n"} for i in range(4)]
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "heads"
    args = ["train", "heads", str(pairs), "--out", str(out), "--model", str(base)]
    assert run([*args, "--set", "epochs=1", "--set", "max_answer=60"]) == ExitCode.REACHED
    assert "heads.safetensors" in capsys.readouterr().out
    assert json.loads((out / "report.json").read_text())["config"]["epochs"] == 1
