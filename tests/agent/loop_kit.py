"""What the tests of the loop share: small specs, a fake toolbox, models by purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.backends.base import Answer
from rtl_agent.agent.graph.options import SolveOptions, TemperatureSchedule
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.graph.toolbox import Linted
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.decoding.api import DecodeStats, FinishReason
from rtl_agent.tools.checks.types import (
    CheckKind,
    CheckResult,
    CheckSource,
    CheckStatus,
    Cycle,
    Mismatch,
)
from rtl_agent.tools.clocking import infer_clocking
from rtl_agent.tools.diagnostic import Diagnostic, Severity
from rtl_agent.tools.interface import Direction, Interface, Port

if TYPE_CHECKING:
    from pathlib import Path

IN, OUT = Direction.INPUT, Direction.OUTPUT

INVERTER = Interface("inv", (Port(IN, "a"), Port(OUT, "y")))
GOOD_INVERTER = "module inv(input a, output y);\n  assign y = ~a;\nendmodule\n"
BAD_INVERTER = "module inv(input a, output y);\n  assign y = a;\nendmodule\n"


def fenced(code: str) -> str:
    return f"Here it is:\n```verilog\n{code}```\n"


def inverter_spec(*names: str, **changes: object) -> Spec:
    """A spec with one check for each of `names`; the fake toolbox judges by them."""
    checks = tuple(
        CheckSource(CheckKind.VECTORS, name, "a,y\n0,1\n", f"inv.md:{i}")
        for i, name in enumerate(names, 5)
    )
    values = {"name": "inv", "path": None, "text": "An inverter.", "interface": INVERTER}
    return Spec(**{**values, "checks": checks, **changes})


COUNTER = Interface("cnt", (Port(IN, "clk"), Port(IN, "rst"), Port(IN, "en"), Port(OUT, "q", 4)))
GOOD_COUNTER = """module cnt(input clk, input rst, input en, output reg [3:0] q);
  always @(posedge clk)
    if (rst) q <= 4'd0;
    else if (en) q <= q + 4'd1;
endmodule
"""
COUNTER_MODEL = """
class Model:
    def reset(self):
        self.q = 0

    def step(self, inputs):
        if inputs["rst"]:
            self.q = 0
        elif inputs["en"]:
            self.q = (self.q + 1) & 15
        return {"q": self.q}
"""


def counter_spec() -> Spec:
    source = CheckSource(CheckKind.REFERENCE_MODEL, "model", COUNTER_MODEL, "cnt.md:7")
    return Spec(
        "cnt",
        None,
        "A 4-bit counter `q` with synchronous reset `rst` and enable `en`.",
        COUNTER,
        checks=(source,),
        clocking=infer_clocking(COUNTER),
    )


class FakeCheck:
    def __init__(self, source: CheckSource) -> None:
        self.source = source


class FakeToolbox:
    """Judges by what the source says, and keeps a log of every finished judgement.

    `BROKEN` in a source does not compile, `$finish` is screened out, `~a` passes. `point` is
    called before each piece of work; tests kill the process there.
    """

    def __init__(self, log: Path | None = None, point=lambda name: None) -> None:
        self.log = log
        self.point = point
        self.judged: list[str] = []

    def prepare(self, spec):
        return tuple(FakeCheck(source) for source in spec.checks)

    def screen(self, files, spec):
        self.point("screen")
        self._done("screen", files[-1])
        if "$finish" not in files[-1].read_text():
            return ()
        return (Diagnostic("inv.v", 2, 0, Severity.ERROR, "finish", "$finish in it", "", "fake"),)

    def lint(self, files, spec, workdir):
        self.point("lint")
        assert list(workdir.iterdir()) == []
        (workdir / "leftover").write_text("x")
        self._done("lint", files[-1])
        if "BROKEN" not in files[-1].read_text():
            return Linted(True, ())
        error = Diagnostic("inv.v", 2, 3, Severity.ERROR, "syntax", "syntax error", "", "fake")
        return Linted(False, (error,))

    def check(self, check, dut, workdir, *, limits, seed):
        self.point("check")
        assert list(workdir.iterdir()) == []
        (workdir / "leftover").write_text("x")
        self._done(f"check {check.source.name}", dut.files[-1])
        name, kind = check.source.name, check.source.kind
        if check.source.name == "broken":
            return CheckResult(name, kind, CheckStatus.BROKEN, 0, 0, "no test in it")
        if "~a" in dut.files[-1].read_text():
            return CheckResult(name, kind, CheckStatus.PASSED, 10, 0, "10 samples match")
        wrong = Mismatch(
            10.0, 1, {"y": "1"}, {"y": "0"}, {"a": "0"}, (Cycle(10.0, 1, {"a": "0", "y": "0"}),)
        )
        return CheckResult(name, kind, CheckStatus.FAILED, 10, 5, "5 of 10 samples differ", wrong)

    def _done(self, what: str, file: Path) -> None:
        entry = f"{what} {file.parent.parent.name}/{file.parent.name}"
        self.judged.append(entry)
        if self.log:
            with self.log.open("a") as out:
                out.write(entry + "\n")


class ByPurpose:
    """A model without memory of its calls: answers a purpose with its text, `n` times."""

    name = "by-purpose"
    style = "instruct"
    prefills = False

    def __init__(self, log: Path | None = None, point=lambda name: None, **answers) -> None:
        self.answers = {k.replace("_", "-"): v for k, v in answers.items()}
        self.log = log
        self.point = point
        self.calls: list[tuple[str, int, float]] = []

    def answer(self, prompt, *, n, params, on_text=None, should_stop=None):
        self.point("answer")
        self.calls.append((prompt.purpose, n, params.temperature))
        texts = self.answers[prompt.purpose]
        texts = [texts] * n if isinstance(texts, str) else [texts[i % len(texts)] for i in range(n)]
        for index, text in enumerate(texts):
            if on_text:
                on_text(index, text)
        if self.log:
            with self.log.open("a") as out:
                out.write(f"answer {prompt.purpose} n={n} seed={params.seed}\n")
        stats = DecodeStats(new_tokens=10, target_passes=5, prompt_tokens=50)
        return tuple(
            text if isinstance(text, Answer) else Answer(text, FinishReason.EOS, stats)
            for text in texts
        )

    def close(self) -> None:
        pass


def run_loop(out, spec, backend, *, toolbox=None, on_event=None, retriever=None, **options):
    """Solve with the fake toolbox and the chat prompts."""
    return solve(
        spec,
        SolveOptions(out=out, **{"jobs": 1, "probe": False, **options}),
        backend,
        InstructStyle(prefill=bool(getattr(backend, "prefills", False))),
        retriever,
        on_event=on_event,
        toolbox=toolbox or FakeToolbox(),
    )


SAMPLED_ONLY = TemperatureSchedule(greedy_first=False)
