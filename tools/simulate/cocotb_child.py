"""Runs in a child process: start the simulator through cocotb's runner, from `run.json`.

A copy of this file is executed inside the run folder; it imports nothing of this package.
"""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_RELOADED = ("cocotb", "cocotb_tools", "pytest")


def _runner_factory() -> Callable[[str], Any]:
    """`get_runner`, loaded without pytest, which only cocotb's tests use and which is slow."""
    sys.modules["pytest"] = types.ModuleType("pytest")
    try:
        from cocotb_tools.runner import get_runner
    except (AttributeError, ImportError):  # it does use it after all
        for name in [n for n in sys.modules if n.partition(".")[0] in _RELOADED]:
            del sys.modules[name]
        from cocotb_tools.runner import get_runner
    return get_runner


def main(config: Path) -> int:
    """Run the tests that `config` names; the results file tells how they went."""
    get_runner = _runner_factory()
    settings = json.loads(config.read_text(encoding="utf-8"))
    unit, _, precision = settings["timescale"].partition("/")
    get_runner("icarus").test(
        test_module=settings["module"],
        hdl_toplevel=settings["top"],
        hdl_toplevel_lang="verilog",
        build_dir=settings["build_dir"],
        test_dir=settings["test_dir"],
        results_xml=settings["results"],
        test_args=["-n"],
        timescale=(unit, precision or unit),
        seed=settings["seed"],
        waves=settings["waves"],
        extra_env=settings["env"],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
