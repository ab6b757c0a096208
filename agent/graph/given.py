"""A design that is there before the model is asked: as the first candidate, and when it is changed.

The given files are judged first, as attempt 0. A wish of the user (`request`) then stands until a
*new* candidate has the required verdict: that the given design was good before says nothing about
the change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import UsageError
from rtl_agent.agent.styles.extract import design_text, split_units

from .folder import design_name, write_text
from .normalise import digest
from .state import Candidate, RunState, fresh_state

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.agent.spec.model import Spec

    from .folder import RunFolder

__all__ = ["GIVEN_ID", "given_state", "is_given", "keep_given", "whole_design", "with_request"]

GIVEN_ID = "attempt-00/candidate-0"


def keep_given(files: Sequence[Path], spec: Spec, folder: RunFolder) -> Path:
    """Copy the given files, joined into one, to where the first candidate lies.

    A run that is resumed goes on from this copy, whatever became of the files.

    Raises:
        UsageError: a file cannot be read.
    """
    texts = []
    for path in files:
        try:
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise UsageError(
                f"{path}: cannot be read ({error.strerror or error})",
                remedy="name the RTL files of the design",
            ) from error
    kept = folder.candidate(GIVEN_ID) / design_name(spec.interface.module, spec.language)
    write_text(kept, "\n".join(t if t.endswith("\n") else t + "\n" for t in texts))
    return kept


def given_state(kept: Path, request: str, folder: RunFolder) -> RunState:
    """The state of a run that begins with the design in `kept`."""
    # The wish may be another name for a signal: then only the very same text is the same design.
    mark = digest(kept.read_text(encoding="utf-8"), as_written=bool(request))
    candidate = Candidate(
        id=GIVEN_ID,
        index=0,
        files=[folder.relative(kept)],
        digest=mark,
        same_as="",
        verdict="",
        failed_at="",
        reason="",
        score=[],
    )
    update = RunState(
        phase="given", candidates=[candidate], seen={mark: GIVEN_ID}, settled=-1, request=request
    )
    return {**fresh_state(), **update}


def is_given(candidate: Candidate | None) -> bool:
    """Whether `candidate` is the design that the run began with."""
    return candidate is not None and candidate["id"] == GIVEN_ID


def with_request(spec: Spec, request: str) -> Spec:
    """The spec as a fresh draft is asked for: with the request, where it is not in the text yet."""
    if not request or request in spec.text:
        return spec
    return replace(spec, text=f"{spec.text.rstrip()}\n\n{request}\n")


def whole_design(source: str, base: str, spec: Spec) -> str:
    """`source` with the modules of `base` that it uses and does not repeat.

    Asked to correct a design of several modules, a model often answers with the one it changed.
    """
    told = {unit.name for unit in split_units(source)}
    module = spec.interface.module
    if not told or not {u.name for u in split_units(base)} - told - {module}:
        return source
    if module not in told and module not in {u.name for u in split_units(base)}:
        return source
    also = frozenset(interface.module for interface in spec.also)
    ports = frozenset(p.name for p in spec.interface.ports)
    joined = design_text(f"{base}\n{source}", module, ports, also)
    return joined if {u.name for u in split_units(joined)} != told else source
