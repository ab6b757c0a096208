"""Near-duplicates of Verilog texts."""

from __future__ import annotations

from rtl_agent.decoding.training.minhash import Deduplicator, signature

BODY = "".join(f"  assign y{i} = a[{i}] ^ b[{i}] & {{c, d[{i}]}};\n" for i in range(20))
ONE = f"module one(input [19:0] a, b, d, input c, output y0);\n{BODY}endmodule\n"


def test_comments_and_spaces_make_no_difference() -> None:
    other = "// copied on Monday\n" + ONE.replace("  ", "\t").replace(";", " ; /* x */")
    assert (signature(other) == signature(ONE)).all()


def test_a_near_copy_is_found_and_another_design_is_not() -> None:
    near = ONE.replace("y3 =", "y3 = ~").replace("module one", "module two")
    far = (
        "module cnt(input clk, output reg [3:0] q);\n always @(posedge clk) q <= q + 1;\nendmodule"
    )
    known = Deduplicator()
    assert known.add(ONE) is None
    assert known.add(far) is None
    assert known.add(near) == 0
    assert known.add(far) == 1
    assert known.add("") is None
    assert known.add("") == 2


def test_the_estimate_is_near_the_likeness() -> None:
    words = [f"w{i}" for i in range(400)]
    one, other = " ".join(words[:300]), " ".join(words[100:])  # 197 shingles of 397 in common
    share = float((signature(one) == signature(other)).mean())
    assert abs(share - 197 / 397) < 0.13
