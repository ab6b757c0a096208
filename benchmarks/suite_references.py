"""References of public suites as DUTs: right designs must pass, designs that cheat must not.

VerilogEval v2 and RTLLM v2 are fetched by the user and stay outside this repository:

    python benchmarks/suite_references.py --verilog-eval DIR --rtllm DIR

where DIR is a checkout of each. For every problem four designs are judged as `rtl-agent check`
would: the suite's own reference; `initial $finish;`; one that reads what the bench knows through a
hierarchical name; one with all outputs tied to zero. No model is asked, nothing is tuned.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.tools.checks.testbench import TestbenchCheck
from rtl_agent.tools.checks.types import CheckKind, CheckSource, Dut, Limits
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.parse import parse_files, parse_text, read_source, written_name
from rtl_agent.tools.screen import screen

if TYPE_CHECKING:
    from rtl_agent.tools.interface import Interface, Port

RESULTS = Path(__file__).parent / "results" / "suite_references.json"
LIMITS = Limits(wall_s=10.0)
# References that do not pass on Icarus 11, and cheats that are right: looked at one by one.
WHY = {
    "Prob099_m2014_q6c": "the bench names a port that the suite's own reference does not have",
    "Prob151_review2015_fsm": "casts to an enum need Icarus 12",
    "Prob156_review2015_fancytimer": "casts to an enum need Icarus 12",
    "adder_pipe_64bit": "the reference's module has another name than the bench wants",
    "multi_pipe_4bit": "the reference's module has another name than the bench wants",
    "radix2_div": "the reference fails the suite's own bench on this simulator",
    "ring_counter": "the bench initialises an array in its declaration, which Icarus 11 cannot",
    "asyn_fifo": "`break` in the bench needs Icarus 13",
    "clkgenerator": "the bench samples the clock in the instant in which it changes: a race",
    "Prob001_zero (zero)": "the right design is zero",
    "Prob002_m2014_q4i (zero)": "the right design is zero",
}
DESIGNS = ("reference", "finish", "peek", "zero")


@dataclass(frozen=True)
class Problem:
    """One problem: its bench, the text of a right design, and where a cheat would look."""

    suite: str
    name: str
    bench: Path
    reference: str
    top: str
    files: str = ""


def verilog_eval(folder: Path) -> list[Problem]:
    found = []
    for bench in sorted((folder / "dataset_spec-to-rtl").glob("*_test.sv")):
        stem = bench.name.removesuffix("_test.sv")
        ref = bench.with_name(f"{stem}_ref.sv")
        text = re.sub(r"\bRefModule\b", "TopModule", read_source(ref))
        found.append(Problem("verilog-eval", stem, bench, text, "TopModule", ref.name))
    return found


def rtllm(folder: Path) -> list[Problem]:
    found = []
    for bench in sorted(folder.glob("*/*/*/testbench.v")):
        for ref in sorted(bench.parent.glob("verified_*.v"))[:1]:
            name = bench.parent.name
            text = read_source(ref)
            for module in re.findall(r"\bmodule\s+(verified_\w+)", text):
                text = re.sub(rf"\b{module}\b", module.removeprefix("verified_"), text)
            model = parse_text(text)
            used = {i.module for m in parse_files([bench]).modules for i in m.instances}
            tops = [m.name for m in model.modules if m.name in used]
            tops = tops or [m.name for m in model.tops]
            found.append(Problem("rtllm", name, bench, text, tops[0] if tops else name))
    return found


def body(interface: Interface, inside: str) -> str:
    """A module with this interface and `inside` in it; all outputs are nets."""
    ports = ", ".join(
        f"{p.direction.value} {p.range} {written_name(p.name)}" for p in interface.ports
    )
    return f"module {written_name(interface.module)} ({ports});\n{inside}\nendmodule\n"


def tied(port: Port, value: str) -> str:
    return f"assign {written_name(port.name)} = {value};"


def cheat(problem: Problem, kind: str, interface: Interface) -> str:
    if kind == "finish":
        return body(interface, "initial $finish;")
    if kind == "zero":
        return body(interface, "\n".join(tied(p, "0") for p in interface.outputs()))
    bench = parse_files([problem.bench]).tops
    top = bench[0].name if bench else "tb"
    where = f"{top}.good1" if problem.suite == "verilog-eval" else top
    names = [(p, p.name) for p in interface.outputs()]
    return body(interface, "\n".join(tied(p, f"{where}.{written_name(n)}") for p, n in names))


def judge(problem: Problem, kind: str, workdir: Path) -> dict[str, Any]:
    """What `check` says, and by which of its parts."""
    started = time.monotonic()
    path = workdir / "dut.sv"
    path.write_text(problem.reference, encoding="utf-8")
    module = parse_files([path]).module(problem.top)
    if module is None:
        return {"verified": False, "by": "parse", "reason": f"no module {problem.top}"}
    interface = module.interface
    if kind != "reference":
        path.write_text(cheat(problem, kind, interface), encoding="utf-8")
    options = {"files": problem.files} if problem.files else {}
    source = CheckSource(
        CheckKind.TESTBENCH,
        "bench",
        read_source(problem.bench),
        problem.name,
        problem.bench,
        options,
    )
    dut = Dut((path,), interface, "systemverilog-2017")
    screened = [d for d in screen(parse_files([path]), interface) if d.severity is Severity.ERROR]
    result = TestbenchCheck(source).run(dut, workdir / "run", limits=LIMITS, seed=1)
    return {
        "verified": result.passed and not screened,
        "by": "screen" if screened else "bench",
        "bench_alone": result.passed,
        "samples": result.samples,
        "reason": str(screened[0]) if screened else result.reason,
        "seconds": round(time.monotonic() - started, 2),
    }


def measure(problem: Problem) -> dict[str, dict[str, Any]]:
    row = {}
    for kind in DESIGNS:
        with tempfile.TemporaryDirectory() as folder:
            row[kind] = judge(problem, kind, Path(folder))
            row[kind]["reason"] = row[kind]["reason"].replace(folder, "").strip()
    return row


def _short(reason: str) -> str:
    """A reason without the folders of this machine."""
    return re.sub(r"/\S*/(?=[^/\s]+:\d)", "", reason)


def summary(rows: dict[str, dict[str, dict[str, Any]]]) -> dict[str, Any]:
    counts = {k: sum(r[k]["verified"] for r in rows.values()) for k in DESIGNS}
    alone = {k: sum(bool(r[k].get("bench_alone")) for r in rows.values()) for k in DESIGNS}
    return {
        "problems": len(rows),
        "verified": counts,
        "pass_without_screen": alone,
        "references_that_fail": {
            n: {"reason": _short(r["reference"]["reason"]), "why": WHY.get(n, "not explained")}
            for n, r in rows.items()
            if not r["reference"]["verified"]
        },
        "cheats_that_pass": {
            f"{n} ({k})": WHY.get(f"{n} ({k})", r[k]["reason"])
            for n, r in rows.items()
            for k in DESIGNS[1:]
            if r[k]["verified"]
        },
    }


def _read_rows(path: Path | None) -> dict[str, dict[str, dict[str, Any]]]:
    if path is None or not path.is_file():
        return {}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        found |= json.loads(line)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verilog-eval", type=Path)
    parser.add_argument("--rtllm", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--rows", type=Path, help="keep each problem here, and go on from there")
    args = parser.parse_args()
    problems = verilog_eval(args.verilog_eval) if args.verilog_eval else []
    problems += rtllm(args.rtllm) if args.rtllm else []
    started = time.monotonic()
    done = _read_rows(args.rows)

    def row(problem: Problem) -> dict[str, dict[str, Any]]:
        key = f"{problem.suite}/{problem.name}"
        if key not in done:
            done[key] = measure(problem)
            if args.rows:
                with args.rows.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({key: done[key]}) + "\n")
        return done[key]

    with ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(row, problems))
    report: dict[str, Any] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "seconds": None if args.rows else round(time.monotonic() - started, 1),
    }
    for suite in dict.fromkeys(p.suite for p in problems):
        own = {p.name: r for p, r in zip(problems, rows, strict=True) if p.suite == suite}
        report[suite] = summary(own)
    args.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
