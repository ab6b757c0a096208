"""Comparison with two thresholds."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from ..families._phrases import facts, says_hold
from ..families._seq import Bus, Draft, Machine, Outputs, State
from ..registry import family

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from ..design import Design

__all__: list[str] = []

_EN = ("en", "valid", "sample_en", "ce", "strobe", "in_valid")


def _near(
    design: Design, data: str, top: int, limits: tuple[int, int], ports: tuple[str, ...], en: str
) -> Design:
    """Stimulus whose samples wander round the thresholds, so that each side of them is met.

    `ports` name the threshold inputs, lower and upper; they are empty where `limits` are fixed.
    """

    def stimulus(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        low, high = limits
        for _ in range(cycles):
            if ports and rng.random() < 0.1:
                low, high = sorted(rng.randrange(top + 1) for _ in range(2))
                if rng.random() < 0.2:  # the wrong way round: both conditions may hold
                    low, high = high, low
            near = rng.choice((low, high, (low + high) // 2)) + rng.choice((-1, 0, 0, 1))
            value = near if rng.random() < 0.6 else rng.randrange(top + 1)
            row = {data: min(max(value, 0), top), **dict(zip(ports, (low, high), strict=False))}
            if en:
                row[en] = int(rng.random() < 0.8)
            rows.append(row)
        return rows

    return dataclasses.replace(design, stimulus=stimulus)


@family("hysteresis_comparator")
def hysteresis_comparator(rng: random.Random) -> Design:
    """Output that switches on at one threshold and off at another; between them it holds."""
    d = Draft(
        rng, "registers", "hysteresis schmitt dual_threshold hyst_cmp level_switch thermostat_cmp"
    )
    w = d.bus(rng.choice((4, 6, 8, 8, 8, 10, 12)))
    fixed, below, strict = rng.random() < 0.6, rng.random() < 0.35, rng.random() < 0.4
    low = rng.randrange(1, w.top // 2 + 1)
    high = rng.randrange(low + 2, w.top)
    data = d.input("sample", "level", "x", "sample", "temp", "adc", "din", "value", bus=w)
    if fixed:
        low_name, high_name = f"{low}", f"{high}"
        low_text, high_text = w.lit(low), w.lit(high)
    else:
        low_name = low_text = d.input(
            "lower threshold", "lo", "thr_low", "low_lim", "t_off", "lower", bus=w
        )
        high_name = high_text = d.input(
            "upper threshold", "hi", "thr_high", "high_lim", "t_on", "upper", bus=w
        )
    en = d.maybe(0.35, "sample is valid", *_EN)
    out, q = d.registered("switched output", ("on", "active", "out", "above", "state", "y") if not below else ("on", "heat", "out", "active", "fill", "y"), ("on_r", "state_r", "q_r"))  # fmt: skip
    over = f"{data} > {high_text}" if strict else f"{data} >= {high_text}"
    under = f"{data} < {low_text}" if strict else f"{data} <= {low_text}"
    set_when, clear_when = (under, over) if below else (over, under)
    if en:
        set_when, clear_when = f"{en} && ({set_when})", f"{en} && ({clear_when})"
    d.update(q, Bus(1), "1'b0", (set_when, "1'b1"), (clear_when, "1'b0"))

    def step(s: State, i: Mapping[str, int]) -> Outputs:
        if i.get(en, 1):
            hi, lo = (high, low) if fixed else (i[high_name], i[low_name])
            above = i[data] > hi if strict else i[data] >= hi
            beneath = i[data] < lo if strict else i[data] <= lo
            turn_on, turn_off = (beneath, above) if below else (above, beneath)
            s["q"] = 1 if turn_on else 0 if turn_off else s["q"]
        return {out: s["q"]}

    at_high = f"above {high_name}" if strict else f"{high_name} or more"
    at_low = f"below {low_name}" if strict else f"{low_name} or less"
    sign_high, sign_low = (">", "<") if strict else (">=", "<=")
    on, off = (at_low, at_high) if below else (at_high, at_low)
    on_rule = f"{data} {sign_low} {low_name}" if below else f"{data} {sign_high} {high_name}"
    off_rule = f"{data} {sign_high} {high_name}" if below else f"{data} {sign_low} {low_name}"
    where = f"with thresholds {low} and {high}" if fixed else "with two threshold inputs"
    design = d.finish(
        "hysteresis_comparator",
        {
            "width": w.width,
            "low": low if fixed else "input",
            "high": high if fixed else "input",
            "on_below": below,
            "strict": strict,
            "enable": bool(en),
        },
        lambda: Machine({"q": 0}, step),
        (
            f"a {w.width}-bit hysteresis comparator {where}",
            f"a dual-threshold switch for {w.width}-bit unsigned samples {where}",
            f"a digital Schmitt trigger on a {w.width}-bit level, {where}",
            f"a two-point controller that is on {'below' if below else 'above'} a threshold, {w.width} bits, {where}",
        ),
        facts(
            (
                f"At a clock edge {out} becomes 1 if {data} is {on}, and 0 if {data} is {off}.",
                f"`{out}` is a register that is set when `{on_rule}` and cleared when `{off_rule}`.",
                f"{out} goes high when {data} is {on} and low when it is {off} (unsigned comparison, registered).",
            ),
            (
                f"For values in between {out} keeps its state.",
                "Between the thresholds the output holds.",
                f"Otherwise `{out}` does not change: that is the hysteresis.",
            ),
            None
            if fixed
            else (
                f"If both conditions hold because {low_name} is above {high_name}, setting {out} wins.",
                f"Should the thresholds overlap so that both apply, `{out}` is set.",
                "Setting has priority over clearing.",
            ),
            says_hold(en, "the output"),
            (
                f"{out} is 0 after reset.",
                "Reset switches the output off.",
                "It starts switched off.",
            ),
        ),
    )
    return _near(design, data, w.top, (low, high), () if fixed else (low_name, high_name), en)
