"""How likely an edit is to be the repair, from what kinds of faults designs have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtl_agent.tools.edits import Edit
    from rtl_agent.tools.localise import Outcome

__all__ = ["LIKELY", "plausibility"]

# Edits that make checks pass by doing away with what they test, or by leaning on a coincidence,
# are tried late and chosen last. What is not named counts 1.
LIKELY = {
    "stuck": 0.8,
    "constant-condition": 0.8,
    "drop-assign": 0.85,
    "drop-arm": 0.8,
    "drop-default": 0.8,
    "drop-else": 0.85,
    "reset-drop": 0.7,
    "reset-drop-assign": 0.75,
    "sensitivity-drop": 0.85,
    "constant-extreme": 0.85,
    "target-swap": 0.85,
    "default-assignment": 0.8,
    "missing-else": 0.85,
    "edge": 0.8,
    "blocking": 0.85,
    "width": 0.9,
    "add-term": 0.8,
    "swap-branches": 0.95,
    "try-select": 0.9,
    "try-name": 0.8,
    "try-constant": 0.85,
    "try-condition": 0.8,
    "try-value": 0.8,
    "try-guard": 0.7,
    "try-statement": 0.75,
    "try-widen": 0.95,
    "try-plus": 0.85,
    "try-reverse": 0.95,
    "try-test": 0.75,
    "try-arm": 0.85,
    "try-else": 0.75,
    "try-first": 0.8,
}
_SIZE = 0.004  # a character of text that changes


def plausibility(outcome: Outcome, suspicion: dict[int, float]) -> float:
    """Orders repairs that pass: few, likely and short edits on suspect lines first."""
    value = 1.0
    for edit in outcome.edits:
        value *= LIKELY.get(edit.operator, 1.0) * (0.6 + 0.4 * suspicion.get(edit.line, 0.0))
        value -= _SIZE * _changed(edit)
    return value - 0.5 * (len(outcome.edits) - 1)


def _changed(edit: Edit) -> int:
    return max(len(edit.replacement), edit.end - edit.start)
