"""A self-checking Verilog bench."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..diagnostic import Severity
from ..errors import CheckUnusable
from ..interface import Interface
from ..parse import parse_files, parse_text, read_source
from ..simulate.timescale import DEFAULT_TIMESCALE
from .bench_run import BenchBuild, BenchSetup, build_bench
from .bench_styles import BenchReport, can_report, read_report
from .companions import resolve_files
from .constant import ignores_its_inputs
from .options import own_limits, require_known
from .speech import Speech, read_speech
from .timeouts import Patience
from .types import CheckStatus, Dut
from .verdict import from_compile, result

if TYPE_CHECKING:
    from pathlib import Path

    from ..process import ProcessResult
    from .types import CheckResult, CheckSource, Limits

__all__ = ["OPTIONS", "TestbenchCheck"]

_ENDED = re.compile(r"^(\S+):(\d+): \$(?:finish|stop) called", re.MULTILINE)
OPTIONS = frozenset({"pass", "fail", "top", "golden", "files"})


@dataclass(frozen=True, slots=True)
class TestbenchCheck:
    """A bench that instantiates the design and says in its output whether it is right.

    Options: `pass` and `fail`, regular expressions for the lines that say so (groups named
    `samples` and `mismatches` are numbers); `top`, the bench's top module; `files`, further
    sources of the bench; `golden`, a right design: the bench is run on it once, and as many
    samples are then required of the DUT.

    A pass is: a report that says so and counts at least one sample, on a design that elaborates
    without the bench and neither ends the simulation nor prints such a report itself. Where a
    style does not count samples, its pass lines are counted. A design that has inputs and
    uses none of them does not pass either.
    """

    source: CheckSource
    timescale: str = DEFAULT_TIMESCALE
    _golden: dict[str, BenchReport] = field(default_factory=dict, compare=False, repr=False)

    def run(
        self,
        dut: Dut,
        workdir: Path,
        *,
        limits: Limits,
        seed: int,  # noqa: ARG002  (a bench has its own)
        waves: bool = False,
    ) -> CheckResult:
        """Judge `dut` by what the bench says of it."""
        require_known(self.source, OPTIONS)
        limits = own_limits(self.source, limits)
        unused = self._never_uses(dut)
        if unused:
            return result(self.source, CheckStatus.BROKEN, unused)
        required = self._required(workdir / "golden", limits)
        if isinstance(required, str):
            return result(self.source, CheckStatus.BROKEN, required)
        speech = read_speech((str(path), read_source(path)) for path in dut.files)
        build = self._build(dut, workdir / "dut", limits, waves=waves)
        if build.compiled.image is None:
            judged = from_compile(self.source, build.compiled, **build.common())
            return replace(judged, status=CheckStatus.BROKEN) if self._malformed(build) else judged
        patience = Patience(dut, limits, build.simulate, build.probe, lambda process: process)
        process = patience.run()
        if process.stopped is not None:
            return patience.explain(self.source, process, **build.common())
        judged = self._judge(build, process, speech, required)
        doubt = self._doubt(dut, build, limits) if judged.passed else ""
        return replace(judged, status=CheckStatus.FAILED, reason=doubt) if doubt else judged

    def _never_uses(self, dut: Dut) -> str:
        """Why the bench can say nothing of any design: it names none of its modules."""
        extra = resolve_files(self.source, "files")
        texts = [("bench", self.source.text), *((str(p), read_source(p)) for p in extra)]
        if any("`include" in text for _, text in texts):
            return ""  # what is included may instantiate it
        modules = {m.name for m in parse_files(dut.files, language=dut.language).modules}
        if (modules | {dut.interface.module}) & read_speech(texts).names:
            return ""
        if not parse_text(self.source.text).ok:
            return ""  # the compiler says what is wrong
        return f"{self.source.origin}: the bench does not instantiate {dut.interface.module}"

    def _malformed(self, build: BenchBuild) -> bool:
        """Whether the bench has syntax errors of its own, not those of a design before it."""
        first = next((d for d in build.compiled.diagnostics if d.severity is Severity.ERROR), None)
        if first is None or first.code != "syntax" or first.file in build.dut_files.values():
            return False
        return not parse_text(self.source.text).ok

    def _doubt(self, dut: Dut, build: BenchBuild, limits: Limits) -> str:
        """Why a pass is no evidence for this design; empty when it is."""
        outside = build.outside_references(dut.interface.module, limits)
        if outside:
            return f"the design does not stand alone: {outside}"
        if ignores_its_inputs(dut):
            return "no output of the design depends on any of its inputs; the bench did not notice"
        return ""

    def _build(self, dut: Dut, workdir: Path, limits: Limits, *, waves: bool = False) -> BenchBuild:
        name = self.source.path.name if self.source.path is not None else "bench.v"
        bench = parse_text(self.source.text, name=name)
        top = self.source.options.get("top", "")
        if top and bench.module(top) is None:
            raise CheckUnusable(
                f"{self.source.origin}: the bench has no module {top}",
                remedy=f"modules there: {', '.join(m.name for m in bench.modules) or 'none'}",
            )
        tops = [top] if top else [m.name for m in bench.tops]
        if not tops:
            raise CheckUnusable(
                f"{self.source.origin}: the bench has no top module",
                remedy="a bench is a module that instantiates the design and is itself not used",
            )
        extra = resolve_files(self.source, "files")
        setup = BenchSetup(self.source, tops, extra, self.timescale, waves)
        return build_bench(setup, dut, workdir, limits)

    def _report(self, process: ProcessResult) -> BenchReport:
        options = self.source.options
        return read_report(process.output, options.get("pass", ""), options.get("fail", ""))

    def _required(self, workdir: Path, limits: Limits) -> int | str:
        """Samples that the golden design gets, 1 without one; a text when it does not pass."""
        files = resolve_files(self.source, "golden")
        if not files:
            return 1
        if "report" not in self._golden:
            build = self._build(Dut(tuple(files), Interface("")), workdir, limits)
            process = build.simulate(limits) if build.compiled.image is not None else None
            if process is None or process.stopped is not None:
                return f"{self.source.origin}: the golden design does not run under this bench"
            self._golden["report"] = self._report(process)
        report = self._golden["report"]
        if not report.clean:
            why = report.complaint or f"{report.mismatches} mismatches, {report.samples} samples"
            return f"{self.source.origin}: the golden design does not pass this bench ({why})"
        return report.samples

    def _judge(
        self, build: BenchBuild, process: ProcessResult, speech: Speech, required: int
    ) -> CheckResult:
        report = self._report(process)
        common = build.common() | {"samples": report.samples, "mismatches": report.mismatches}
        if process.exit_code < 0 or process.exit_code > 1:
            reason = f"the simulator crashed (exit code {process.exit_code})"
            return result(self.source, CheckStatus.CRASHED, reason, **common)
        why = _interference(build, process, speech, self.source.options.get("pass", ""))
        if why:
            return result(self.source, CheckStatus.FAILED, why, **common)
        return self._weigh(report, required, process.exit_code, common)

    def _weigh(
        self, report: BenchReport, required: int, exit_code: int, common: dict[str, Any]
    ) -> CheckResult:
        if report.mismatches or report.complaint:
            reason = report.complaint or f"{report.mismatches} of {report.samples} samples differ"
            return result(self.source, CheckStatus.FAILED, reason, **common)
        if not report.style:
            return self._silent(common)
        if not report.samples:
            reason = "the bench ended before anything was compared (0 samples)"
            return result(self.source, CheckStatus.FAILED, reason, **common)
        if report.samples < required:
            reason = f"only {report.samples} samples; the golden design gets {required}"
            return result(self.source, CheckStatus.FAILED, reason, **common)
        if exit_code:
            reason = f"the simulation ended with exit code {exit_code}"
            return result(self.source, CheckStatus.FAILED, reason, **common)
        reason = f"{report.samples} samples match ({report.style})"
        return result(self.source, CheckStatus.PASSED, reason, **common)

    def _silent(self, common: dict[str, Any]) -> CheckResult:
        """No report: the bench's fault if it has no way to report, else the design's."""
        literals = read_speech([("bench", self.source.text)]).literals
        if can_report(literals, self.source.options.get("pass", "")):
            reason = "the bench ended without saying that the design passed"
            return result(self.source, CheckStatus.FAILED, reason, **common)
        reason = (
            f"{self.source.origin}: the bench never says whether the design passed; "
            "print PASS or FAIL, or name its words with the options pass and fail"
        )
        return result(self.source, CheckStatus.BROKEN, reason, **common)


def _interference(
    build: BenchBuild, process: ProcessResult, speech: Speech, pass_pattern: str
) -> str:
    """Why the bench's word cannot be taken: the design ended the run, or can speak for it."""
    for name, line in _ENDED.findall(process.stdout):
        if name in build.dut_files:
            return f"the design ended the simulation ({build.dut_files[name]}:{line})"
    if speech.ends is not None:
        task, place = speech.ends
        return f"the design can end the simulation: {task} at {place}"
    if speech.prints and can_report(speech.literals, pass_pattern, foreign=True):
        return "the design prints what could be taken for the bench's own report"
    return ""
