"""Settings: which layer wins, where each value came from, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rtl_agent.agent.config.build import backend_settings, make_retriever, solve_options
from rtl_agent.agent.config.resolve import resolve
from rtl_agent.agent.config.schema import Settings, seconds
from rtl_agent.agent.errors import ConfigError, ExitCode
from rtl_agent.agent.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a folder in it, and a user's file."""
    folder = tmp_path / "project" / "deep" / "er"
    folder.mkdir(parents=True)
    return folder


def environ(tmp_path: Path, **more: str) -> dict[str, str]:
    user = tmp_path / "user.toml"
    if not user.exists():
        user.write_text("")
    return {"RTL_AGENT_CONFIG": str(user), **more}


def test_each_layer_is_stronger_than_the_next(tmp_path: Path, project: Path) -> None:
    top = tmp_path / "project"
    (tmp_path / "user.toml").write_text(
        'attempts = 5\ncandidates = 5\nseed = 5\njobs = 5\nmodel = "five"\n'
    )
    (top / "pyproject.toml").write_text(
        "[tool.other]\njobs = 9\n\n[tool.rtl-agent]\n"
        "attempts = 4\ncandidates = 4\nseed = 4\njobs=4\n"
    )
    (top / ".rtl-agent.toml").write_text("# ours\nattempts = 3\ncandidates = 3\nseed = 3\n")
    env = environ(tmp_path, RTL_AGENT_ATTEMPTS="2", RTL_AGENT_CANDIDATES="2")
    resolved = resolve({"attempts": 1, "candidates": None}, cwd=project, environ=env)
    got = resolved.settings
    assert (got.attempts, got.candidates, got.seed, got.jobs) == (1, 2, 3, 4)
    assert (got.model, got.timeout) == ("five", 600.0)
    assert {k: resolved.origins[k] for k in ("attempts", "candidates", "seed", "jobs")} == {
        "attempts": "option --attempts",
        "candidates": "environment RTL_AGENT_CANDIDATES",
        "seed": f"{top / '.rtl-agent.toml'}:4",
        "jobs": f"{top / 'pyproject.toml'}:8",
    }
    assert resolved.origins["model"] == f"{tmp_path / 'user.toml'}:5"
    assert resolved.origins["timeout"] == "default"


def test_the_nearest_project_file_is_found_upward(tmp_path: Path, project: Path) -> None:
    (tmp_path / "project" / ".rtl-agent.toml").write_text("seed = 1\n")
    (project.parent / ".rtl-agent.toml").write_text("seed = 2\n")
    assert resolve(cwd=project, environ=environ(tmp_path)).settings.seed == 2


def test_relative_paths_in_a_file_start_at_that_file(tmp_path: Path, project: Path) -> None:
    (tmp_path / "project" / ".rtl-agent.toml").write_text('out = "build"\n')
    assert resolve(cwd=project, environ=environ(tmp_path)).settings.out == (
        tmp_path / "project" / "build"
    )
    told = resolve({"out": "here"}, cwd=project, environ=environ(tmp_path)).settings.out
    assert str(told) == "here"


def test_dashes_in_keys_are_as_good_as_underscores(tmp_path: Path, project: Path) -> None:
    (project / ".rtl-agent.toml").write_text("max-tokens = 7\n")
    assert resolve(cwd=project, environ=environ(tmp_path)).settings.max_tokens == 7


def test_an_unknown_key_in_a_file_names_file_line_and_the_nearest(
    tmp_path: Path, project: Path
) -> None:
    (project / ".rtl-agent.toml").write_text("seed = 1\n\natempts = 3\n")
    with pytest.raises(ConfigError) as caught:
        resolve(cwd=project, environ=environ(tmp_path))
    assert f"{project / '.rtl-agent.toml'}:3: unknown setting 'atempts'" in caught.value.message
    assert "Did you mean 'attempts'?" in caught.value.remedy
    assert caught.value.exit_code is ExitCode.USAGE


def test_an_unknown_key_in_pyproject(tmp_path: Path, project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.rtl-agent]\nbogus = 1\n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml:2: unknown setting 'bogus'"):
        resolve(cwd=project, environ=environ(tmp_path))


