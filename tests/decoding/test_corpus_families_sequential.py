"""Counters, registers, shifters, timing: clean to compile, and what their models say."""

from __future__ import annotations

import dataclasses
import random
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.decoding.training.corpus.design import Design

_GROUPS = ("counters", "registers", "shifters", "timing")
_SEEDS = 3
_CYCLES = 200

needs_icarus = pytest.mark.skipif(
    shutil.which("iverilog") is None, reason="Icarus Verilog is not installed"
)


def _names() -> list[str]:
    modules = {
        name: function.__module__.rpartition(".")[2] for name, function in all_families().items()
    }
    return [name for name, module in modules.items() if module.startswith(_GROUPS)]


def _draw(family: str, seed: int) -> Design:
    return all_families()[family](random.Random(f"{family}/{seed}"))


def _compile(design: Design, folder: Path, seed: int) -> str:
    """Compile design and bench to `a.out` in `folder`; what the compiler printed."""
    (folder / "dut.v").write_text(design.rtl)
    (folder / "tb.v").write_text(vector_bench(design, _CYCLES, seed))
    argv = ["iverilog", "-g2005", "-Wall", "-s", "tb", "-o", "a.out", "dut.v", "tb.v"]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def _simulate(folder: Path) -> tuple[int, int]:
    """Samples and mismatches."""
    done = subprocess.run(
        ["vvp", "-n", "a.out"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    word, samples, bad = done.stdout.splitlines()[-1].split()
    assert word == "RESULT"
    return int(samples), int(bad)


@needs_icarus
@pytest.mark.parametrize("family", _names())
def test_design_compiles_clean_and_matches_its_model(family: str, tmp_path: Path) -> None:
    for seed in range(_SEEDS):
        design = _draw(family, seed)
        assert _compile(design, tmp_path, seed) == "", design.rtl
        samples, bad = _simulate(tmp_path)
        assert samples > _CYCLES // 2
        assert bad == 0, design.rtl


@pytest.mark.parametrize("family", _names())
def test_design_is_complete_and_reproducible(family: str) -> None:
    for seed in range(8):
        design = _draw(family, seed)
        again = _draw(family, seed)
        assert (design.rtl, design.titles, design.behaviour) == (
            again.rtl,
            again.titles,
            again.behaviour,
        )
        assert design.family == family
        assert len(set(design.titles)) >= 4
        assert all(len(set(fact)) >= 3 for fact in design.behaviour)
        assert design.rtl.startswith(f"module {design.module} ")
        text = " ".join(wording for fact in design.behaviour for wording in fact)
        for port in design.ports:
            if port.direction == "input" and port.name not in {design.clock, design.reset}:
                assert port.name in text, f"nothing is said about {port.name}"


@pytest.mark.parametrize("family", _names())
def test_family_varies(family: str) -> None:
    designs = [_draw(family, seed) for seed in range(40)]
    assert len({design.rtl for design in designs}) >= 35
    assert len({design.module for design in designs}) >= 5
    assert len({str(sorted(design.params.items())) for design in designs}) >= 3


@needs_icarus
@pytest.mark.parametrize(
    ("family", "right", "wrong"),
    [
        ("up_counter", "+ 1'b1", "- 1'b1"),
        ("serial_adder", " ^ ", " | "),
        ("watchdog", "+ 1'b1", "+ 2'd2"),
        ("shift_sipo", "<= {", "<= ~{"),
        ("extreme_tracker", " > ", " >= ~"),
        ("quadrature_counter", " ^ ", " | "),
        ("hysteresis_comparator", " <= 1'b1", " <= 1'b0"),
        ("multiply_accumulate", " * ", " + "),
        ("token_bucket", "- 1'b1", "- 1'b0"),
    ],
)
def test_bench_notices_a_fault(family: str, right: str, wrong: str, tmp_path: Path) -> None:
    design = next(d for d in (_draw(family, seed) for seed in range(99)) if right in d.rtl)
    broken = dataclasses.replace(design, rtl=design.rtl.replace(right, wrong))
    _compile(broken, tmp_path, 0)
    assert _simulate(tmp_path)[1] > 0


@needs_icarus
def test_stimulus_reaches_the_rare_states(tmp_path: Path) -> None:
    """Without stimulus of its own a long watchdog is never seen to expire."""
    family = "watchdog"
    design = next(d for d in (_draw(family, s) for s in range(99)) if d.params["n"] == 20)
    dead = dataclasses.replace(design, rtl=design.rtl.replace("<= 1'b1", "<= 1'b0"))
    _compile(dead, tmp_path, 0)
    assert _simulate(tmp_path)[1] > 0
    _compile(dataclasses.replace(dead, stimulus=None), tmp_path, 0)
    assert _simulate(tmp_path)[1] == 0


def test_drawing_a_design_takes_no_torch() -> None:
    code = (
        "import sys, random\n"
        "from rtl_agent.decoding.training.corpus.registry import all_families\n"
        "all_families()['up_counter'](random.Random(1))\n"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
