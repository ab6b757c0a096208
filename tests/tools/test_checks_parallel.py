"""Several candidates checked at once in one process: the same results, and nothing left behind."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from checks_support import COUNTER, COUNTER_MODEL, dut, source
from rtl_agent.tools._proctree import descendants
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, CheckResult, Limits
from rtl_agent.tools.clocking import Clocking
from rtl_agent.tools.dataflow import fan_in_cone
from rtl_agent.tools.parse import parse_files
from rtl_agent.tools.screen import screen

CANDIDATES = {
    "right": COUNTER,
    "wrong": COUNTER.replace("q + 1", "q + 2"),
    "ends": COUNTER.replace("endmodule", "initial #95 $finish;\nendmodule"),
    "broken": COUNTER.replace("q <= d;", "q <= nothing_there;"),
}
CHECK = make_check(
    source(CheckKind.REFERENCE_MODEL, COUNTER_MODEL, cycles="150"),
    clocking=Clocking("clk", "rst"),
)


def judged(folder: Path, name: str) -> tuple[object, ...]:
    """All that is said of a candidate, without what names the folder or the clock on the wall."""
    folder.mkdir(parents=True)
    interface = dut(folder, COUNTER, "cnt").interface
    path = folder / "dut.v"
    path.write_text(CANDIDATES[name], encoding="utf-8")
    design = replace(dut(folder, CANDIDATES[name], "cnt"), interface=interface)
    model = parse_files(design.files)
    found = [str(d) for d in screen(model, interface)]
    fan_in = fan_in_cone(model, "q", top="cnt", prefer="pyverilog") if model.ok else None
    result = CHECK.run(design, folder / "run", limits=Limits(), seed=7)
    return tuple(str(part).replace(str(folder), "") for part in (found, fan_in, _core(result)))


def _core(result: CheckResult) -> CheckResult:
    return replace(result, seconds=0.0, log=None, wave=None)


def files_below(folder: Path) -> set[Path]:
    return {p for p in folder.rglob("*") if p.is_file()}


def compare(folder: Path, rounds: int, elsewhere: Path) -> None:
    alone = {name: judged(folder / "alone" / name, name) for name in CANDIDATES}
    assert len(set(alone.values())) == len(CANDIDATES)
    before = files_below(elsewhere)
    for number in range(rounds):
        where = folder / f"round-{number}"
        with ThreadPoolExecutor(len(CANDIDATES)) as pool:
            jobs = {n: pool.submit(judged, where / n, n) for n in CANDIDATES}
            assert {n: job.result() for n, job in jobs.items()} == alone
        assert not descendants(os.getpid())
    assert files_below(elsewhere) == before
    assert not list(folder.rglob("parser.out")) + list(folder.rglob("parsetab.py"))


@pytest.mark.parametrize(
    "rounds", [2, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])]
)
def test_at_once_is_as_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    standing = tmp_path / "standing"
    standing.mkdir()
    monkeypatch.chdir(standing)
    compare(tmp_path / "runs", rounds, standing)
    assert not list(Path(__file__).parent.glob("parser.out"))
