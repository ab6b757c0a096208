"""Compile and run batches of variants."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostic import Severity
from ..parse import parse_text
from ..process import Silence
from ..sandbox import best_sandbox
from ..simulate.icarus import compile_icarus, run_vvp
from ..simulate.loops import zero_delay_signals
from .bench import TRIAL_TOP, Bench, write_bench
from .rename import defined_modules, renamed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..checks.types import Limits
    from ..interface import Interface
    from ..process import ProcessResult
    from .record import Recording

__all__ = ["Trial", "TrialStatus", "Trials", "Watched"]

# Words of SystemVerilog that a Verilog source may use as names.
_LATER_WORD = re.compile(r"\b(?:bit|byte|do|int|logic|new|priority|this|unique|var|void|type)\b")
_LOOP = re.compile(r"\b(?:for|while|repeat)\s*\([^;)]*(?:;[^;]*;[^)]*)?\)")
_SILENCE = Silence("ROW ", 1.5)
_WALL_S = 6.0  # one batch; they are sized to take a tenth of this
_COMPILE_S = 6.0
_COMPILE_MIB = 768
_ROUNDS = 4  # compilations of one batch, each without the variants that failed the one before
_CELLS = 96_000  # rows times variants in one batch
_MOST = 96  # variants in one batch
_LEAST = 4


class TrialStatus(StrEnum):
    """How far a variant came."""

    RAN = "ran"
    REJECTED = "rejected"  # does not compile
    HANGS = "hangs"  # or dies, or ends the simulation
    SKIPPED = "skipped"  # there was no time left


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one variant.

    `wrong` has a number for each output of the interface; its bit k says that the output was
    wrong in row k. `rows` is how many rows there were.
    """

    status: TrialStatus
    wrong: tuple[int, ...] = ()
    rows: int = 0

    @property
    def failed(self) -> int:
        """A bit for each row with a mismatch."""
        mask = 0
        for rows in self.wrong:
            mask |= rows
        return mask

    @property
    def passed(self) -> bool:
        """Whether it ran over all rows without a mismatch."""
        return self.status is TrialStatus.RAN and not self.failed

    @property
    def bad(self) -> int:
        """Rows with a mismatch."""
        return self.failed.bit_count()

    @property
    def first(self) -> int | None:
        """The first row with a mismatch."""
        return (self.failed & -self.failed).bit_length() - 1 if self.failed else None


@dataclass(frozen=True, slots=True)
class Watched:
    """One design, row by row: its coverage bits, its outputs, and the rows that each had wrong.

    All three are empty unless it came to its end (`ended`).
    """

    coverage: tuple[str, ...]
    outputs: tuple[str, ...]
    wrong: dict[str, int]
    ended: bool = True


