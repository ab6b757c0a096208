"""Answers that go round in circles are noticed; designs that are merely regular are not."""

from __future__ import annotations

from rtl_agent.agent.graph.repetition import RepetitionWatch


def watch(text: str) -> bool:
    seen = RepetitionWatch()
    for at in range(0, len(text), 7):  # in pieces, as tokens come
        seen.add(text[at : at + 7])
    return seen.looping


def test_the_same_declaration_for_ever_is_a_loop() -> None:
    assert watch("".join(f"    reg [7:0] out_{i % 5};\n" for i in range(16)))
    assert watch("    assign y = a;\n" * 16)


def test_regular_rtl_is_no_loop() -> None:
    table = "".join(f"            4'd{i}: y = 8'd{i * 7 % 50 + 10};\n" for i in range(64))
    assert not watch("case (a)\n" + table + "default: y = 0;\nendcase\n")
    ports = "".join(f"    wire {name};\n" for name in "abcdefghijklmnop")
    assert not watch(ports)


def test_a_few_lines_are_not_enough() -> None:
    assert not watch("    assign y = a;\n" * 13)
