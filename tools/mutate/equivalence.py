"""Which mutants are proved to do what the design does, with Yosys.

Each pair of registers and outputs of the same name has to be equal in the next cycle whenever
all were equal before, whatever the inputs are. That holds for the behaviour after synthesis, so
edits that act through the simulator's events (edges, sensitivity lists, initial blocks) are never
tried. What is not proved may still be equivalent.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ..parse import read_source
from ..toolchain import YOSYS
from ..yosys_run import run_yosys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from .types import Mutant

__all__ = ["prove_equivalent"]

_EVENTS = frozenset({"edge", "sensitivity-drop", "sensitivity-add", "sensitivity-star"})
_BATCH = 12  # proofs in one run; one that Yosys dies of takes only its batch with it
_WALL_S = 60.0
_VERDICT = re.compile(r"^proof (\d+) begins$|(Equivalence successfully proven!)", re.MULTILINE)
_PREPARE = """\
hierarchy -top {top}
proc
flatten
memory_map
opt_clean
select -set registers t:*dff* t:*dlatch* %u %co1:+[Q] w:* %i
rename -hide w:* i:* %d o:* %d @registers %d
async2sync
"""


def prove_equivalent(  # noqa: PLR0913
    mutants: Sequence[Mutant],
    files: Sequence[Path],
    *,
    top: str,
    workdir: Path,
    systemverilog: bool = False,
    jobs: int = 1,
) -> frozenset[int]:
    """Indices of the mutants that are proved equivalent to the design in `files`.

    `jobs` runs of Yosys at once. Empty where Yosys is not installed or cannot read the design;
    never raises for a design.
    """
    wanted = [i for i, m in enumerate(mutants) if _can_be_tried(m)]
    if not wanted or not YOSYS.available():
        return frozenset()
    size = min(_BATCH, -(-len(wanted) // max(jobs, 1)))
    batches = [wanted[start : start + size] for start in range(0, len(wanted), size)]

    def one(number: int) -> set[int]:
        folder = workdir / f"proof-{number:02d}"
        folder.mkdir(parents=True, exist_ok=True)
        some = {i: mutants[i] for i in batches[number]}
        return _batch(some, files, top, folder, "-sv" if systemverilog else "")

    with ThreadPoolExecutor(max_workers=max(jobs, 1)) as pool:
        return frozenset().union(*pool.map(one, range(len(batches))))


def _can_be_tried(mutant: Mutant) -> bool:
    """Whether equality after synthesis is equality in simulation for this edit."""
    edit = mutant.edit
    if edit.operator in _EVENTS or "posedge" in edit.replacement or "negedge" in edit.replacement:
        return False
    if edit.operator == "blocking" and _may_race(mutant):
        return False
    return not re.search(r"\binitial\b", mutant.original)


def _may_race(mutant: Mutant) -> bool:
    """Whether the simulator's order of blocks may show in what a changed assignment writes.

    Only what one block alone reads and writes, or what leaves the only module, is safe.
    """
    from ..edits.processes import assignments, base_name, processes, walk
    from ..edits.source import Source

    source = Source(mutant.original)
    if len(source.scopes) != 1:
        return True
    at = mutant.edit.start
    blocks = processes(source)
    own = next((p for p in blocks if source.span(p.node)[0] <= at < source.span(p.node)[1]), None)
    if own is None:
        return True
    written = [a for a in assignments(own.body) if source.span(a)[0] <= at < source.span(a)[1]]
    names = {base_name(a.left) for a in written}
    others = {
        token.valueText
        for p in blocks
        if p is not own
        for node in walk(p.node)
        if (token := getattr(node, "identifier", None)) is not None
    }
    return "" in names or bool(names & others)


def _batch(
    mutants: Mapping[int, Mutant], files: Sequence[Path], top: str, folder: Path, flag: str
) -> set[int]:
    written = {path: f"d{i}.v" for i, path in enumerate(files)}
    for path, name in written.items():
        (folder / name).write_text(read_source(path), encoding="utf-8")
    name = top if re.fullmatch(r"\w+", top) else f"\\{top}"
    prepare = _PREPARE.format(top=name)
    lines = [*(f"read_verilog {flag} {n}" for n in written.values()), prepare]
    lines += [f"rename {name} gold", "design -stash gold"]
    for index, mutant in mutants.items():
        (folder / f"m{index}.v").write_text(mutant.source, encoding="utf-8")
        names = [f"m{index}.v" if p == mutant.file else n for p, n in written.items()]
        lines += ["design -reset", *(f"read_verilog {flag} {n}" for n in names), prepare]
        lines += [f"rename {name} gate", "design -copy-from gold -as gold gold"]
        lines += ["equiv_make gold gate equiv", "hierarchy -top equiv"]
        lines += ["equiv_simple -undef", "equiv_induct -undef"]
        lines += [f"log proof {index} begins", "equiv_status"]
    (folder / "prove.ys").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = run_yosys(["-Q", "-T", "-s", "prove.ys"], folder, _WALL_S)
    return _proved(result.stdout)


def _proved(log: str) -> set[int]:
    """Each proof's number is followed by the line that says it succeeded, or is not."""
    found: set[int] = set()
    current = -1
    for number, success in _VERDICT.findall(log):
        if number:
            current = int(number)
        elif success and current >= 0:
            found.add(current)
            current = -1
    return found
