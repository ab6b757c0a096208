"""The examples as small Python models, to be compared with those of the corpus.

Each has `reset()` and `step(inputs)`; the inputs are without clock and reset, and a value of None
is a don't-care.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from examples_kit import example
from rtl_agent.tools.checks.types import CheckKind

if TYPE_CHECKING:
    from collections.abc import Callable

Values = dict[str, int]


class Stateless:
    """What a combinational model does on reset: nothing."""

    def reset(self) -> None:
        pass


class Mux4(Stateless):
    def step(self, inputs: Values) -> Values:
        return {"y": inputs["abcd"[inputs["sel"]]]}


class PrioEnc8(Stateless):
    def step(self, inputs: Values) -> dict[str, int | None]:
        req = inputs["req"]
        return {"index": req.bit_length() - 1 if req else None, "valid": int(req > 0)}


class UpdownCounter:
    def reset(self) -> None:
        self.count = 0

    def step(self, inputs: Values) -> Values:
        if inputs["en"]:
            self.count = (self.count + (1 if inputs["up"] else -1)) % 256
        return {"count": self.count}


class Pwm8:
    def reset(self) -> None:
        self.counter = 0

    def step(self, inputs: Values) -> Values:
        self.counter = (self.counter + 1) % 256
        return {"pwm_out": int(self.counter < inputs["duty"])}


class Fifo8x8:
    def reset(self) -> None:
        self.words: deque[int] = deque()

    def step(self, inputs: Values) -> dict[str, int | None]:
        read = inputs["rd_en"] and self.words
        write = inputs["wr_en"] and len(self.words) < 8
        if read:
            self.words.popleft()
        if write:
            self.words.append(inputs["wr_data"])
        return {
            "rd_data": self.words[0] if self.words else None,
            "full": int(len(self.words) == 8),
            "empty": int(not self.words),
        }


class UartTx:
    def reset(self) -> None:
        self.place = 160
        self.frame = 0

    def step(self, inputs: Values) -> Values:
        if self.place < 160:
            self.place += 1
        elif inputs["start"]:
            self.place, self.frame = 0, 1 << 9 | inputs["data"] << 1
        busy = self.place < 160
        return {"tx": self.frame >> self.place // 16 & 1 if busy else 1, "busy": int(busy)}


class Gray4:
    def reset(self) -> None:
        self.place = 0

    def step(self, inputs: Values) -> Values:
        self.place = (self.place + inputs["en"]) % 16
        return {"gray": self.place ^ self.place >> 1}


def inline(name: str) -> Callable[[], Any]:
    """The model that an example's spec has in a fence."""
    (source,) = (c for c in example(name).spec.checks if c.kind is CheckKind.REFERENCE_MODEL)
    space: dict[str, Any] = {}
    exec(source.text, space)
    (model,) = (v for v in space.values() if isinstance(v, type) and hasattr(v, "step"))
    return model


MODELS: dict[str, Callable[[], Any]] = {
    "mux4": Mux4,
    "prio_enc8": PrioEnc8,
    "updown_counter": UpdownCounter,
    "edge_capture": inline("edge_capture"),
    "seq1011": inline("seq1011"),
    "pwm8": Pwm8,
    "fifo8x8": Fifo8x8,
    "uart_tx": UartTx,
    "gray4": Gray4,
    "beyond/fp16_add": inline("beyond/fp16_add"),
}
