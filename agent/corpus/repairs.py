"""Repair pairs: a wrong answer with the diagnosis the loop would give it, and the right answer."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.graph.diagnosis import UNDIAGNOSED, diagnose
from rtl_agent.agent.library.header import plain_form
from rtl_agent.agent.library.records import interface_from_json
from rtl_agent.agent.library.verilog_text import split_module
from rtl_agent.agent.styles.embedded import EmbeddedStyle
from rtl_agent.agent.verdict import Evidence
from rtl_agent.decoding.training.corpus.bench import vector_bench
from rtl_agent.tools.checks.types import CheckKind, CheckResult, CheckStatus, Mismatch
from rtl_agent.tools.diagnostic import Severity
from rtl_agent.tools.parse import parse_text

from .faults import inject_fault
from .pairs import Pair, family_of, in_style_of, shown_first, spec_of
from .validate import run_bench

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from rtl_agent.agent.library.index import Library
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.decoding.training.corpus.design import Design, PortDecl

__all__ = ["repair_pair"]

_MISMATCH = re.compile(r"MISMATCH (\d+) in (\w+) got (\w+) want (\w+) care (\w+)")


def _unpack(word: str, ports: Sequence[PortDecl]) -> dict[str, str]:
    """Values by port from the bench's packed hexadecimal, as binary strings (x kept)."""
    total = sum(p.width for p in ports)
    bits = "".join(f"{int(c, 16):04b}" if c in "0123456789abcdef" else c.lower() * 4 for c in word)
    bits = bits[-total:].rjust(total, "0")
    out, at = {}, 0
    for port in ports:
        out[port.name] = bits[at : at + port.width]
        at += port.width
    return out


def _check_result(design: Design, message: str) -> CheckResult | None:
    """A bench's first mismatch as the loop would have it from a check."""
    found = _MISMATCH.search(message)
    if found is None:
        return None
    inputs = [p for p in design.ports if p.direction == "input" and p.name != design.clock]
    outputs = [p for p in design.ports if p.direction == "output"]
    mismatch = Mismatch(
        time_ns=10.0 * int(found[1]),
        cycle=int(found[1]),
        expected=_unpack(found[4], outputs),
        actual=_unpack(found[3], outputs),
        inputs=_unpack(found[2], inputs),
    )
    return CheckResult(
        "reference", CheckKind.REFERENCE_MODEL, CheckStatus.FAILED, 100, 1, "", mismatch
    )


def _evidence(design: Design, rtl: str, source: Path, spec: Spec) -> tuple[str, bool]:
    """The diagnosis of `rtl`, and whether it compiled; empty where nothing is wrong."""
    source.write_text(rtl, encoding="utf-8")
    errors = tuple(d for d in parse_text(rtl).diagnostics if d.severity is Severity.ERROR)
    if errors:
        found = Evidence(has_source=True, screen=(), compiled=False, lint=errors, user_checks=1)
        return diagnose(source, found, spec), False
    outcome = run_bench(rtl, vector_bench(design, 150, 1))
    result = _check_result(design, outcome.message)
    if not outcome.compiled or outcome.passed or result is None:
        return "", outcome.compiled
    found = Evidence(
        has_source=True, screen=(), compiled=True, lint=(), user_checks=1, user=(result,)
    )
    return diagnose(source, found, spec), True


def repair_pair(  # noqa: PLR0913
    design: Design,
    record: Mapping[str, Any],
    text: str,
    library: Library,
    rng: random.Random,
    *,
    diagnosed: bool = True,
) -> Pair | None:
    """A pair that corrects one fault of `design`; None where no fault could be made to show.

    Without `diagnosed` the prompt says only that the design failed.
    """
    interface = interface_from_json(record["interface"])
    spec = spec_of(record, text)
    exemplars = shown_first(library, spec, rng)[:1]
    plain = in_style_of(plain_form(record["rtl"], interface), interface, exemplars, spec)
    right = split_module(plain, interface.module)
    if right is None or not interface.ports:
        return None
    style = EmbeddedStyle()
    prompt = style.draft(spec, ())
    with tempfile.TemporaryDirectory(prefix="rtl-repair-") as folder:
        for _ in range(4):
            wrong = inject_fault(right.body, rng)
            if wrong == right.body:
                continue
            rtl = style.source(spec, prompt, wrong)
            evidence, compiled = _evidence(design, rtl, Path(folder) / "dut.v", spec)
            if evidence:
                evidence = evidence if diagnosed else UNDIAGNOSED
                asked = style.repair(spec, rtl, evidence, exemplars, compiled=compiled)
                answer = right.body.rstrip() + "\n"
                shown = family_of(exemplars)
                return Pair(asked.raw, answer, record["family"], asked.purpose, shown)
    return None
