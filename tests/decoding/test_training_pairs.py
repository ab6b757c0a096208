"""Pairs that nothing can be learnt from, and warnings of other packages."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from rtl_agent.decoding.errors import TrainingError
from rtl_agent.decoding.evaluate.table import build_from_files
from rtl_agent.decoding.training.data import load_samples
from rtl_agent.decoding.training.subject import load_subject
from rtl_agent.decoding.training.trainer import Trainer
from training_kit import make_base, make_config
from transformers import AutoTokenizer

if TYPE_CHECKING:
    from pathlib import Path

FIT = ("module a", "assign y = a")
EMPTY, BARE, LONG = ("module a", ""), ("", "assign y = a"), ("module a", "a " * 100)


def write(path: Path, *pairs: tuple[str, str]) -> Path:
    rows = [json.dumps({"prompt": p, "answer": a}, ensure_ascii=False) for p, a in pairs]
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def tokenizer(base: Path) -> Any:
    return AutoTokenizer.from_pretrained(base)


def test_unfit_pairs_are_left_out_and_counted(tmp_path: Path, tokenizer: Any) -> None:
    path = write(tmp_path / "p.jsonl", FIT, EMPTY, BARE, LONG, LONG)
    lines: list[str] = []
    assert len(load_samples(path, tokenizer, 64, lines.append)) == 1
    (line,) = lines
    assert "4 of 5 pairs left out" in line
    assert "1 without an answer, 1 without a prompt, 2 over 64 tokens" in line


@pytest.mark.parametrize("pair", [EMPTY, BARE, LONG])
def test_nothing_left_is_an_error_that_says_why(
    tmp_path: Path, tokenizer: Any, pair: tuple[str, str]
) -> None:
    with pytest.raises(TrainingError, match=r"no pair to train on \(1 (without|over)"):
        load_samples(write(tmp_path / "p.jsonl", pair), tokenizer, 64)


def test_blank_lines_marks_and_odd_separators_are_no_harm(tmp_path: Path, tokenizer: Any) -> None:
    path = write(tmp_path / "p.jsonl", FIT, ("module \u2028 a", "assign y = a"))
    path.write_text("\ufeff" + path.read_text("utf-8") + "\n\n", "utf-8")
    assert len(load_samples(path, tokenizer, 64)) == 2


def test_a_pair_longer_than_the_context_is_left_out(tmp_path: Path, base: Path) -> None:
    path = write(tmp_path / "p.jsonl", FIT, LONG)
    lines: list[str] = []
    config = make_config(base, path, tmp_path / "run", samples=2)
    assert config.max_tokens > 64  # what the base can take
    progress = Trainer(config, lines.append).run()
    assert "1 of 2 pairs left out: 1 over 64 tokens" in lines[0]
    assert progress.samples == 2


def test_too_few_batches_for_the_processes_end_the_run(tmp_path: Path, base: Path) -> None:
    path = write(tmp_path / "p.jsonl", FIT)
    trainer = Trainer(make_config(base, path, tmp_path / "run"), lambda _line: None)
    trainer.peers = replace(trainer.peers, world=2)
    with pytest.raises(TrainingError, match="1 batches are too few for 2 processes"):
        trainer._run_epochs()


@pytest.mark.parametrize("more", [{"minutes": 0.0}, {"samples": 0}])
def test_a_run_of_no_length_makes_no_step(
    tmp_path: Path, base: Path, more: dict[str, float]
) -> None:
    path = write(tmp_path / "p.jsonl", FIT)
    config = make_config(base, path, tmp_path / "run", **more)
    assert Trainer(config, lambda _line: None).run().step == 0


def test_an_adapter_is_made_without_a_warning(tmp_path: Path, base: Path) -> None:
    config = make_config(base, tmp_path / "p.jsonl", tmp_path / "run")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model, _, _ = load_subject(config)
    assert any(p.requires_grad for p in model.parameters())


def test_files_that_are_no_text_are_left_out_of_a_table(tmp_path: Path, tokenizer: Any) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(b"junk")
    (tmp_path / "b.v").write_bytes(b"\0\1")
    write(tmp_path / "c.v")
    (tmp_path / "c.v").write_text("module a assign y = a ; endmodule")
    unread: list[str] = []
    header = build_from_files([tmp_path], tmp_path / "t.bin", tokenizer, unread=unread)
    assert header.tokens_seen == 9
    assert [message.partition(": ")[0] for message in unread] == [
        str(tmp_path / "a.jsonl.gz"),
        str(tmp_path / "b.v"),
    ]
