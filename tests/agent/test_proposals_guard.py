"""A proposed reference can reach neither the machine nor the design it is to judge."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from loop_kit import COUNTER, COUNTER_MODEL, GOOD_COUNTER
from rtl_agent.agent.proposals.extract import forms, model_text
from rtl_agent.agent.proposals.guard import find_fault
from rtl_agent.tools.checks.factory import make_check
from rtl_agent.tools.checks.types import CheckKind, CheckSource, Dut, Limits
from rtl_agent.tools.clocking import infer_clocking

if TYPE_CHECKING:
    from pathlib import Path

STEP = "def step(inputs):\n    return {'q': 0}\n"


@pytest.mark.parametrize(
    "text",
    [
        COUNTER_MODEL,
        "import math\nfrom collections import deque\n" + STEP,
        "from __future__ import annotations\nfrom dataclasses import dataclass, field\n"
        "@dataclass\nclass M:\n    q: int = 0\n    def __post_init__(self): self.m = [0] * 4\n"
        "    def reset(self): self.q = 0\n"
        "    def step(self, inputs): return {'q': f'{self.q:04b}'}",
        "import itertools as it\nfrom enum import IntEnum\nclass S(IntEnum):\n    A = 0\n"
        "def step(inputs):\n    return {'q': next(it.count(int(S.A)))}\n",
        "from enum import Enum, auto\nfrom collections import namedtuple\n"
        "class S(Enum):\n    IDLE = auto()\n    RUN = auto()\nP = namedtuple('P', 'a b')\n"
        "class M:\n    def reset(self): self._s, self._p = S.IDLE, P(0, 0)\n"
        "    def step(self, inputs):\n        self._p = self._p._replace(a=1)\n"
        "        return {'q': format(self._p.a, '04b') if self._s is S.RUN else 0}\n",
    ],
)
def test_plain_models_may_run(text):
    assert find_fault(text) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import os\n" + STEP, "line 1: `import os` is not allowed"),
        ("from os import path\n" + STEP, "`import os`"),
        ("import cocotb\n" + STEP, "`import cocotb`"),
        ("from . import x\n" + STEP, "not allowed"),
        ("from enum import sys\n" + STEP, "`enum.sys`"),
        ("import enum\nm = enum.sys.modules\n" + STEP, "`enum.sys`"),
        ("import enum as e\nf = e\ns = f.sys\n" + STEP, "may only be used as `e.name`"),
        ("import collections\nx = collections._sys\n" + STEP, "`collections._sys`"),
        ("from operator import attrgetter\n" + STEP, "attrgetter"),
        ("from math import *\n" + STEP, r"math.\*"),
        ("def step(inputs):\n    return open('/etc/passwd').read()\n", "line 2: `open`"),
        ("f = open\n" + STEP, "`open`"),
        ("x = getattr(1, 'real')\n" + STEP, "`getattr`"),
        ("x = ().__class__.__subclasses__()\n" + STEP, "__subclasses__|__class__"),
        ("x = '{0.__init__.__globals__}'.format(1)\n" + STEP, "`.format`"),
        ("x = (i for i in ()).gi_frame\n" + STEP, "`.gi_frame`"),
        (
            "try:\n    1/0\nexcept ValueError as e:\n    t = e.__traceback__\n" + STEP,
            "__traceback__",
        ),
        ("match 1:\n    case int(__class__=c): pass\n" + STEP, "__class__"),
        ("class S(str):\n    def __ne__(self, o): return False\n" + STEP, "`__ne__`"),
        ("class S(str):\n    __ne__ = lambda s, o: False\n" + STEP, "`__ne__`"),
        ("S = type('S', (str,), {})\n" + STEP, "`type`"),
        ("x = __builtins__\n" + STEP, "__builtins__"),
        ("async def step(inputs):\n    pass\n", "async"),
        ("def step(inputs)\n    return {}\n", "line 1: syntax error"),
        ("x = 1\0\n", "null bytes"),
        ("class Model:\n    def reset(self): pass\n", "no step"),
        ("# " + "x" * 30_000 + "\n" + STEP, "characters"),
        ("x = " + "-" * 15_000 + "1\n" + STEP, "not Python|syntax error"),
    ],
)
def test_what_leads_elsewhere_is_refused(text, message):
    fault = find_fault(text)
    assert re.search(message, fault), fault


DATACLASS = """import dataclasses
f = dataclasses.field(default=0)
@dataclasses.dataclass
class A:
    x: int = f
