"""Whether a repaired design is right, and not only passes: 100,000 fresh random cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtl_agent.tools.checks.harness.stimulus import make_stimulus
from rtl_agent.tools.checks.types import Limits
from rtl_agent.tools.sandbox import best_sandbox
from rtl_agent.tools.simulate.icarus import compile_icarus, run_vvp
from rtl_agent.tools.trials import Recording, Trials
from rtl_agent.tools.trials.rename import defined_modules, renamed

if TYPE_CHECKING:
    from pathlib import Path

    from .suite import Golden

__all__ = ["behaves_like", "fresh_recording"]

_RUNS = 10
_CYCLES = 10_000  # of one run, each with resets and phases of its own
_SEED = 424_242
_LIMITS = Limits(wall_s=240.0)
_MITER = """\
module miter;
    reg [{in_top}:0] stim [0:{last}];
    reg [{in_top}:0] ins;
    reg clock = 0;
    wire [{out_top}:0] right, other;
    integer k, bad;
    {name}__right one ({right_pins});
    {name}__other two ({other_pins});
    initial begin
        bad = 0;
        $readmemb("stim.txt", stim);
        #1;
        for (k = 0; k <= {last}; k = k + 1) begin
            ins = stim[k];
            #4 {rise} #5;
            if (right !== other) bad = bad + 1;
            {fall} #1;
        end
        $display("DIFFER %0d", bad);
        $finish;
    end
endmodule
"""


def behaves_like(golden: Golden, text: str, folder: Path) -> bool:
    """Whether `text` has the outputs of the golden design in every one of 100,000 cycles.

    The stimulus is none that a search has seen; unknown bits have to be unknown in both.
    """
    folder.mkdir(parents=True, exist_ok=True)
    clock = golden.clocking.clock
    inputs = [p for p in golden.interface.inputs() if p.name != clock]
    rows = [row for run in range(_RUNS) for row in _rows(golden, _SEED + run, _CYCLES)]
    lines = ("".join(format(row[p.name], f"0{p.width}b") for p in inputs) for row in rows)
    (folder / "stim.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
    files = []
    for suffix, source in (("right", golden.text), ("other", text)):
        files.append(folder / f"{suffix}.v")
        named = renamed(source, defined_modules(source), f"__{suffix}")
        files[-1].write_text(named, encoding="utf-8")
    files.append(folder / "miter.v")
    files[-1].write_text(_miter(golden, len(rows)), encoding="utf-8")
    sandbox = best_sandbox()
    built = compile_icarus(files, tops=["miter"], workdir=folder, limits=_LIMITS, sandbox=sandbox)
    if built.image is None:
        return False
    ran = run_vvp(built.image, workdir=folder, limits=_LIMITS, sandbox=sandbox)
    return "DIFFER 0\n" in ran.stdout


def fresh_recording(golden: Golden, trials: Trials, seed: int, cycles: int) -> Recording:
    """What the golden design does on random stimulus of this seed."""
    rows = _rows(golden, seed, cycles)
    blank = Recording("fresh", golden.clocking, tuple(rows), tuple({} for _ in rows))
    seen = trials.watch(blank, golden.text)
    if seen is None or not seen.ended:
        raise RuntimeError(f"{golden.name} cannot be simulated")
    expected = tuple(_by_port(golden, bits) for bits in seen.outputs)
    return Recording("fresh", golden.clocking, tuple(rows), expected)


def _rows(golden: Golden, seed: int, cycles: int) -> list[dict[str, int]]:
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

    return [dict(row.values) for row in make_stimulus(widths, cycles, seed, reset)]


def _miter(golden: Golden, rows: int) -> str:
    clock = golden.clocking.clock
    inputs = [(p.name, int(p.width)) for p in golden.interface.inputs() if p.name != clock]
    outputs = [(p.name, int(p.width)) for p in golden.interface.outputs()]
    clocked = [f".{clock}(clock)"] if clock else []
    pins = clocked + _slices(inputs, "ins")
    return _MITER.format(
        name=golden.interface.module,
        in_top=sum(w for _, w in inputs) - 1,
        out_top=sum(w for _, w in outputs) - 1,
        last=rows - 1,
        right_pins=", ".join(pins + _slices(outputs, "right")),
        other_pins=", ".join(pins + _slices(outputs, "other")),
        rise="clock = 1;" if clock else "",
        fall="clock = 0;" if clock else "",
    )


def _slices(ports: list[tuple[str, int]], bus: str) -> list[str]:
    high = sum(width for _, width in ports) - 1
    pins = []
    for name, width in ports:
        pins.append(f".{name}({bus}[{high}:{high - width + 1}])")
        high -= width
    return pins


def _by_port(golden: Golden, bits: str) -> dict[str, str]:
    found, at = {}, 0
    for port in golden.interface.outputs():
        width = int(port.width)
        found[port.name] = bits[at : at + width].replace("z", "x")
        at += width
    return found
