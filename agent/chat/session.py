"""A conversation on disk: what was said, what came of it, and the designs on the way.

<sessions>/<id>/session.json     written after every turn
<sessions>/<id>/designs/         each design that became the current one
<sessions>/<id>/runs/            the runs of the loop
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rtl_agent.agent.errors import OutputError, UsageError
from rtl_agent.agent.graph.codec import dump, load

if TYPE_CHECKING:
    from rtl_agent.agent.verdict import Verdict

__all__ = ["Design", "Session", "Turn", "new_session", "open_session"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message and its answer; `verdict` is empty where none came of it.

    `ended` is a stop reason, `interrupted` or `error`; `adopted` says whether the design of this
    turn became the current one.
    """

    text: str
    verdict: str
    reason: str
    ended: str
    run: str = ""
    adopted: bool = False


@dataclass(frozen=True, slots=True)
class Design:
    """A design that was the current one: its file in the session's folder, and its verdict."""

    file: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class _State:
    """What `session.json` holds."""

    document: str = ""
    spec_path: str = ""
    model: str = ""
    designs: tuple[Design, ...] = ()
    turns: tuple[Turn, ...] = ()
    schema_version: int = field(default=1)


class Session:
    """A conversation. `document` is the spec as it stands: the first message and all changes."""

    def __init__(self, folder: Path, state: _State | None = None) -> None:
        self.folder = folder
        self._state = state or _State()

    @property
    def id(self) -> str:
        """Name of the session, for `--resume`."""
        return self.folder.name

    @property
    def document(self) -> str:
        """The spec in words; empty before the first message."""
        return self._state.document

    @property
    def spec_path(self) -> Path | None:
        """The file the spec came from, where it came from one: checks are found beside it."""
        return Path(self._state.spec_path) if self._state.spec_path else None

    @property
    def model(self) -> str:
        """The model that was chosen in the session; empty for that of the settings."""
        return self._state.model

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, oldest first."""
        return self._state.turns

    @property
    def design(self) -> Design | None:
        """The current design."""
        return self._state.designs[-1] if self._state.designs else None

    @property
    def design_paths(self) -> tuple[Path, ...]:
        """The files of all designs for this spec, oldest first."""
        return tuple(self.folder / design.file for design in self._state.designs)

    @property
    def design_path(self) -> Path | None:
        """The file of the current design."""
        return self.folder / self.design.file if self.design else None

    @property
    def before_path(self) -> Path | None:
        """The file of the design before the current one."""
        return self.folder / self._state.designs[-2].file if len(self._state.designs) > 1 else None

    def begin(self, document: str, spec_path: Path | None) -> None:
        """Start on another spec, without a design."""
        where = str(spec_path.absolute()) if spec_path else ""
        self._change(document=document, spec_path=where, designs=())

    def choose_model(self, name: str) -> None:
        """Remember the model."""
        self._change(model=name)

    def adopt(self, document: str, text: str, suffix: str, design: Design) -> None:
        """Make `text` the current design, for the spec `document`."""
        from rtl_agent.agent.graph.folder import write_text

        name = f"designs/{len(self._state.turns) + 1:02d}-{design.file}{suffix}"
        write_text(self.folder / name, text)
        kept = replace(design, file=name)
        self._change(document=document, designs=(*self._state.designs, kept))

    def end_turn(self, turn: Turn) -> None:
        """Enter a turn that has ended."""
        self._change(turns=(*self._state.turns, turn))

    def _change(self, **changes: object) -> None:
        self._state = replace(self._state, **changes)  # type: ignore[arg-type]
        dump(self.folder / "session.json", self._state)


def new_session(sessions: Path) -> Session:
    """A session with a folder of its own below `sessions`; nothing is written yet."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return Session(sessions.absolute() / f"{stamp}-{secrets.token_hex(3)}")


def open_session(sessions: Path, which: str) -> Session:
    """The session with the id `which`, or the newest one for `last`.

    Raises:
        UsageError: there is no such session.
        OutputError: its file is damaged.
    """
    known = sorted(p.parent.name for p in sessions.absolute().glob("*/session.json"))
    name = known[-1] if which == "last" and known else which
    if name not in known:
        shown = f"known sessions: {', '.join(known[-5:])}" if known else "there are none yet"
        raise UsageError(
            f"no session {which!r} below {sessions}", remedy=f"{shown}; see --sessions"
        )
    folder = sessions.absolute() / name
    try:
        return Session(folder, load(folder / "session.json", _State))
    except OutputError as error:
        raise OutputError(error.message, remedy="start a new session") from error
