"""Renders the prompt templates of this folder; a name that is not given is an error."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

__all__ = ["render"]


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("rtl_agent.prompts", "."),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,  # noqa: S701 - prompts are plain text, not HTML
    )


def render(template: str, **values: Any) -> str:
    """The text of `template` (a file name such as `draft.j2`) with `values` filled in.

    Raises:
        jinja2.UndefinedError: the template uses a name that was not given.
        jinja2.TemplateNotFound: there is no such template.
    """
    return _environment().get_template(template).render(**values).strip() + "\n"
