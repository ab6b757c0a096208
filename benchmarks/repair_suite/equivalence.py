"""Whether a repaired design is right, and not only passes: 100,000 fresh random cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.tools.checks.harness.stimulus import make_stimulus
from rtl_agent.tools.trials import Recording, Trials

if TYPE_CHECKING:
    from .suite import Golden

__all__ = ["behaves_like", "fresh_recording"]

_RUNS = 10
_CYCLES = 10_000  # of one run, each with resets and phases of its own
_SEED = 424_242


def behaves_like(golden: Golden, text: str, trials: Trials) -> bool:
    """Whether `text` does what the golden design does in every one of 100,000 cycles.

    The stimulus is none that a search has seen. Bits that the golden design leaves unknown are
    not compared.
    """
    for run in range(_RUNS):
        recording = fresh_recording(golden, trials, _SEED + run, _CYCLES)
        (trial,) = trials.run(recording, [text])
        if not trial.passed:
            return False
    return True


def fresh_recording(golden: Golden, trials: Trials, seed: int, cycles: int) -> Recording:
    """What the golden design does on random stimulus of this seed."""
    clocking = golden.clocking
    widths = {
        p.name: int(p.width)
        for p in golden.interface.inputs()
        if p.name not in {clocking.clock, clocking.reset}
    }

    def reset(asserted: bool) -> dict[str, int]:
        if clocking.reset is None:
            return {}
        return {clocking.reset: int(asserted != clocking.reset_active_low)}

    rows = [dict(row.values) for row in make_stimulus(widths, cycles, seed, reset)]
    blank = Recording("fresh", clocking, tuple(rows), tuple({} for _ in rows))
    seen = trials.watch(blank, golden.text)
    if seen is None:
        raise RuntimeError(f"{golden.name} cannot be simulated")
    expected = tuple(_by_port(golden, bits) for bits in seen.outputs)
    return Recording("fresh", clocking, tuple(rows), expected)


def _by_port(golden: Golden, bits: str) -> dict[str, str]:
    found, at = {}, 0
    for port in golden.interface.outputs():
        width = int(port.width)
        found[port.name] = bits[at : at + width].replace("z", "x")
        at += width
    return found
