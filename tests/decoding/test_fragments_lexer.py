"""Fragment boundaries, against a list of what a Verilog lexer must see."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_agent.decoding.fragments.lexer import START, Mode, advance, ends_between
from rtl_agent.decoding.fragments.tracker import fragment_ends


def boundaries(text: str) -> list[str]:
    """The text cut at every fragment end (white space stays with what precedes it)."""
    parts, last = [], 0
    for place in range(1, len(text) + 1):
        state = advance(START, text[:place])
        following = text[place:]
        ends = ends_between(state, following or "\n")
        if ends and (not following or not following[0].isspace()):
            parts.append(text[last:place])
            last = place
    if last < len(text):
        parts.append(text[last:])
    return parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("assign y=a&b;", ["assign ", "y", "=", "a", "&", "b", ";"]),
        ("a <= b;", ["a ", "<= ", "b", ";"]),
        ("x>>>=2", ["x", ">>>=", "2"]),
        ("a===b", ["a", "===", "b"]),
        ("a!==b&&c", ["a", "!==", "b", "&&", "c"]),
        ("8'hFF+1", ["8'hFF", "+", "1"]),
        ("4'sb10_1x;", ["4'sb10_1x", ";"]),
        ("8'h FF;", ["8'h FF", ";"]),
        ("'0;", ["'0", ";"]),
        ("q['d3]", ["q", "[", "'d3", "]"]),
        ("1.5e-3;", ["1.5e-3", ";"]),
        ("#10ns x", ["#", "10ns ", "x"]),
        ("// c ; d\nx", ["// c ; d\n", "x"]),
        ("/* a; * b */x", ["/* a; * b */", "x"]),
        ('$display("a;\\"b", x)', ["$display", "(", '"a;\\"b"', ", ", "x", ")"]),
        ("\\a+b;c d", ["\\a+b;c ", "d"]),
        ("`timescale 1ns/1ps\nmodule", ["`timescale 1ns/1ps\n", "module"]),
        ("`define A(x) \\\n x;\ny", ["`define A(x) \\\n x;\n", "y"]),
        ("`WIDTH-1", ["`WIDTH", "-", "1"]),
        ("a[3+:2]", ["a", "[", "3", "+:", "2", "]"]),
        ("a/b", ["a", "/", "b"]),
    ],
)
def test_boundaries(text, parts):
    assert boundaries(text) == parts


def test_an_open_token_is_no_boundary():
    for text in ("coun", "8'", "8'h", '"abc', "// x", "/* x *", "a <", "`define X 1"):
        assert not ends_between(advance(START, text), ""), text
    for text in ("count;", "count ", "8'hF ", '"abc"', "/* x */"):
        assert ends_between(advance(START, text), ""), text


def test_a_word_ends_only_where_the_next_piece_does_not_continue_it():
    assert fragment_ends(["cou", "nt", " <", "= ", "4", "'b", "01", ";"]) == [
        False,
        True,
        False,
        True,
        False,
        False,
        True,
        True,
    ]


def test_a_newline_breaks_a_string_and_white_space_heals():
    state = advance(START, '"abc\n')
    assert state.mode is Mode.BROKEN
    assert advance(state, "x y").mode is Mode.WORD


@settings(deadline=None)
@given(st.text(alphabet="ab1'\"/*\\`\n <=h0;_.e+-", max_size=40), st.integers(0, 40))
def test_text_in_pieces_lexes_like_text_at_once(text, cut):
    assert advance(advance(START, text[:cut]), text[cut:]) == advance(START, text)
