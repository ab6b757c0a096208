"""A repair that really happened: the embedded default's own answers, given back and judged again.

Recorded with `rtl-agent solve examples/mux4 --record …` (seed 0, one thread): the drafts of attempt
1 compile and compute the wrong thing; a repair in attempt 4 is right.
"""

from __future__ import annotations

from pathlib import Path

from rtl_agent.agent.backends.replay import ReplayBackend
from rtl_agent.agent.graph.options import SolveOptions
from rtl_agent.agent.graph.run import solve
from rtl_agent.agent.graph.stop import StopReason
from rtl_agent.agent.library.index import Library, open_library
from rtl_agent.agent.spec.read import read_spec
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.agent.verdict import Verdict

HERE = Path(__file__).parent
SPEC = HERE.parents[1] / "examples" / "mux4" / "spec.md"


def test_wrong_drafts_are_repaired_by_the_model(tmp_path: Path) -> None:
    backend = ReplayBackend(HERE / "fixtures" / "mux4_repair.jsonl", strict=False)
    options = SolveOptions(out=tmp_path, attempts=4, candidates=4, search_s=0, reuse=False)
    # Four designs that give four prompts, as in the run that was recorded.
    shown = {f"mux:11:library:{index}" for index in (14, 54, 15, 22)}
    library = Library([record for record in open_library() if record.name in shown])
    result = solve(read_spec(SPEC), options, backend, EmbeddedStyle(), library)
    assert (result.verdict, result.stop_reason) == (Verdict.VERIFIED, StopReason.REACHED)
    assert [a.phase for a in result.attempts] == ["draft", "repair", "repair", "repair"]
    assert [a.verdict for a in result.attempts] == ["failed", "failed", "failed", "verified"]
    assert "differ" in result.attempts[0].reason  # it compiled, and the simulation said no
