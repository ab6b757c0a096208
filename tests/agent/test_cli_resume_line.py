"""The command that goes on with an interrupted run has every option the run began with."""

from __future__ import annotations

from pathlib import Path

import pytest
from rtl_agent.agent.cli.options import SWITCHES, given
from rtl_agent.agent.cli.resume import resume_line
from rtl_agent.agent.graph.run import Interrupted

RUN = Interrupted("r1", Path("rtl-out/runs/r1"))


def test_a_plain_run_is_named_with_its_folder() -> None:
    assert resume_line(RUN, {}) == "rtl-agent solve --resume r1 --out rtl-out"


def test_backend_and_paths_with_spaces_are_kept() -> None:
    line = resume_line(RUN, {"backend": "openai", "library_folder": Path("my rtl")})
    assert line.endswith("--backend openai --library 'my rtl'")


@pytest.mark.parametrize("part", SWITCHES)
def test_what_was_left_out_stays_left_out(part: str) -> None:
    assert f"--no-{part}" in resume_line(RUN, {f"no_{part}": True}).split()
    assert given({f"no_{part}": True}) == {part: False}
    assert given({f"no_{part}": False}) == {}


@pytest.mark.parametrize(("told", "word"), [(True, "--diagnosis"), (False, "--no-diagnosis")])
def test_what_the_model_is_told_is_kept(told: bool, word: str) -> None:
    assert word in resume_line(RUN, {"diagnosis": told}).split()
    assert given({"diagnosis": told}) == {"diagnosis": told}
    assert "diagnosis" not in resume_line(RUN, {"diagnosis": None})
