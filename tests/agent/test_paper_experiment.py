"""The paper's experiment from end to end at a tiny size: data, training, decoding, tables."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from rtl_agent.agent.library.records import read_records

PAPER = Path(__file__).parents[2] / "benchmarks" / "paper"
LIBRARY = Path(__file__).parents[2] / "agent" / "library" / "shipped.jsonl.gz"
MARKER = "<frag>"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A tiny model with a tokenizer that was trained on some Verilog."""
    import itertools

    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<eos>", MARKER],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = [record.rtl for record in itertools.islice(read_records(LIBRARY), 60)]
    core.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token="<eos>", additional_special_tokens=[MARKER]
    )
    folder = tmp_path / "base"
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=3,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2048,
        eos_token_id=0, bos_token_id=0, tie_word_embeddings=True,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_every_method_runs_and_a_second_call_does_nothing_again(
    base: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(str(PAPER))
    for name in ("plan", "compute", "table", "evaluate", "data", "run"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    from run import main
    from table import render

    plan = {
        "base": str(base),
        "layers": 2,
        "sizes": [8],
        "seeds": [1],
        "methods": ["ntp", "medusa", "marker", "lexer"],
        "heads": 2,
        "families": "unseen",
        "per_family": 1,
        "designs": 2,
        "answers": 1,
        "max_new": 24,
        "marker": MARKER,
        "train": {
            "rank": 4, "alpha": 8, "first_layer": 0, "tokens_per_batch": 4000,
            "max_tokens": 1900, "learning_rate": 0.01, "threads": 1,
        },
    }  # fmt: skip
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    where = ["--work", str(tmp_path / "work"), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["run.py", *where, "--plan", str(tmp_path / "plan.json")])
    main()
    files = sorted((tmp_path / "out").glob("*.json"))
    names = [path.stem for path in files]
    assert names == ["base-0-0", "lexer-8-1", "marker-8-1", "medusa-8-1", "ntp-8-1"]
    results = [json.loads(path.read_text()) for path in files]
    found = {r["run"]["method"]: r for r in results}
    assert set(found["ntp"]["decoding"]) == {"plain"}
    assert set(found["lexer"]["decoding"]) == {"plain", "exact", "typical"}
    # what costs more a pair sees fewer pairs; exact decoding gives what plain decoding gives
    assert found["medusa"]["pairs_seen"] < found["ntp"]["pairs_seen"]
    ways = found["lexer"]["decoding"]
    assert ways["exact"]["tokens"] == ways["plain"]["tokens"]
    assert {"syntax", "greedy_pass", "pass@1"} <= ways["typical"].keys()
    marked = (tmp_path / "work" / "marked.jsonl").read_text().splitlines()
    plain = (tmp_path / "work" / "pairs.jsonl").read_text().splitlines()
    for one, other in zip(marked, plain, strict=True):
        assert json.loads(one)["answer"].replace(MARKER, "") == json.loads(other)["answer"]
    text = render(results)
    assert "| medusa | typical | 1 |" in text
    assert "| base | plain | 1 |" in text
    capsys.readouterr()
    main()
    assert capsys.readouterr().out == ""
