"""What a message does: it makes a design, or changes the current one, and is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rtl_agent.agent.graph.run import Interrupted, check_design, solve
from rtl_agent.agent.spec.load import load_text
from rtl_agent.agent.spec.read import read_spec_text
from rtl_agent.agent.verdict import Verdict

from .session import Design, Turn
from .stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rtl_agent.agent.backends.base import ModelBackend
    from rtl_agent.agent.graph.options import SolveOptions
    from rtl_agent.agent.library.types import Retriever
    from rtl_agent.agent.report.result import SolveResult
    from rtl_agent.agent.spec.model import Spec
    from rtl_agent.agent.styles.base import PromptStyle

    from .session import Session

__all__ = ["Conversation", "Model", "Outcome"]


@dataclass(frozen=True, slots=True)
class Model:
    """A model and how it is asked."""

    backend: ModelBackend
    style: PromptStyle
    retriever: Retriever | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a turn. `adopted` says whether its design is now the current one.

    `left` is a file with what a stopped turn had made, where it is not the current design;
    `changed` tells that a design was there before and a change of it was asked for.
    """

    module: str
    verdict: Verdict | None
    reason: str
    ended: str
    adopted: bool
    changed: bool
    notes: tuple[str, ...] = ()
    left: Path | None = None
    result: SolveResult | None = None


class Conversation:
    """Turns of one session, with a model that is made when it is first needed."""

    def __init__(
        self,
        session: Session,
        options: SolveOptions,
        make_model: Callable[[str], Model],
        write: Callable[[str], None],
    ) -> None:
        self.session = session
        self._options = options
        self._make_model = make_model
        self._write = write
        self._model: Model | None = None

    def close(self) -> None:
        """Free the model."""
        if self._model is not None:
            self._model.backend.close()
            self._model = None

    def use_model(self, name: str) -> None:
        """Ask the model `name` from the next turn on."""
        self.close()
        self.session.choose_model(name)

    def start(self, path: Path) -> Outcome:
        """Begin on the spec in the file `path`.

        Raises:
            SpecError: it cannot be read; the session is as it was.
        """
        text = load_text(path)
        read_spec_text(text, name=str(path), path=path)
        self.session.begin(text, path)
        return self._turn(f"/spec {path}", text, "")

    def say(self, text: str) -> Outcome:
        """Begin on the spec `text`, or change the current design as `text` says.

        Raises:
            SpecError: no spec can be read from what was said so far.
            BackendError, MissingError: the model cannot be used.
        """
        before = self.session.document
        if not before:
            return self._turn(text, text, "")
        if self.session.design is None:
            return self._turn(text, f"{before.rstrip()}\n\n{text}\n", "")
        return self._turn(text, f"{before.rstrip()}\n\nChange: {text}\n", text)

    def check(self) -> SolveResult | None:
        """Judge the current design again; None where there is none."""
        path = self.session.design_path
        if path is None:
            return None
        return check_design([path], self.spec(), self._own_options())

    def spec(self, document: str = "") -> Spec:
        """The spec in `document`, or as it stands.

        Raises:
            SpecError: it cannot be read.
        """
        path = self.session.spec_path
        name = str(path) if path else "the conversation"
        spec = read_spec_text(document or self.session.document, name=name, path=path)
        return spec if path else replace(spec, name="conversation")

    def _turn(self, said: str, document: str, request: str) -> Outcome:
        spec = self.spec(document)
        stream = Stream(self._write)
        try:
            outcome = self._run(spec, document, request, stream)
        except Exception as error:
            self.session.end_turn(Turn(said, "", str(error), "error"))
            raise
        finally:
            stream.close()
        run = stream.run.name if stream.run else ""
        verdict = str(outcome.verdict) if outcome.verdict else ""
        turn = Turn(said, verdict, outcome.reason, outcome.ended, run, outcome.adopted)
        self.session.end_turn(turn)
        return outcome

    def _run(self, spec: Spec, document: str, request: str, stream: Stream) -> Outcome:
        model = self._model = self._model or self._make_model(self.session.model)
        given = self.session.design_path
        try:
            result = solve(
                spec,
                self._own_options(),
                model.backend,
                model.style,
                model.retriever,
                on_event=stream.event,
                given=[given] if given else None,
                request=request if given else "",
            )
        except KeyboardInterrupt as error:  # `Interrupted`, or Ctrl-C before the run began
            return self._stopped(spec, document, stream, known=isinstance(error, Interrupted))
        adopted = self._adopt(document, result.verdict, result.reason, result.rtl)
        return Outcome(
            spec.interface.module,
            result.verdict,
            result.reason,
            str(result.stop_reason),
            adopted,
            changed=given is not None,
            notes=result.notes,
            left=None if adopted else result.rtl,
            result=result,
        )

    def _stopped(self, spec: Spec, document: str, stream: Stream, *, known: bool) -> Outcome:
        """Keep the best that a stopped turn has made: a judged candidate, else the draft."""
        made = [j for j in stream.judged if j.attempt and not j.same_as]
        best = max(made, key=lambda j: Verdict(j.verdict).rank, default=None)
        run = stream.run if known else None
        outcome = Outcome(
            spec.interface.module,
            None,
            "stopped before any new design was judged",
            "interrupted",
            adopted=False,
            changed=self.session.design is not None,
        )
        if run is not None and best is not None:
            folder = run / f"attempt-{best.attempt:02d}" / f"candidate-{best.candidate}"
            source = next((p for s in ("*.v", "*.sv") for p in sorted(folder.glob(s))), None)
            verdict = Verdict(best.verdict)
            adopted = self._adopt(document, verdict, best.reason, source)
            left = None if adopted else source
            return replace(outcome, verdict=verdict, reason=best.reason, adopted=adopted, left=left)
        self._keep_document(document)
        if run is not None and stream.draft.strip():
            from rtl_agent.agent.graph.folder import write_text

            partial = run / "partial.txt"
            write_text(partial, stream.draft)
            return replace(outcome, left=partial)
        return outcome

    def _adopt(self, document: str, verdict: Verdict, reason: str, source: Path | None) -> bool:
        """Make `source` the current design, unless the one that is there has a better verdict."""
        current = self.session.design
        if source is None or (current is not None and not verdict.at_least(current.verdict)):
            self._keep_document(document)
            return False
        text = source.read_text(encoding="utf-8")
        design = Design(source.stem, verdict, reason)
        self.session.adopt(document, text, source.suffix, design)
        return True

    def _keep_document(self, document: str) -> None:
        """Without a design the words count all the same; with one they go with the change."""
        if self.session.design is None:
            self.session.begin(document, self.session.spec_path)

    def _own_options(self) -> SolveOptions:
        changes: dict[str, Any] = {"out": self.session.folder, "resume": ""}
        return replace(self._options, **changes)
