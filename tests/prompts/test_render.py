"""Templates render with strict undefined: a name that was forgotten is an error, not a gap."""

import jinja2
import pytest
from rtl_agent.prompts.render import render


def test_missing_name_is_an_error():
    with pytest.raises(jinja2.UndefinedError, match="fence"):
        render("continue.j2", tail="x")


def test_unknown_template_is_an_error():
    with pytest.raises(jinja2.TemplateNotFound):
        render("no_such.j2")


def test_text_ends_with_one_newline():
    text = render("continue.j2", tail="x", fence="verilog")
    assert text.endswith("```\n")
    assert not text.endswith("\n\n")


def test_code_is_not_escaped():
    assert "a <= b && c;" in render("continue.j2", tail="a <= b && c;", fence="verilog")
