import sys
from pathlib import Path

import pytest
from rtl_agent.tools.process import Limits, ProcessResult, run
from rtl_agent.tools.sandbox import Bubblewrap, LimitsOnly, Sandbox, best_sandbox, bubblewrap

needs_bwrap = pytest.mark.skipif(not Bubblewrap().available(), reason="bubblewrap does not work")


def enclosed(folder: Path, *argv: str, sandbox: Sandbox | None = None) -> ProcessResult:
    limits = Limits(wall_s=20)
    return run(list(argv), cwd=folder, limits=limits, sandbox=sandbox or Bubblewrap())


@needs_bwrap
def test_only_the_work_folder_is_writable(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    script = f"touch here; touch {outside}/there; touch /usr/there; touch /tmp/there; ls /tmp"
    result = enclosed(inside, "sh", "-c", script)
    assert result.sandboxed
    assert (inside / "here").exists()
    assert not list(outside.iterdir())
    assert not Path("/usr/there").exists()
    assert not Path("/tmp/there").exists()


@needs_bwrap
def test_private_files_cannot_be_read(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    assert "hidden" not in enclosed(inside, "cat", str(secret)).stdout
    listed = set(enclosed(inside, "ls", "-A", str(Path.home())).stdout.split())
    pythons = [Path(p) for p in (sys.prefix, sys.base_prefix)]
    needed = {p.relative_to(Path.home()).parts[0] for p in pythons if p.is_relative_to(Path.home())}
    assert listed <= needed
    # the same without the sandbox: the harm
    assert "hidden" in enclosed(inside, "cat", str(secret), sandbox=LimitsOnly()).stdout


@needs_bwrap
def test_readable_paths_can_be_added(tmp_path: Path) -> None:
    inside, given = tmp_path / "in", tmp_path / "given"
    inside.mkdir()
    given.mkdir()
    (given / "data").write_text("42")
    sandbox = Bubblewrap().with_readable(given)
    assert enclosed(inside, "cat", str(given / "data"), sandbox=sandbox).stdout == "42"
    assert enclosed(inside, "touch", str(given / "new"), sandbox=sandbox).exit_code != 0


@needs_bwrap
def test_there_is_no_network(tmp_path: Path) -> None:
    script = "import socket; socket.create_connection(('127.0.0.1', 9), 2)"
    listing = enclosed(tmp_path, "cat", "/proc/net/dev").stdout
    assert [line.split(":")[0].strip() for line in listing.splitlines() if ":" in line] == ["lo"]
    assert enclosed(tmp_path, sys.executable, "-c", script).exit_code != 0


@needs_bwrap
def test_this_python_and_its_packages_are_there(tmp_path: Path) -> None:
    result = enclosed(tmp_path, sys.executable, "-c", "import cocotb; print(cocotb.__version__)")
    assert result.ok, result.stderr
    assert enclosed(tmp_path, "iverilog", "-V").ok


@needs_bwrap
def test_nothing_survives(tmp_path: Path) -> None:
    result = run(
        ["sh", "-c", "setsid sleep 7301 & sleep 7302"],
        cwd=tmp_path,
        limits=Limits(wall_s=0.5),
        sandbox=Bubblewrap(),
    )
    assert result.timed_out
    lines = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if _readable(p)]
    assert not [line for line in lines if b"7301" in line or b"7302" in line]


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


def test_a_bwrap_that_does_not_work_is_not_available(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "_bwrap", lambda: str(fake))
    bubblewrap._works.cache_clear()
    try:
        assert not Bubblewrap().available()
        assert isinstance(best_sandbox(), LimitsOnly)
    finally:
        bubblewrap._works.cache_clear()


def test_limits_alone_say_that_they_do_not_isolate(tmp_path: Path) -> None:
    result = enclosed(tmp_path, "true", sandbox=LimitsOnly())
    assert result.ok
    assert not result.sandboxed
