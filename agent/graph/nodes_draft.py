"""The steps that make candidates: draft and repair, and the finding of known-good designs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rtl_agent.agent.backends.replay import prompt_hash
from rtl_agent.agent.library.types import Exemplar
from rtl_agent.agent.styles.blocks import BlockError, apply_blocks, find_blocks

from .asking import Batch, Kept, ask
from .candidates import new_candidate
from .codec import dump, load_if_there
from .events import Retrieved
from .folder import BLOCK_NOTE, write_text
from .given import whole_design, with_request
from .state import RunState
from .stop import StopReason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rtl_agent.agent.backends.base import Prompt

    from .context import Asker, Context
    from .state import Candidate

__all__ = ["draft", "repair", "retrieve"]

_SPARE_EXEMPLARS = 3  # beyond those shown, for fresh drafts after a stalled repair
_RETRIEVED = 8  # at least; each may itself be what is asked for
_SEED_STRIDE = 1009  # between attempts; a prime, so that no two batches share seeds
_Exemplars = tuple[Exemplar, ...]


def retrieve(state: RunState, context: Context) -> RunState:
    """Find known-good designs near the spec."""
    asker, options = context.asker, context.options
    found: _Exemplars = ()
    if asker and asker.retriever and options.library and options.exemplars:
        count = max(options.exemplars + _SPARE_EXEMPLARS, _RETRIEVED)
        found = asker.retriever.nearest(context.spec, count)
    dump(context.folder.retrieved, found)
    shown = found[: options.exemplars]
    context.details["retrieved"] = [{"name": e.name, "origin": e.origin} for e in shown]
    context.emit(Retrieved(tuple(e.name for e in shown)))
    offered = bool(found) and options.reuse and bool(context.checks) and state["phase"] != "given"
    return RunState(next="reuse" if offered else "draft")


def draft(state: RunState, context: Context) -> RunState:
    """Ask for fresh candidates."""
    if stop := context.budget_stop(state):
        return RunState(stop=stop, unasked="draft")
    asker = _asker(context)
    spec = with_request(context.spec, state.get("request", ""))
    # Within an attempt every further draft first sees another known-good design, greedily: that
    # brings more that is new than sampling one prompt again does.
    already = len(state["candidates"]) if state["pending"] else 0
    prompt = asker.style.draft(spec, _exemplars(state, context, skip=already))
    return _candidates(state, context, asker, prompt, "draft")


def repair(state: RunState, context: Context) -> RunState:
    """Ask for a corrected version of the candidate under repair."""
    base = state["base"]
    if stop := context.budget_stop(state):
        return RunState(stop=stop, unasked="repair")
    if base is None:  # the router sends only runs with a base here
        raise RuntimeError("nothing to repair")
    asker = _asker(context)
    source = context.folder.absolute(base["files"][0]).read_text(encoding="utf-8")
    prompt = asker.style.repair(
        context.spec,
        source,
        context.folder.absolute(state["evidence"]).read_text(encoding="utf-8"),
        _exemplars(state, context),
        compiled=base["score"][2] > 0,
    )
    return _candidates(state, context, asker, prompt, "repair")


def _asker(context: Context) -> Asker:
    if context.asker is None:  # graph.py wires these steps only for runs with a model
        raise RuntimeError("this run has no model")
    return context.asker


def _exemplars(state: RunState, context: Context, skip: int = 0) -> _Exemplars:
    """The designs for the prompt; every fresh draft sees the next ones."""
    found = load_if_there(context.folder.retrieved, _Exemplars) or ()
    found = found[: context.options.exemplars + _SPARE_EXEMPLARS]
    count = min(context.options.exemplars, len(found))
    start = (state["fresh"] + skip) * count
    return tuple(found[(start + i) % len(found)] for i in range(count))


def _candidates(
    state: RunState,
    context: Context,
    asker: Asker,
    prompt: Prompt,
    phase: Literal["draft", "repair"],
) -> RunState:
    """Ask, and write each answer's design as a candidate of this attempt."""
    batch, more = _plan(state, context, prompt)
    _write_prompt(context, prompt, batch)
    answers = ask(context, asker, prompt, batch)
    _tell(context, prompt, batch, answers)
    if not all(a.done for a in answers):
        return RunState(stop=StopReason.TIME.value, unasked=phase)
    seen = dict(state["seen"])
    made: list[Candidate] = []
    for index, answer in enumerate(answers, batch.first):
        identity = f"attempt-{batch.attempt:02d}/candidate-{index}"
        write_text(context.folder.candidate(identity) / "answer.txt", prompt.prefill + answer.text)
        if phase == "repair" and state["base"]:
            base = context.folder.absolute(state["base"]["files"][0]).read_text(encoding="utf-8")
            source = _repaired(context, prompt, answer.text, base, identity)
        else:
            source = asker.style.source(context.spec, prompt, answer.text)
        made.append(new_candidate(context, identity, index, source, seen))
    update = RunState(
        attempt=batch.attempt,
        phase=phase,
        pending=more,
        candidates=[*(state["candidates"] if batch.first else []), *made],
        seen=seen,
        tokens=state["tokens"] + sum(a.stats.new_tokens for a in answers),
    )
    if not batch.temperature:
        update["asked"] = [*state["asked"], prompt_hash(prompt)]
    return update


