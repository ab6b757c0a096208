"""Results kept piece by piece, so that a long measurement can be stopped and gone on with."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from rtl_agent.decoding.errors import InputUnreadable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rtl_agent.decoding.evaluate.cases import Case

__all__ = ["Store", "cases_digest", "weights_digest"]


class Store:
    """JSON lines: what is measured first, then one line a finished piece.

    Args:
        path: the file, made when it is not there; None keeps results in memory alone.
        subject: what is measured; a file of something else is not gone on with.

    Raises:
        InputUnreadable: the file belongs to another measurement or cannot be used.
    """

    def __init__(self, path: Path | None, subject: dict[str, Any]) -> None:
        self._path = path
        self.pieces: dict[int, Any] = {}
        subject = json.loads(json.dumps(subject))
        if path is None:
            return
        remedy = "name another file, or remove this one to start again"
        try:
            text = path.read_text("utf-8") if path.exists() else ""
            whole = text[: text.rfind("\n") + 1]  # a process may have been killed in the last line
            rows = [json.loads(line) for line in whole.splitlines()]
            if whole != text or not rows:
                path.write_text(whole or json.dumps({"subject": subject}) + "\n", "utf-8")
        except (OSError, ValueError) as error:
            raise InputUnreadable(
                f"{path}: cannot be gone on with: {error}", remedy=remedy
            ) from error
        if rows and rows[0].get("subject") != subject:
            raise InputUnreadable(
                f"{path}: belongs to a measurement of other weights, prompts or options",
                remedy=remedy,
            )
        self.pieces = {int(row["piece"]): row["result"] for row in rows[1:]}

    def add(self, piece: int, result: Any) -> None:
        """Keep the result of a piece."""
        self.pieces[piece] = result
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"piece": piece, "result": result}) + "\n")


def weights_digest(model: Any) -> str:
    """Sixteen hex digits of a model's weights."""
    import torch

    digest = hashlib.sha256()
    for parameter in model.parameters():
        flat = parameter.detach().to("cpu").contiguous().reshape(-1)
        digest.update(memoryview(flat.view(torch.uint8).numpy()))
    return digest.hexdigest()[:16]


def cases_digest(cases: Sequence[Case]) -> str:
    """Sixteen hex digits of prompts and hints."""
    text = json.dumps([(case.name, case.prompt, case.hints) for case in cases])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