def test_an_unknown_variable(tmp_path: Path, project: Path) -> None:
    env = environ(tmp_path, RTL_AGENT_SEDE="1")
    with pytest.raises(ConfigError, match="environment variable RTL_AGENT_SEDE") as caught:
        resolve(cwd=project, environ=env)
    assert "Did you mean 'seed'?" in caught.value.remedy


def test_variables_that_are_no_settings_are_left_alone(tmp_path: Path, project: Path) -> None:
    env = environ(tmp_path, RTL_AGENT_CACHE="/x", RTL_AGENT_DEBUG="1", OTHER="2")
    assert resolve(cwd=project, environ=env).settings == Settings()


BAD = {
    "attempts": ("0", "greater than or equal to 1"),
    "timeout": ("soon", "is no duration"),
    "backend": ("cloud", "'local', 'openai' or 'replay'"),
    "library": ("perhaps", "valid boolean"),
    "seed": ("-1", "greater than or equal to 0"),
}


@pytest.mark.parametrize("key", BAD)
def test_a_value_that_cannot_be_used_names_its_place(
    key: str, tmp_path: Path, project: Path
) -> None:
    value, message = BAD[key]
    name = f"RTL_AGENT_{key.upper()}"
    with pytest.raises(ConfigError) as caught:
        resolve(cwd=project, environ=environ(tmp_path, **{name: value}))
    assert caught.value.message.startswith(f"environment {name}: {key}: ")
    assert message in caught.value.message
    assert caught.value.remedy


def test_a_key_never_shows(tmp_path: Path, project: Path) -> None:
    env = environ(tmp_path, RTL_AGENT_API_KEY="hush")
    settings = resolve(cwd=project, environ=env).settings
    assert settings.shown("api_key") == "********"
    assert "hush" not in repr(settings)
    assert backend_settings(settings).api_key == "hush"
    (project / ".rtl-agent.toml").write_text("api_key = [1]\n")
    with pytest.raises(ConfigError) as caught:
        resolve(cwd=project, environ=environ(tmp_path))
    assert "[1]" not in caught.value.message


def test_a_file_that_is_no_toml(tmp_path: Path, project: Path) -> None:
    (project / ".rtl-agent.toml").write_text("seed = \n")
    with pytest.raises(ConfigError, match=r"not valid TOML: .*line 1"):
        resolve(cwd=project, environ=environ(tmp_path))


def test_a_file_that_is_not_utf_8(tmp_path: Path, project: Path) -> None:
    (project / ".rtl-agent.toml").write_bytes(b"# \xe4\n")
    with pytest.raises(ConfigError, match="not UTF-8"):
        resolve(cwd=project, environ=environ(tmp_path))


def test_a_table_that_is_none(tmp_path: Path, project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool]\nrtl-agent = 3\n")
    with pytest.raises(ConfigError, match="must be a table"):
        resolve(cwd=project, environ=environ(tmp_path))


def test_a_named_config_file_that_is_missing(tmp_path: Path, project: Path) -> None:
    with pytest.raises(ConfigError, match="named by RTL_AGENT_CONFIG"):
        resolve(cwd=project, environ={"RTL_AGENT_CONFIG": str(tmp_path / "none.toml")})


@pytest.mark.parametrize(
    ("text", "value"), [("90", 90), ("90s", 90), ("1.5m", 90), ("10min", 600), ("1h", 3600)]
)
def test_durations(text: str, value: float) -> None:
    assert seconds(text) == value


def test_settings_become_options() -> None:
    settings = Settings(
        require="compiles", timeout="2m", sandbox="off", check_timeout=5, device="", library=False
    )
    options = solve_options(settings)
    assert (options.require, options.timeout_s) == (Verdict.COMPILES, 120.0)
    assert (str(options.sandbox), options.check_limits.wall_s) == ("off", 5.0)
    assert backend_settings(settings).device is None
    assert make_retriever(settings) is None
    assert solve_options(Settings()).require is None


@pytest.mark.parametrize("value", ["0", "0s", "0.5s"])
def test_a_check_without_time_is_refused(tmp_path: Path, value: str) -> None:
    # Everything would fail with "ran into its time limit"; no bound is not what 0 means here.
    with pytest.raises(ConfigError, match="check_timeout"):
        resolve({"check_timeout": value}, cwd=tmp_path, environ=environ(tmp_path))
