"""Where expected outputs come from: a model that is stepped, or a recorded trace."""

from __future__ import annotations

import itertools
import random
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, cast

from .job import CheckBrokenError, Job, Row

__all__ = ["Expectation", "ModelExpectation", "TraceExpectation", "pattern"]

_MOST_ROWS = 1_000_000  # of stimulus; more is a generator that never ends
_LONGEST = 200  # characters of a value or an error in a message


class Expectation(Protocol):
    """What the outputs should be, row by row."""

    def restart(self) -> None:
        """Go back to the state before the first row."""
        ...

    def advance(self, index: int, row: Row) -> Mapping[str, str]:
        """Expected outputs after `row`, as patterns of `0`, `1`, `x`; missing: don't care."""
        ...


def pattern(value: object, width: int) -> str | None:
    """A model's value as a string of `width` bits; None when it does not fit or is no value."""
    if isinstance(value, str):
        # `str.lower`: a class of the model's own may give back what changes later.
        text = str.lower(value).replace("_", "").replace("-", "x").replace("?", "x")
        return text if len(text) == width and set(text) <= set("01xz") else None
    if not hasattr(value, "__index__"):
        return None
    number = int(value)
    if not -(1 << (width - 1)) <= number < 1 << width:
        return None
    return format(number & ((1 << width) - 1), f"0{width}b")


def _shown(value: object, text_of: Callable[[object], str] = repr) -> str:
    """A value of the model in a message: it may be huge, or raise when it is turned into text."""
    try:
        text = text_of(value)
    except Exception:  # noqa: BLE001 - an int of more digits than Python prints, code of the model
        return f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class TraceExpectation:
    """Expected values that were known before the run: numbers, or patterns of full width."""

    def __init__(self, expected: list[dict[str, int | str]], widths: Mapping[str, int]) -> None:
        self._expected = [
            {name: self._fit(index, name, value, widths) for name, value in row.items()}
            for index, row in enumerate(expected)
        ]

    def restart(self) -> None:
        """Nothing to do: a trace has no state."""

    def advance(self, index: int, row: Row) -> Mapping[str, str]:  # noqa: ARG002
        """The patterns of row `index`."""
        return self._expected[index]

    @staticmethod
    def _fit(index: int, name: str, value: int | str, widths: Mapping[str, int]) -> str:
        text = pattern(value, widths[name])
        if text is None:
            raise CheckBrokenError(f"{value} does not fit {name} ({widths[name]} bit, row {index})")
        return text


class ModelExpectation:
    """A Python reference model: a class with `reset()` and `step(inputs)`, or two functions."""

    def __init__(self, job: Job, widths: Mapping[str, int]) -> None:
        self._job = job
        self._widths = widths
        self._path = Path(job.model)
        # With this file's own `annotations` a dataclass in the model would look for its module.
        text = self._path.read_text(encoding="utf-8")
        self._code = compile(text, str(self._path), "exec", dont_inherit=True)
        self._model: Any = None
        self.restart()

    def restart(self) -> None:
        """Run the model's source anew, so that no state is left, and reset it."""
        space = types.ModuleType("reference")
        space.__file__ = str(self._path)
        sys.modules[space.__name__] = space  # where dataclasses look annotations up
        self._call(exec, self._code, space.__dict__)
        self._model = self._find(space)
        self._call(self._model.reset)

    def stimulus(self, cycles: int, seed: int) -> list[dict[str, int]] | None:
        """The model's own stimulus, if it has one."""
        maker = getattr(self._model, "stimulus", None)
        if maker is None:
            return None
        rng = random.Random(seed)  # noqa: S311

        def rows() -> list[dict[str, int]]:  # a generator runs the model's code here as well
            found = list(itertools.islice(maker(rng, cycles), _MOST_ROWS + 1))
            if len(found) > _MOST_ROWS:
                raise ValueError(f"stimulus() gives more than {_MOST_ROWS} rows")
            return [{str(name): int(value) for name, value in dict(row).items()} for row in found]

        return cast("list[dict[str, int]]", self._call(rows))

    def advance(self, index: int, row: Row) -> Mapping[str, str]:  # noqa: ARG002
        """Step the model, or reset it where the row asserts reset."""
        if row.in_reset:
            outputs = self._call(self._model.reset)
            if not isinstance(outputs, Mapping):
                return {}
        else:
            outputs = self._call(self._model.step, dict(row.values))
        return self._checked(outputs)

    def _checked(self, outputs: object) -> dict[str, str]:
        if not isinstance(outputs, Mapping):
            kind = type(outputs).__name__
            raise CheckBrokenError(f"step() returned {kind}, expected a dict of outputs")
        expected = {}
        for name, value in outputs.items():
            if name not in self._widths:
                raise CheckBrokenError(
                    f"the model returned {_shown(name)}, which is no output of the design "
                    f"(outputs: {', '.join(self._widths)})"
                )
            if value is None:
                continue
            text = pattern(value, self._widths[name])
            if text is None:
                raise CheckBrokenError(
                    f"the model returned {_shown(value)} for {name}, "
                    f"which does not fit its {self._widths[name]} bit(s)"
                )
            expected[name] = text
        return expected

    def _find(self, space: types.ModuleType) -> Any:
        """The model in an executed source: the named class, the only class, or the module."""
        classes = {
            name: value
            for name, value in vars(space).items()
            if isinstance(value, type) and hasattr(value, "step") and hasattr(value, "reset")
        }
        wanted = self._job.model_class
        if wanted:
            if wanted not in classes:
                raise CheckBrokenError(f"the model has no class {wanted} with reset() and step()")
            return self._call(classes[wanted])
        if classes:
            return self._call(list(classes.values())[-1])
        if hasattr(space, "step"):
            if not hasattr(space, "reset"):
                space.reset = lambda: None  # type: ignore[attr-defined]
            return space
        raise CheckBrokenError("the model has neither a class with reset() and step() nor a step()")

    def _call(self, function: Callable[..., Any], *args: object) -> Any:
        """Call the user's code; what it raises is the check's fault, with its line."""
        try:
            return function(*args)
        except (Exception, SystemExit) as error:  # an exit ends the simulation, as if the DUT had
            frames = traceback.extract_tb(error.__traceback__)
            line = next(
                (f.lineno or 0 for f in reversed(frames) if f.filename == str(self._path)), 0
            )
            message = f"the model raised {type(error).__name__}: {_shown(error, str)}"
            raise CheckBrokenError(message, line) from error
