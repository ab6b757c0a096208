"""Finding tools, with fake programs and with the real ones."""

import pytest
from rtl_agent.tools import toolchain
from rtl_agent.tools.errors import ToolMissing
from rtl_agent.tools.toolchain import ALL_TOOLS, ICARUS, PYSLANG, Tool, parse_version, status_of_all
from rtl_agent.tools.toolchain import platform as hints


@pytest.fixture
def bin_folder(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def fake(folder, name, output, code=0):
    path = folder / name
    path.write_text(
        f"#!/bin/sh\necho \"$@\" >> {folder}/argv\nprintf '%s' '{output}'\nexit {code}\n"
    )
    path.chmod(0o755)
    return path


def tool(**changes):
    fields = {
        "name": "fake",
        "purpose": "tests",
        "absence": "nothing",
        "packages": {"apt-get": "fake-package", "dnf": "fake-rpm", "brew": "fake-brew"},
        "program": "fake-eda",
    }
    return Tool(**(fields | changes))


def test_a_program_on_the_path(bin_folder):
    path = fake(bin_folder, "fake-eda", "Fake EDA version 12.3 (stable)")
    found = tool(minimum="11.0")
    assert found.available()
    assert found.path() == path
    assert found.require() == path
    assert found.version() == "12.3"
    assert found.status().ok
    assert (bin_folder / "argv").read_text() == "--version\n"


def test_a_missing_program(bin_folder):
    missing = tool()
    assert not missing.available()
    assert missing.version() is None
    status = missing.status()
    assert (status.ok, status.version, status.path) == (False, "", "")
    assert status.install
    with pytest.raises(ToolMissing, match="not installed") as caught:
        missing.require()
    assert caught.value.remedy == missing.install()


def test_a_program_that_is_too_old(bin_folder):
    fake(bin_folder, "fake-eda", "version 9.7")
    status = tool(minimum="10.0").status()
    assert status.version == "9.7"
    assert not status.ok


def test_a_program_that_does_not_say_its_version(bin_folder):
    fake(bin_folder, "fake-eda", "hello", code=1)
    assert tool().version() is None
    assert tool().status().ok
    assert not tool(minimum="1.0").status().ok


def test_a_program_that_changed_is_asked_again(bin_folder):
    fake(bin_folder, "fake-eda", "version 1.0")
    assert tool().version() == "1.0"
    import os

    path = fake(bin_folder, "fake-eda", "version 2.0")
    os.utime(path, (1, 1))
    assert tool().version() == "2.0"


def test_a_package_without_a_program():
    assert PYSLANG.available()
    assert PYSLANG.path() is None
    assert parse_version(PYSLANG.version() or "") >= (12, 1)
    gone = tool(program="", module="no_such_package_here", distribution="no-such-dist")
    assert not gone.available()
    assert gone.version() is None


@pytest.mark.parametrize(
    ("manager", "expected"),
    [
        ("apt-get", "sudo apt-get install -y fake-package"),
        ("dnf", "sudo dnf install -y fake-rpm"),
        ("zypper", "install the package fake-package with your system's package manager"),
        (None, "install the package fake-package with your system's package manager"),
    ],
)
def test_the_install_command_fits_the_system(monkeypatch, manager, expected):
    monkeypatch.setattr(hints, "package_manager", lambda: manager)
    assert tool().install() == expected


def test_a_wheel_is_installed_with_pip(monkeypatch):
    monkeypatch.setattr(hints, "package_manager", lambda: "apt-get")
    assert tool(packages={"pip": "fake"}).install() == "pip install fake"


def test_package_managers_are_found_on_the_path(bin_folder, monkeypatch):
    monkeypatch.setenv("PATH", str(bin_folder))
    assert hints.package_manager() is None
    fake(bin_folder, "pacman", "")
    assert hints.package_manager() == "pacman"
    monkeypatch.setattr(hints.sys, "platform", "darwin")
    assert hints.package_manager() is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [("9.9", "11.0"), ("11.0", "12.0"), ("5.4", "5.48"), ("0.9", "0.70"), ("", "0.1")],
)
def test_versions_compare_as_numbers(older, newer):
    assert parse_version(older) < parse_version(newer)


def test_every_tool_says_what_it_is_for():
    names = [t.name for t in ALL_TOOLS]
    assert len(set(names)) == len(names)
    for one in ALL_TOOLS:
        assert one.purpose
        assert one.absence
        assert one.install()


def test_the_real_simulator_is_found():
    assert ICARUS.status().ok
    by_name = {s.name: s for s in status_of_all()}
    assert by_name["iverilog"].required
    assert by_name["vvp"].ok
    assert by_name["cocotb"].ok


def test_nothing_heavy_is_imported_to_name_tools():
    assert "status_of_all" in toolchain.__all__
    import subprocess
    import sys

    code = (
        "import sys; import rtl_agent.tools.toolchain, rtl_agent.tools.parse, rtl_agent.tools.lint,"
        " rtl_agent.tools.screen, rtl_agent.tools.dataflow;"
        " print([m for m in ('pyslang', 'pyverilog', 'cocotb', 'torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