def _repaired(context: Context, prompt: Prompt, answer: str, base: str, identity: str) -> str:
    """The corrected design: `base` with the blocks of the answer, else what the answer holds.

    A block that does not apply leaves no design, and a note for the next prompt.
    """
    try:
        blocks = find_blocks(answer)
        if blocks:
            return apply_blocks(base, blocks)
    except BlockError as error:
        write_text(context.folder.candidate(identity) / BLOCK_NOTE, f"{error}\n")
        return ""
    source = _asker(context).style.source(context.spec, prompt, answer)
    return whole_design(source, base, context.spec)


def _plan(state: RunState, context: Context, prompt: Prompt) -> tuple[Batch, int]:
    """The next batch, and how many candidates the attempt still has after it.

    The first answer to a prompt is greedy and alone; when no new prompt is left the rest follow,
    sampled, in one batch.
    """
    options = context.options
    schedule = options.temperature
    again = state["pending"] > 0
    attempt = state["attempt"] if again else state["attempt"] + 1
    first = len(state["candidates"]) if again else 0
    wanted = state["pending"] if again else options.candidates
    greedy = schedule.greedy_first and prompt_hash(prompt) not in state["asked"]
    count = 1 if greedy else wanted
    room = options.answer_tokens
    if options.max_tokens:
        room = min(room, max(1, (options.max_tokens - state["tokens"]) // count))
    batch = Batch(
        attempt=attempt,
        first=first,
        count=count,
        temperature=0.0 if greedy else schedule.at(state["heat"]),
        top_p=schedule.top_p,
        seed=options.seed + attempt * _SEED_STRIDE + first,
        max_new_tokens=room,
    )
    return batch, wanted - count


def _write_prompt(context: Context, prompt: Prompt, batch: Batch) -> None:
    parts = [f"[{role}]\n{text}" for role, text in prompt.messages]
    text = prompt.raw or "\n\n".join([*parts, f"[answer begins]\n{prompt.prefill}"])
    path = context.folder.attempt(batch.attempt) / f"prompt-{batch.first}.txt"
    write_text(path, text)


def _tell(context: Context, prompt: Prompt, batch: Batch, answers: Sequence[Kept]) -> None:
    stats = [a.stats for a in answers]
    passes = sum(s.target_passes for s in stats)
    new = sum(s.new_tokens for s in stats)
    context.details.update(
        purpose=prompt.purpose,
        prompt=f"attempt-{batch.attempt:02d}/prompt-{batch.first}.txt",
        temperature=batch.temperature,
        seed=batch.seed,
        answers=len(answers),
        finish=[str(a.finish) for a in answers],
        continued=sum(a.rounds for a in answers),
        prompt_tokens=sum(s.prompt_tokens for s in stats),
        new_tokens=new,
        mode=sorted({str(s.mode) for s in stats}),
        acceptance_length=round(new / passes, 3) if passes else None,
        model_s=round(sum(s.prefill_s + s.draft_s + s.target_s + s.accept_s for s in stats), 4),
    )
