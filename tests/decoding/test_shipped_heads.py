"""Heads beside the embedded model's adapter are used while they fit it, and only then."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from rtl_agent.decoding.drafters.heads_model import DraftHeads, HeadsConfig, save_heads
from rtl_agent.decoding.models import embedded
from rtl_agent.decoding.models.embedded import fitting_heads
from rtl_agent.decoding.models.load import with_own_heads
from rtl_agent.decoding.models.options import Speculation

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "adapter.safetensors"
    path.write_bytes(b"an adapter")
    monkeypatch.setattr(embedded, "adapter_path", lambda: path)
    return path


def heads_for(adapter: Path) -> None:
    made_for = hashlib.sha256(adapter.read_bytes()).hexdigest()
    config = HeadsConfig(2, 1, 8, 20, (), made_for)
    save_heads(DraftHeads(config, [1, 2]), adapter.with_name("heads.safetensors"))


def test_fitting_heads_are_added_to_the_default_drafters(adapter: Path) -> None:
    assert with_own_heads("embedded", Speculation()) == Speculation()  # there are none
    heads_for(adapter)
    found = with_own_heads("embedded", Speculation())
    assert found.drafters == ("lookup", "corpus", "heads")
    assert found.heads == adapter.with_name("heads.safetensors")
    # what was asked for by name stays as it was asked
    assert with_own_heads("embedded", Speculation(drafters=())).drafters == ()
    assert with_own_heads("another/model", Speculation()) == Speculation()


def test_heads_of_another_adapter_are_left_out(adapter: Path) -> None:
    heads_for(adapter)
    assert fitting_heads() is not None
    adapter.write_bytes(b"a later adapter")
    assert fitting_heads() is None
    adapter.with_name("heads.safetensors").write_bytes(b"cut short")
    assert fitting_heads() is None
    adapter.unlink()
    assert fitting_heads() is None


def test_shipped_heads_open_on_the_shipped_model() -> None:
    path = embedded.adapter_path().with_name("heads.safetensors")
    if not path.is_file():
        pytest.skip("no heads ship")
    assert path.stat().st_size <= 10_000_000
    assert fitting_heads() in (path, None)  # None: trained with an earlier adapter