f.name = "x=X.append(__import__('cocotb')), *, z"
@dataclasses.dataclass
class B(A): pass
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Puts the globals of a standard module, `_sys` among them, into those of the reference.
        (
            "import collections as c, functools\ndef g(): pass\n"
            "functools.update_wrapper(g, c.namedtuple, assigned=(), updated=('__globals__',))\n",
            "line 3: `functools.update_wrapper`",
        ),
        ("top = _sys.modules['cocotb'].top\n", "`_sys` may not be used"),
        ("import typing\nx = typing.get_args(typing.Optional['1/0'])\n", "`typing.get_args`"),
        ("def f(x): return x._evaluate({}, {}, frozenset())\n", "`._evaluate`"),
        (DATACLASS, "line 6: `.name` may not be assigned"),  # a field's name is run as text
        (
            "from enum import IntEnum\nclass S(IntEnum):\n    A = 0\n"
            "M = S._convert_('X', 'sys', lambda n: n == 'modules')\n",
            "`_convert_`",
        ),
        ("import enum\nenum.global_enum(1)\n", "`enum.global_enum`"),
        ("import copy\ncopy.dispatch_table[str] = 1\n", "`copy.dispatch_table`"),
        ("import math\nmath.floor = 1\n", "`math.floor` may not be changed"),
        # `dataclasses.copy` is a module, though `copy.copy` is none.
        (
            "import dataclasses as m\ndef f():\n    import copy as m\nx = m.copy\n",
            "two modules",
        ),
        ("class S(str):\n    from copy import deepcopy as __ne__\n", "`__ne__`"),
        ("import enum\nE = enum.Enum('E', {'__n' + 'e__': min})\n", "base of a class with members"),
        ("from enum import Enum as F\nclass E(F): pass\nE('E', {})\n", "class with members"),
        ("from enum import Enum\nclass E(Enum):\n    _ignore_ = 'A'\n    A = 1\n", "`_ignore_`"),
        (
            "from enum import Enum, auto\ndef auto(): return min\nclass E(Enum):\n    A = auto()\n",
            "class with members",
        ),
        ("raise SystemExit(0)\n", "`SystemExit`"),
        ("x = (1).real.__ｃlass__\n", "`__class__`"),
    ],
)
def test_doors_in_what_is_allowed_are_shut(text, message):
    fault = find_fault(text + STEP)
    assert re.search(message, fault), fault


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs Icarus Verilog")
def test_without_the_guard_a_reference_that_peeks_passes_a_wrong_design(tmp_path: Path):
    # It copies the design's own outputs, so it agrees with whatever it is to judge.
    wrong = tmp_path / "cnt.v"
    wrong.write_text(GOOD_COUNTER.replace("+ 4'd1", "+ 4'd3"))
    peeking = """
import cocotb
class Model:
    def reset(self):
        return {}
    def step(self, inputs):
        q = cocotb.top.q.value
        return {"q": int(q)} if q.is_resolvable else {}
"""
    source = CheckSource(CheckKind.REFERENCE_MODEL, "r", peeking, "r:1")
    check = make_check(source, clocking=infer_clocking(COUNTER))
    dut = Dut((wrong,), COUNTER)
    assert check.run(dut, tmp_path / "w", limits=Limits(), seed=1).passed
    assert "cocotb" in find_fault(peeking)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("", ""),
        ("I am sorry, I cannot do that. One would step through the states.", ""),
        ("```verilog\nmodule m; endmodule\n```", ""),
        (f"Sure:\n```python\n{STEP}```\nThat is it.", STEP),
        (f"```python\n{STEP}", STEP),
        (f"```python\n{STEP}```\nor better\n```python\nX = 1\n{STEP}```\n", f"X = 1\n{STEP}"),
        (f"```python\nx = 1\n```\n```\n{STEP}```\n", STEP),
        (STEP, STEP),
        (f"~~~py\n{STEP}~~~\n", STEP),
    ],
)
def test_the_model_is_taken_out_of_an_answer(answer, text):
    assert model_text(answer) == text


def test_own_stimulus_comes_beside_the_random_one_and_not_in_its_place():
    text = (
        "class M:\n    def reset(self): pass\n    def stimulus(self, rng, cycles):\n"
        "        return [{'en': 0}] * cycles\n    def step(self, inputs): return {'q': 0}\n"
    )
    plain, directed = forms(text)
    assert directed == text
    assert "stimulus" not in plain
    assert "step" in plain
    assert find_fault(plain) == ""
    assert forms(COUNTER_MODEL) == (COUNTER_MODEL,)


def test_a_class_of_stimulus_alone_stays_python():
    text = "class V:\n    def stimulus(self, rng, cycles):\n        return []\n" + STEP
    assert find_fault(forms(text)[0]) == ""