@dataclass(frozen=True, slots=True)
class Trials:
    """Tries variants of a design whose top module has `interface`, in folders below `workdir`.

    `companions` are files that all variants share. `jobs` batches run at once. When
    `limits.until` comes, what runs is ended, and what has no result yet is skipped.
    """

    interface: Interface
    workdir: Path
    limits: Limits
    language: str = "verilog-2005"
    companions: tuple[Path, ...] = ()
    jobs: int = 2

    def run(
        self,
        recording: Recording,
        sources: Sequence[str],
        over: Callable[[], bool] = lambda: False,
    ) -> list[Trial]:
        """Judge `sources`, in order; the recording must compare at least one row."""
        if not any(recording.expected):
            raise ValueError(f"{recording.check} never compares anything")
        size = max(_LEAST, min(_MOST, _CELLS // max(1, len(recording.rows))))
        size = min(size, max(_LEAST, -(-len(sources) // self.jobs)))
        batches = [sources[i : i + size] for i in range(0, len(sources), size)]
        self.workdir.mkdir(parents=True, exist_ok=True)

        def one(numbered: tuple[int, Sequence[str]]) -> list[Trial]:
            number, batch = numbered
            if over() or self.limits.over():
                return [Trial(TrialStatus.SKIPPED)] * len(batch)
            folder = self.workdir / f"batch-{number}"
            try:
                return self._batch(recording, batch, folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)

        if self.jobs == 1 or len(batches) == 1:
            done = [one(item) for item in enumerate(batches)]
        else:
            with ThreadPoolExecutor(self.jobs) as pool:
                done = list(pool.map(one, enumerate(batches)))
        return [trial for batch in done for trial in batch]

    def watch(self, recording: Recording, source: str, *, coverage: int = 0) -> Watched | None:
        """Run one design and look at every row; None when it does not compile.

        `coverage` is the number of bits that the design sets below `coverage_top()`.
        """
        folder = self.workdir / "watched"
        folder.mkdir(parents=True, exist_ok=True)
        bench, _ = self._compile(recording, [source], folder, coverage=coverage, trace=True)
        ran = self._play(folder) if bench is not None else None
        shutil.rmtree(folder, ignore_errors=True)
        if bench is None or ran is None:
            return None
        if ran.stopped is not None:
            return Watched((), (), {}, ended=False)
        outputs = re.findall(rf"^{bench.tag}T 0 ([01xz]+)$", ran.stdout, re.MULTILINE)
        covered = re.findall(rf"^{bench.tag}C ([01xz]+)$", ran.stdout, re.MULTILINE)
        if len(outputs) != bench.rows:
            return None
        return Watched(tuple(covered), tuple(outputs), self._wrong(recording, outputs))

    def _wrong(self, recording: Recording, outputs: Sequence[str]) -> dict[str, int]:
        wrong: dict[str, int] = {}
        high = 0
        for port in self.interface.outputs():
            width = port.width if isinstance(port.width, int) else 1
            mask = 0
            for row, (expected, bits) in enumerate(zip(recording.expected, outputs, strict=True)):
                want, got = expected.get(port.name, ""), bits[high : high + width]
                if any(w not in ("x", g) for w, g in zip(want, got, strict=bool(want))):
                    mask |= 1 << row
            wrong[port.name] = mask
            high += width
        return wrong

    def _batch(self, recording: Recording, sources: Sequence[str], folder: Path) -> list[Trial]:
        folder.mkdir(parents=True, exist_ok=True)
        # Icarus takes all memory there is for a generate loop without end; pyslang says so at once.
        found = {
            i: Trial(TrialStatus.REJECTED)
            for i in sorted(_odd_loops(sources))
            if "genvar" in sources[i]
            and not self.limits.over()
            and not self._elaborates(sources[i])
        }
        live = [i for i in range(len(sources)) if i not in found]
        for round_ in range(_ROUNDS):
            if not live or self.limits.over():
                break
            kept = live if round_ < _ROUNDS - 1 else live[:1]
            bench, bad = self._compile(recording, [sources[i] for i in kept], folder)
            if self.limits.over():
                break
            if bench is None and not bad:  # nobody to blame; a generate loop without end, perhaps
                bad = self._endless(sources, kept)
                if not bad:
                    return self._halves(recording, sources, folder, found, live)
            if bench is None:
                found |= {kept[i]: Trial(TrialStatus.REJECTED) for i in bad}
                live = [i for i in live if i not in found]
                continue
            failed = self._simulate(bench, folder)
            if failed is None and self.limits.over():
                break
            if failed is None:
                return self._hanging(recording, sources, folder, found, live)
            found |= {kept[i]: Trial(TrialStatus.RAN, f, bench.rows) for i, f in failed.items()}
            live = [i for i in live if i not in found]
        if live:
            return self._halves(recording, sources, folder, found, live)
        return [found[i] for i in range(len(sources))]

    def _halves(
        self,
        recording: Recording,
        sources: Sequence[str],
        folder: Path,
        found: dict[int, Trial],
        live: list[int],
    ) -> list[Trial]:
        """Try what is left in two parts; a single one is rejected."""
        if self.limits.over():
            found |= {i: Trial(TrialStatus.SKIPPED) for i in live}
        elif len(live) == 1:
            found[live[0]] = Trial(TrialStatus.REJECTED)
        else:
            for part in (live[: len(live) // 2], live[len(live) // 2 :]):
                trials = self._batch(recording, [sources[i] for i in part], folder / "half")
                found |= dict(zip(part, trials, strict=True))
                shutil.rmtree(folder / "half", ignore_errors=True)
        return [found[i] for i in range(len(sources))]

    def _hanging(
        self,
        recording: Recording,
        sources: Sequence[str],
        folder: Path,
        found: dict[int, Trial],
        live: list[int],
    ) -> list[Trial]:
        """A batch that stopped moving: those that may stand still are taken out as hanging."""
        odd = _odd_loops([sources[i] for i in live])
        still = [i for n, i in enumerate(live) if len(live) == 1 or n in odd]
        if not still:
            still = [
                i for i in live if not self.limits.over() and self._may_hang(sources[i], folder)
            ]
        alike = self._alike(sources, live, folder) if len(still) == len(live) > 1 else []
        if alike:  # one of them stands for all
            (one,) = self._batch(recording, [sources[alike[0]]], folder / "one")
            shutil.rmtree(folder / "one", ignore_errors=True)
            if one.status is TrialStatus.HANGS:
                found |= dict.fromkeys(alike, one)
                alike = []
            parts = [alike, [i for i in live if i not in found and i not in alike]]
        elif not still or len(still) == len(live) > 1:
            half = len(live) // 2
            parts = [live[:half], live[half:]]
        else:
            found |= {i: Trial(TrialStatus.HANGS) for i in still}
            parts = [[i for i in live if i not in found]]
        for part in parts:
            if part:
                trials = self._batch(recording, [sources[i] for i in part], folder / "rest")
                found |= dict(zip(part, trials, strict=True))
                shutil.rmtree(folder / "rest", ignore_errors=True)
        return [found[i] for i in range(len(sources))]

    def _alike(self, sources: Sequence[str], live: Sequence[int], folder: Path) -> list[int]:
        """The most of `live` that have the same loop, by the lines that assign its signals."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for i in live:
            if self.limits.over():
                return []
            names = self._looping(sources[i], folder)
            groups.setdefault(_assigning(sources[i], names), []).append(i)
        most = max(groups.values(), key=len)
        return most if len(most) > 1 else []

    def _endless(self, sources: Sequence[str], kept: Sequence[int]) -> set[int]:
        """Places in `kept` of the sources that do not elaborate, as far as there is time to see."""
        return {
            place
            for place, number in enumerate(kept)
            if not self.limits.over() and not self._elaborates(sources[number])
        }

    def _elaborates(self, source: str) -> bool:
        return not any(
            d.severity is Severity.ERROR
            for d in parse_text(source, language=self.language).diagnostics
        )

    def _may_hang(self, source: str, folder: Path) -> bool:
        return bool(self._looping(source, folder))

    def _looping(self, source: str, folder: Path) -> tuple[str, ...]:
        """Signals that may change for ever without time passing."""
        path = folder / ("alone.sv" if self.language.startswith("system") else "alone.v")
        path.write_text(source, encoding="utf-8")
        top = self.interface.module
        return zero_delay_signals((*self.companions, path), top=top, language=self.language)

    def _compile(
        self,
        recording: Recording,
        sources: Sequence[str],
        folder: Path,
        *,
        coverage: int = 0,
        trace: bool = False,
    ) -> tuple[Bench | None, set[int]]:
        """A compiled bench, or the numbers of the variants that keep it from compiling."""
        top = self.interface.module
        files, tops = [], []
        after = f"\n`default_nettype wire\n`timescale {recording.timescale}\n"
        for number, source in enumerate(sources):
            suffix = f"__v{number}"
            path = folder / f"v{number}.v"
            text = renamed(source, defined_modules(source), suffix)
            path.write_text(text + after, encoding="utf-8")
            files.append(path)
            tops.append(f"{top}{suffix}")
        bench = write_bench(recording, self.interface, tops, folder, coverage=coverage, trace=trace)
        compiled = compile_icarus(
            [*self.companions, *files, bench.path],
            tops=[TRIAL_TOP],
            workdir=folder,
            limits=replace(
                self.limits,
                wall_s=min(self.limits.wall_s, _COMPILE_S),
                memory_mib=min(self.limits.memory_mib, _COMPILE_MIB),
            ),
            sandbox=best_sandbox(off=self.limits.unsandboxed).with_readable(*self._shared()),
            timescale=recording.timescale,
            generations=("-g2012", "-g2005") if _LATER_WORD.search(sources[0]) else ("-g2012",),
        )
        if compiled.ok:
            return bench, set()
        bad = set()
        for d in compiled.diagnostics:
            if d.severity is not Severity.ERROR and d.code != "unsupported-by-icarus":
                continue
            if match := re.fullmatch(r"v(\d+)\.v", Path(d.file).name):
                bad.add(int(match[1]))
            elif Path(d.file).name == bench.path.name:
                bad |= _named(d.message, bench.path, d.line)
        return None, {number for number in bad if number < len(sources)}

    def _shared(self) -> tuple[Path, ...]:
        return tuple({path.resolve().parent for path in self.companions})

    def _play(self, folder: Path) -> ProcessResult:
        return run_vvp(
            folder / "sim.vvp",
            workdir=folder,
            limits=replace(self.limits, wall_s=min(self.limits.wall_s, _WALL_S)),
            sandbox=best_sandbox(off=self.limits.unsandboxed),
            silence=_SILENCE,
        )

    def _simulate(self, bench: Bench, folder: Path) -> dict[int, tuple[int, ...]] | None:
        """Wrong rows of each variant, by output; None when the simulation did not end well."""
        ran = self._play(folder)
        found = re.findall(rf"^{bench.tag}F (\d+) (\d+) ([01xz]+)$", ran.stdout, re.MULTILINE)
        if ran.stopped is not None or not found:
            return None
        wrong: dict[int, list[int]] = {}
        for number, _, bits in found:
            wrong.setdefault(int(number), []).append(int(bits.replace("x", "1"), 2))
        return {number: tuple(masks) for number, masks in wrong.items()}


def _odd_loops(sources: Sequence[str]) -> set[int]:
    """The sources whose loops are written otherwise than those of most: they may not end."""
    heads = [tuple(_LOOP.findall(source)) for source in sources]
    usual = Counter(heads).most_common(1)[0][0]
    return {i for i, head in enumerate(heads) if head != usual}


def _assigning(source: str, signals: Sequence[str]) -> tuple[str, ...]:
    """The lines of `source` that assign one of `signals`, without their indentation."""
    leaves = "|".join(sorted({re.escape(s.rpartition(".")[2]) for s in signals}))
    write = re.compile(rf"\b(?:{leaves})\b[^=;]*<?=(?!=)")
    return tuple(line.strip() for line in source.splitlines() if write.search(line))


def _named(message: str, path: Path, line: int) -> set[int]:
    """The variant that an error in the bench is about: by its instance, or by its name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    text = message + (lines[line - 1] if 0 < line <= len(lines) else "")
    match = re.search(r"__v(\d+)\b", text)
    return {int(match[1])} if match else set()
