"""Numbers on the command line: finite, and within their bounds."""

from __future__ import annotations

import math
from typing import Any

import click

__all__ = ["Number", "Share"]


class Number(click.FloatRange):
    """A finite number within bounds.

    `click.FLOAT` and `click.FloatRange` let `nan` through, since every comparison with it is
    false, and `inf` where there is no bound; whatever is compared with them later is always or
    never true.
    """

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the number, or fail with a usage error."""
        number = click.FLOAT.convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return float(super().convert(number, param, ctx))


class Share(Number):
    """A share from 0 to 1; says how a percentage is written."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the share, or fail with a usage error."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            percent = _percentage(value)
            if percent is not None:
                hint = f"{error.message} Write {percent:g} % as {percent / 100:g}."
                self.fail(hint, param, ctx)
            raise


def _percentage(value: object) -> float | None:
    """The number that was meant as a percentage; None for what is no such number."""
    try:
        number = float(str(value).strip().rstrip("%"))
    except ValueError:
        return None
    return number if 1 < number <= 100 or (str(value).endswith("%") and 0 <= number <= 1) else None
