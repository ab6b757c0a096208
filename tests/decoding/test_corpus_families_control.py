"""State machines, memories, protocols, hierarchies: clean to compile, and what their models say."""

from __future__ import annotations

import dataclasses
import random
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.decoding.training.corpus.registry import all_families

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.decoding.training.corpus.design import Design

_GROUPS = ("fsm", "memory", "protocol", "hierarchy")
_SEEDS = 3
_CYCLES = 300

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


def _draw_with(family: str, right: str) -> Design:
    """The first design whose RTL contains `right`."""
    return next(d for d in (_draw(family, seed) for seed in range(99)) if right in d.rtl)


def _run(design: Design, folder: Path, cycles: int = _CYCLES) -> tuple[str, int, int]:
    """What the compiler printed, samples, mismatches."""
    (folder / "dut.v").write_text(design.rtl)
    (folder / "tb.v").write_text(vector_bench(design, cycles, 0))
    argv = ["iverilog", "-g2005", "-Wall", "-s", "tb", "-o", "a.out", "dut.v", "tb.v"]
    built = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
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
    return built.stdout + built.stderr, int(samples), int(bad)


@needs_icarus
@pytest.mark.parametrize("family", _names())
def test_design_compiles_clean_and_matches_its_model(family: str, tmp_path: Path) -> None:
    for seed in range(_SEEDS):
        design = _draw(family, seed)
        said, samples, bad = _run(design, tmp_path)
        assert said == "", design.rtl
        assert samples >= (_CYCLES // 2 if design.clock else 4)
        assert bad == 0, design.rtl


@pytest.mark.parametrize("family", _names())
def test_design_is_complete_and_reproducible(family: str) -> None:
    for seed in range(8):
        design, again = _draw(family, seed), _draw(family, seed)
        assert (design.rtl, design.titles) == (again.rtl, again.titles)
        assert design.behaviour == again.behaviour
        assert design.family == family
        assert len(set(design.titles)) >= 4
        assert all(title.startswith(("a ", "an ")) for title in design.titles)
        assert all(len(set(fact)) >= 3 for fact in design.behaviour)
        assert design.rtl.startswith(f"module {design.module} ")
        assert max(map(len, design.rtl.splitlines())) <= 140
        assert not any(line.endswith(" ") for line in design.rtl.splitlines())
        told = " ".join((*design.titles, *(w for fact in design.behaviour for w in fact)))
        assert not any(f"a {n}-bit" in told for n in (8, 11, 18))
        for port in design.ports:
            if port.name not in {design.clock, design.reset}:
                assert port.name in told, f"nothing is said about {port.name}"


@pytest.mark.parametrize("family", _names())
def test_family_varies(family: str) -> None:
    designs = [_draw(family, seed) for seed in range(40)]
    assert len({design.rtl for design in designs}) >= 30
    assert len({design.module for design in designs}) >= 5
    assert len({str(sorted(design.params.items())) for design in designs}) >= 3


@pytest.mark.parametrize("family", _names())
def test_every_output_moves(family: str) -> None:
    """A model whose outputs stand still under its own stimulus would accept a dead design."""
    still, moved = set(), {"access can finish"}  # the ready of a slave without wait states
    for seed in range(6):
        design = _draw(family, seed)
        bench = vector_bench(design, _CYCLES, seed)
        samples = [*zip(_column(bench, "want"), _column(bench, "care"), strict=True)]
        samples += zip(_column(bench, "first"), _column(bench, "heed"), strict=True)
        at = 0
        for port in reversed([p for p in design.ports if p.direction == "output"]):
            top = (1 << port.width) - 1
            seen = {want >> at & top for want, care in samples if care >> at & top}
            at += port.width
            (moved if len(seen) > 1 else still).add(port.description)
    assert still <= moved


def _column(bench: str, table: str) -> list[int]:
    """The values that the bench stores in one of its tables."""
    found = re.findall(rf"\b{table}\[\d+\] = \d+'h([0-9a-f]+);", bench)
    return [int(value, 16) for value in found]


@needs_icarus
@pytest.mark.parametrize(
    ("family", "right", "wrong"),
    [
        ("sync_fifo", "+ 1'b1", "- 1'b1"),
        ("lifo_stack", "&& !", "|| !"),
        ("crc_serial", " ^ ", " | "),
        ("sequential_divider", ">=", ">"),
        ("gcd_unit", " > ", " < "),
        ("uart_rx", "[7:1]", "[6:0]"),
        ("uart_tx", "1'b1, ", "1'b0, "),
        ("spi_master", "!busy", "busy"),
        ("round_robin_arbiter", "2'd3", "2'd1"),
        ("register_file", "&&", "||"),
        ("pipeline_hier", "p <= a", "p <= ~a"),
        ("wishbone_registers", " && !", " || !"),
        ("manchester_encoder", " ^ ", " | "),
        ("serial_remainder", "twice >=", "twice >"),
    ],
)
def test_bench_notices_a_fault(family: str, right: str, wrong: str, tmp_path: Path) -> None:
    design = _draw_with(family, right)
    broken = dataclasses.replace(design, rtl=design.rtl.replace(right, wrong))
    assert _run(broken, tmp_path)[2] > 0


@needs_icarus
def test_receiver_needs_its_own_stimulus(tmp_path: Path) -> None:
    """Random levels hardly ever are a frame: without stimulus a receiver without output passes."""
    design = next(d for d in (_draw("uart_rx", s) for s in range(99)) if d.params["clocks"] == 16)
    dead = dataclasses.replace(design, rtl=design.rtl.replace("[7:1]}", "[6:0]}"))
    assert _run(dead, tmp_path, 900)[2] > 0
    random_only = dataclasses.replace(dead, stimulus=None)
    assert _run(random_only, tmp_path, 300)[2] == 0


@needs_icarus
@pytest.mark.parametrize(
    ("family", "chosen", "right", "wrong"),
    [
        # Held inputs after the edge never show the last bit together with the state before it.
        ("sequence_detector", {"pattern": "101", "moore": False}, "assign", "assign {} = 1'b0; //"),
        # After the edge the register holds the written data anyway.
        ("register_file", {"bypass": True, "zero": False}, "? ", "&& 1'b0 ? "),
    ],
)
def test_input_to_output_paths_are_seen_before_the_edge(
    family: str, chosen: dict[str, object], right: str, wrong: str, tmp_path: Path
) -> None:
    design = next(
        d
        for d in (_draw(family, seed) for seed in range(2000))
        if all(d.params[key] == value for key, value in chosen.items())
    )
    out = next(p.name for p in design.ports if p.direction == "output")
    broken = dataclasses.replace(design, rtl=design.rtl.replace(right, wrong.format(out)))
    assert _run(broken, tmp_path)[2] > 0

    class Late:
        """The same model, which cannot look before the edge."""

        def __init__(self) -> None:
            self._inner = design.model()
            self.reset, self.step = self._inner.reset, self._inner.step

    assert _run(dataclasses.replace(broken, model=Late), tmp_path)[2] == 0


@pytest.mark.parametrize("family", _names())
def test_inputs_come_before_outputs(family: str) -> None:
    """The specs list them so, and the header is written from the spec."""
    for seed in range(6):
        directions = [port.direction for port in _draw(family, seed).ports]
        assert directions == sorted(directions)
