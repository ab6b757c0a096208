"""Runs in a child process: start the simulator through cocotb's runner, from `run.json`.

A copy of this file is executed inside the run folder; it imports nothing of this package.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(config: Path) -> int:
    """Run the tests that `config` names; the results file tells how they went."""
    from cocotb_tools.runner import get_runner  # noqa: PLC0415

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
