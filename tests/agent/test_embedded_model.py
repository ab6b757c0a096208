"""The embedded default itself, loaded and asked once; real weights, a short answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.library.index import open_library
from rtl_agent.agent.spec.read import read_spec_text
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.decoding.api import FinishReason, SamplingParams
from rtl_agent.decoding.errors import ModelMissing
from rtl_agent.decoding.models import embedded

if TYPE_CHECKING:
    from pathlib import Path

SPEC = """\
# inv8

Inverts every bit of its input. Inputs: `a` (8 bits). Outputs: `y` (8 bits). Combinational.
"""


@pytest.fixture(scope="module")
def generator():
    from rtl_agent.decoding.models.load import load_generator

    return load_generator("embedded")


def test_it_goes_on_from_the_forced_header_and_greedy_answers_repeat(generator) -> None:
    spec = read_spec_text(SPEC, name="inv8")
    prompt = EmbeddedStyle().draft(spec, open_library().nearest(spec, 1))
    params = SamplingParams(max_new_tokens=24)
    first, second = (
        generator.generate(prompt.raw, params=params, hints=prompt.hints)[0] for _ in range(2)
    )
    assert first.text == second.text
    assert first.text.startswith("\n")  # the line after the header, not a second header
    assert "module" not in first.text.split("endmodule")[0]
    assert first.finish in {FinishReason.EOS, FinishReason.LENGTH}
    assert first.stats.prompt_tokens > 50


def test_without_the_base_the_error_names_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RTL_AGENT_CACHE", str(tmp_path))
    monkeypatch.setattr(embedded, "BASE_PACKAGE", "no_such_package_here")
    with pytest.raises(ModelMissing) as error:
        embedded.base_folder()
    assert "rtl-agent model pull" in error.value.remedy


def test_a_base_file_of_other_content_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "fake_base"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / embedded.BASE_FILE).write_bytes(b"GGUF, but another one")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("RTL_AGENT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(embedded, "BASE_PACKAGE", "fake_base")
    with pytest.raises(ModelMissing, match="SHA-256"):
        embedded.base_folder()
