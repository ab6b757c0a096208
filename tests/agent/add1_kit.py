"""A design that adds one and its spec: what tests of files on the command line break."""

GOOD = "module add1(input [3:0] a, output [3:0] y);\n  assign y = a + 4'd1;\nendmodule\n"
SPEC = """\
---
module: add1
---
- input [3:0] a
- output [3:0] y

y is a + 1.

| a | y |
|---|---|
| 0 | 1 |
| 7 | 8 |
"""
