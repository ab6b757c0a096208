"""What queues and stacks share: names, traffic, status facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from ..design import Behaviour
    from ..names import Names

__all__ = ["QueueNames", "bursts", "status_fact"]


def bursts(
    push: str, pop: str, data: str, width: int
) -> Callable[[random.Random, int], list[dict[str, int]]]:
    """Phases that mostly push, mostly pop or do both, so that full and empty are reached."""

    def generate(rng: random.Random, cycles: int) -> list[dict[str, int]]:
        rows: list[dict[str, int]] = []
        while len(rows) < cycles:
            p, q = rng.choice(((0.9, 0.1), (0.1, 0.9), (0.6, 0.6), (0.95, 0.95), (1.0, 0.0)))
            rows += [
                {
                    push: int(rng.random() < p),
                    pop: int(rng.random() < q),
                    data: rng.getrandbits(width),
                }
                for _ in range(rng.randint(4, 24))
            ]
        return rows[:cycles]

    return generate


def status_fact(kind: str, full: str, empty: str, depth: int) -> Behaviour:
    """What full and empty mean."""
    return (
        f"{full} is high when it holds {depth} words, {empty} when it holds none.",
        f"`{full}` and `{empty}` flag {depth} and 0 stored {kind} respectively.",
        f"{empty} means no {kind} stored, {full} means all {depth} places are taken.",
    )


class QueueNames:
    """Port names of a queue or stack."""

    def __init__(self, n: Names, stack: bool) -> None:
        pairs: tuple[str, ...] = ("push pop", "put take", "wr rd", "push_i pop_i", "push_en pop_en")
        if not stack:
            pairs = ("wr_en rd_en", "push pop", "wr rd", "we re", "enq deq", "write read")
        first, second = n.choose(pairs).split()
        self.push, self.pop = n.pick(first), n.pick(second)
        self.din = n.pick("din", "wdata", "data_in", "wr_data", "d")
        self.dout = n.pick("dout", "rdata", "data_out", "rd_data", "q")
        self.full, self.empty = n.pick("full", "full_o", "is_full"), n.pick("empty", "empty_o", "is_empty")  # fmt: skip
