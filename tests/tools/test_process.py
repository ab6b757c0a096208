import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rtl_agent.tools._proctree import MARK_VARIABLE, kill_marked, new_mark
from rtl_agent.tools.errors import ToolMissing
from rtl_agent.tools.process import Limits, Silence, StopCause, run


def alive(mark: str) -> list[str]:
    """Command lines of living processes that contain `mark`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if mark in line:
            found.append(line)
    return found


def test_exit_code_output_and_input(tmp_path: Path) -> None:
    result = run(
        ["sh", "-c", "cat; echo wrong >&2; exit 3"], cwd=tmp_path, limits=Limits(), stdin=b"in"
    )
    assert (result.exit_code, result.stdout, result.stderr) == (3, "in", "wrong\n")
    assert not result.ok
    assert result.stopped is None


def test_without_input_there_is_nothing_to_wait_for(tmp_path: Path) -> None:
    assert run(["cat"], cwd=tmp_path, limits=Limits(wall_s=10)).ok


def test_more_input_than_a_pipe_holds(tmp_path: Path) -> None:
    data = b"x" * 300_000
    assert len(run(["cat"], cwd=tmp_path, limits=Limits(), stdin=data).stdout) == len(data)


def test_input_that_nobody_reads_is_no_error(tmp_path: Path) -> None:
    assert run(["true"], cwd=tmp_path, limits=Limits(), stdin=b"x" * 300_000).ok


def test_wall_limit_ends_the_program_and_all_it_started(tmp_path: Path) -> None:
    script = "sleep 7201 & setsid sleep 7202 & (sleep 7203 &) ; wait"
    started = time.monotonic()
    result = run(["sh", "-c", script], cwd=tmp_path, limits=Limits(wall_s=0.5))
    assert result.timed_out
    assert result.exit_code < 0
    assert time.monotonic() - started < 10
    assert not [line for mark in ("7201", "7202", "7203") for line in alive(f"sleep {mark}")]


def test_a_plain_kill_would_have_left_a_process(tmp_path: Path) -> None:
    """The harm that sessions, groups and marks are there to prevent."""
    child = subprocess.Popen(
        ["sh", "-c", "sleep 7204 & echo $!; wait"], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    orphan = int(child.stdout.readline())
    child.kill()
    child.wait()
    child.stdout.close()
    try:
        assert alive("sleep 7204")
    finally:
        os.kill(orphan, 9)


def test_what_outlives_its_parent_is_killed_too(tmp_path: Path) -> None:
    result = run(["sh", "-c", "setsid sleep 7205 & exit 0"], cwd=tmp_path, limits=Limits(wall_s=5))
    assert result.ok
    assert not alive("sleep 7205")


def test_output_is_capped_while_the_program_runs(tmp_path: Path) -> None:
    result = run(["yes"], cwd=tmp_path, limits=Limits(wall_s=60, output_mib=1))
    assert result.output_truncated
    assert len(result.stdout) == 1024 * 1024
    assert result.seconds < 30


def test_process_limit(tmp_path: Path) -> None:
    script = "for i in 1 2 3 4 5 6 7 8 9; do sleep 7206 & done; wait"
    result = run(["sh", "-c", script], cwd=tmp_path, limits=Limits(wall_s=20, processes=4))
    assert result.stopped is StopCause.PROCESSES
    assert not alive("sleep 7206")


def test_memory_limit(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", "b = bytearray(900 << 20); print('got it')"]
    result = run(argv, cwd=tmp_path, limits=Limits(memory_mib=400))
    assert result.exit_code != 0
    assert "MemoryError" in result.stderr


def test_file_size_limit(tmp_path: Path) -> None:
    result = run(["sh", "-c", "yes > big"], cwd=tmp_path, limits=Limits(wall_s=60, output_mib=1))
    assert result.exit_code != 0
    assert (tmp_path / "big").stat().st_size <= 8 << 20


def test_the_environment_is_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    result = run(["env"], cwd=tmp_path, limits=Limits(), env={"GIVEN": "yes"})
    assert "secret" not in result.stdout
    assert "GIVEN=yes" in result.stdout
    assert f"HOME={tmp_path}" in result.stdout


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    result = run(["printf", "a\\377b"], cwd=tmp_path, limits=Limits())
    assert result.stdout == "a\ufffdb"


def test_missing_program(tmp_path: Path) -> None:
    with pytest.raises(ToolMissing, match="no-such-program"):
        run(["no-such-program"], cwd=tmp_path, limits=Limits())


def test_silence_counts_from_the_agreed_word(tmp_path: Path) -> None:
    silence = Silence("ready", 0.3)
    script = "echo starting; sleep 0.6; echo ready; sleep 60"
    result = run(["sh", "-c", script], cwd=tmp_path, limits=Limits(wall_s=30), silence=silence)
    assert result.stopped is StopCause.SILENCE
    assert result.stdout == "starting\nready\n"


def test_only_processes_with_exactly_the_mark_are_killed() -> None:
    mark = new_mark()
    near = [
        {MARK_VARIABLE: mark + "0"},
        {"MY_" + MARK_VARIABLE: mark},
        {"OTHER": f"{MARK_VARIABLE}={mark}"},
        {MARK_VARIABLE: new_mark()},
    ]
    path = {"PATH": os.environ["PATH"]}
    others = [subprocess.Popen(["sleep", "60"], env=path | env) for env in near]
    ours = subprocess.Popen(["sleep", "60"], env=path | {MARK_VARIABLE: mark})
    try:
        assert kill_marked(mark) == 1
        assert ours.wait(timeout=10) == -9
        assert [other.poll() for other in others] == [None] * len(others)
    finally:
        for other in [*others, ours]:
            other.kill()
            other.wait()


@pytest.mark.parametrize("mark", ["", "y", "yes", "0" * 31, "G" * 32])
def test_a_mark_that_others_could_carry_is_refused(mark: str) -> None:
    with pytest.raises(ValueError, match="not a mark"):
        kill_marked(mark)


def test_until_bounds_every_process_whatever_its_own_limit(tmp_path):
    until = time.monotonic() + 0.6
    for wall_s in (0.3, 20.0, 20.0):
        result = run(["sleep", "30"], cwd=tmp_path, limits=Limits(wall_s=wall_s, until=until))
        assert result.timed_out
    assert time.monotonic() < until + 1.0
    assert Limits(until=until).over()
    assert Limits(until=until).left_s == 0.0
    assert not Limits().over()
