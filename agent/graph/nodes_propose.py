"""The step that asks the model for a check where the spec has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.agent.errors import BackendError
from rtl_agent.agent.proposals.extract import NO_MODEL, forms, model_text
from rtl_agent.agent.proposals.guard import find_fault
from rtl_agent.agent.proposals.store import FORMS, Store
from rtl_agent.agent.proposals.types import Proposal, ProposalStatus
from rtl_agent.agent.verdict import Verdict

from .asking import Batch, ask
from .folder import write_text
from .state import RunState
from .stop import StopReason

if TYPE_CHECKING:
    from rtl_agent.agent.backends.base import Prompt

    from .asking import Kept
    from .context import Asker, Context

__all__ = ["propose"]

_SEED_STRIDE = 7919  # between proposals, and away from the seeds of drafts


def propose(state: RunState, context: Context) -> RunState:
    """Ask for a reference, and keep it where it is sound on its face."""
    asker = context.asker
    if asker is None:  # `due` sends only runs with a model here
        raise RuntimeError("this run has no model")
    store = Store(context.folder.root)
    number = state["proposed"] + 1
    fault = _fault_before(store, number, state)
    prompt = asker.style.propose(context.spec, fault)
    again = state["tries"] if state["tried_in"] == state["attempt"] else 0
    update = RunState(proposed=number, tried_in=state["attempt"], tries=again + 1)
    if prompt is None:
        store.save(_unusable(number, state["attempt"], "the model cannot be asked for one"))
        return update
    try:
        answer = _answer(context, asker, prompt, store, state)
    except BackendError as error:
        if context.options.require is Verdict.SELF_CHECKED:
            raise
        # What was asked for is reached without: a design that compiles is not lost for this.
        store.save(_unusable(number, state["attempt"], error.message))
        return update
    if not answer.done:
        return RunState(stop=StopReason.TIME.value)
    if store.load(number) is None:
        store.save(_read(store, number, state["attempt"], prompt.prefill + answer.text))
    proposal = store.load(number)
    assert proposal is not None  # it was saved
    context.details.update(number=number, status=str(proposal.status), reason=proposal.reason)
    return update | RunState(tokens=state["tokens"] + answer.stats.new_tokens)


def _fault_before(store: Store, number: int, state: RunState) -> str:
    """What the model is told of the proposal before: faults of form, and nothing of designs.

    A reference that was told what the drafts say could no longer confirm them, nor they it.
    """
    before = store.load(number - 1)
    if before is None or before.attempt != state["attempt"]:
        return ""
    return before.reason if before.status is ProposalStatus.UNUSABLE else ""


def _answer(context: Context, asker: Asker, prompt: Prompt, store: Store, state: RunState) -> Kept:
    options, number = context.options, state["proposed"] + 1
    folder = store.folder(number)
    parts = [f"[{role}]\n{text}" for role, text in prompt.messages]
    write_text(folder / "prompt.txt", prompt.raw or "\n\n".join(parts))
    batch = Batch(
        attempt=state["attempt"],
        first=len(state["candidates"]),
        count=1,
        temperature=0.0 if number == 1 else options.temperature.start,
        top_p=options.temperature.top_p,
        seed=options.seed + number * _SEED_STRIDE,
        max_new_tokens=options.answer_tokens,
        place=context.folder.relative(folder / "answer.json"),
    )
    answer = ask(context, asker, prompt, batch)[0]
    stats = answer.stats
    context.details.update(
        purpose=prompt.purpose,
        prompt=context.folder.relative(folder / "prompt.txt"),
        temperature=batch.temperature,
        seed=batch.seed,
        answers=1,
        finish=[str(answer.finish)],
        continued=answer.rounds,
        prompt_tokens=stats.prompt_tokens,
        new_tokens=stats.new_tokens,
        mode=[str(stats.mode)],
        acceptance_length=(
            round(stats.new_tokens / stats.target_passes, 3) if stats.target_passes else None
        ),
    )
    return answer


def _read(store: Store, number: int, attempt: int, answer: str) -> Proposal:
    """The proposal that an answer holds; its files are written before it is."""
    text = model_text(answer)
    fault = find_fault(text) if text else NO_MODEL
    if fault:
        if text:
            write_text(store.folder(number) / "refused.py.txt", text)
        return _unusable(number, attempt, fault)
    files = []
    for name, form in zip(FORMS, forms(text), strict=False):
        path = store.folder(number) / name
        write_text(path, form)
        files.append(str(path.relative_to(store.root)))
    return Proposal(number, attempt, ProposalStatus.OPEN, files=tuple(files))


def _unusable(number: int, attempt: int, reason: str) -> Proposal:
    return Proposal(number, attempt, ProposalStatus.UNUSABLE, reason)
