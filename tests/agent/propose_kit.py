"""What the tests of proposed checks share: specs without checks, designs, references."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from loop_kit import COUNTER_MODEL, GOOD_COUNTER, IN, OUT, counter_spec, fenced
from rtl_agent.agent.backends.scripted import ScriptedBackend
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.proposals.real import RealProposer
from rtl_agent.agent.proposals.types import Compared, Weight
from rtl_agent.agent.spec.model import Spec
from rtl_agent.agent.styles.instruct import InstructStyle
from rtl_agent.tools.checks.types import CheckResult, CheckStatus, Limits
from rtl_agent.tools.interface import Interface, Port

if TYPE_CHECKING:
    from pathlib import Path

    from rtl_agent.agent.report.result import SolveResult

UNCHECKED = replace(counter_spec(), checks=())
GOOD, GOOD_AGAIN = fenced(GOOD_COUNTER), fenced(GOOD_COUNTER.replace("q + 4'd1", "4'd1 + q"))
GOOD_THIRD = fenced(GOOD_COUNTER.replace("q <= 4'd0", "q <= 4'b0000"))
FORGETS_ENABLE = fenced(GOOD_COUNTER.replace("else if (en)", "else"))
BY_THREE = fenced(GOOD_COUNTER.replace("+ 4'd1", "+ 4'd3"))


def python(text: str) -> str:
    return f"```python\n{text}```\n"


MODEL = python(COUNTER_MODEL)
# Makes the mistake that `FORGETS_ENABLE` makes.
SAME_MISTAKE = python(COUNTER_MODEL.replace('elif inputs["en"]:', "else:"))


# Two outputs that have nothing to do with each other: a check of one says nothing of the other.
PAIR = Interface("pair", (Port(IN, "a", 4), Port(IN, "b", 4), Port(OUT, "y"), Port(OUT, "z", 4)))
PAIR_SPEC = Spec("pair", None, "y is a[0]; z is a + b where a > b, and a ^ b elsewhere.", PAIR)
PAIR_RTL = """module pair(input [3:0] a, input [3:0] b, output y, output [3:0] z);
  assign y = a[0];
  assign z = (a > b) ? a + b : a ^ b;
endmodule
"""
PAIR_AGAIN = PAIR_RTL.replace("(a > b)", "(b < a)")
HALF_MODEL = "def step(inputs):\n    return {'y': inputs['a'] & 1}\n"
WHOLE_MODEL = """def step(inputs):
    a, b = inputs["a"], inputs["b"]
    return {"y": a & 1, "z": (a + b) & 15 if a > b else a ^ b}
"""


class FakeProposer:
    """Says what a simulation would: `~a` is right. `point` is called before each piece of work."""

    def __init__(self, log: Path | None = None, point=lambda name: None, **changes) -> None:
        self.log = log
        self.point = point
        self.refused = changes.get("refused", "")
        self.score = changes.get("score", 0.9)
        self.done: list[str] = []

    def refusal(self):
        return self.refused

    def compare(self, source, spec, dut, workdir, *, limits, seed):
        self.point("compare")
        self._note(
            f"compare {source.name} {dut.files[-1].parent.name} {workdir.parent.parent.name}"
        )
        right = "~a" in dut.files[-1].read_text()
        status = CheckStatus.PASSED if right else CheckStatus.FAILED
        result = CheckResult(source.name, source.kind, status, 2, 0 if right else 2, "compared")
        expected = ({"y": "1"}, {"y": "0"})
        return Compared(result, expected, expected if right else expected[::-1])

    def weigh(self, job, spec):
        self.point("weigh")
        self._note(f"weigh {job.dut.files[-1].parent.name}")
        return Weight(self.score, killed=9, survived=1, tried=10)

    def _note(self, text: str) -> None:
        self.done.append(text)
        if self.log:
            with self.log.open("a") as out:
                out.write(text + "\n")


def run(
    out: Path, answers: list[str], *, spec: Spec = UNCHECKED, **options: Any
) -> tuple[SolveResult, ScriptedBackend]:
    """Solve with the real tools and a scripted model; few mutants, so that tests stay quick."""
    backend = ScriptedBackend(answers, proposes=True)
    settings: dict[str, Any] = {
        "candidates": 2, "attempts": 1, "search_s": 0, "check_limits": Limits(wall_s=30)
    }  # fmt: skip
    result = solve(
        spec,
        SolveOptions(out=out, **{**settings, **options}),
        backend,
        InstructStyle(),
        None,
        proposer=RealProposer(mutants=8),
    )
    return result, backend


def asked(backend: ScriptedBackend) -> list[str]:
    """The purposes of the prompts, in order."""
    return [prompt.purpose for prompt in backend.prompts]
