"""What the experiment compares, and how large each run is."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["METHODS", "Method", "Plan", "Run", "runs_of"]


@dataclass(frozen=True)
class Method:
    """A row of the comparison.

    Attributes:
        heads: whether draft heads are trained with the model.
        form: which head labels are masked.
        marked: whether the answers carry the fragment marker.
        integrity: whether lossy decoding cuts accepted tokens to whole fragments.
    """

    name: str
    heads: bool
    form: str
    marked: bool
    integrity: bool
    what: str


METHODS = {
    m.name: m
    for m in (
        Method("ntp", False, "none", False, False, "plain next-token training"),
        Method("medusa", True, "none", False, False, "Medusa heads: no marker, no mask"),
        Method("marker", True, "marker", True, True, "the paper's form: marker and mask"),
        Method("lexer", True, "lexer", False, True, "mask without a marker in the text"),
        Method("marker-unmasked", True, "none", True, True, "ablation: marker without the mask"),
    )
}


@dataclass(frozen=True)
class Run:
    """One training and its evaluation."""

    method: str
    samples: int
    seed: int

    @property
    def name(self) -> str:
        """Of its folder and its result."""
        return f"{self.method}-{self.samples}-{self.seed}"


@dataclass(frozen=True)
class Plan:
    """Sizes of the experiment; the same for every method.

    `samples` are pairs seen by plain next-token training; methods that cost more a pair see fewer,
    so that all spend the same arithmetic (`compute.py`). `families` is `all`, `seen` or `unseen`.
    """

    base: str = "embedded"
    layers: int = 6
    sizes: tuple[int, ...] = (150, 450, 1350)
    seeds: tuple[int, ...] = (1, 2, 3)
    methods: tuple[str, ...] = tuple(METHODS)
    heads: int = 10
    families: str = "seen"
    per_family: int = 12
    data_seed: int = 77
    designs: int = 40
    answers: int = 10
    temperature: float = 0.8
    max_new: int = 320
    marker: str = "<file_sep>"
    train: dict[str, Any] = field(
        default_factory=lambda: {
            "rank": 32,
            "alpha": 32,
            "first_layer": 0,
            "tokens_per_batch": 1800,
            "max_tokens": 700,
            "learning_rate": 1e-3,
            "threads": 1,
        }
    )

    def to_json(self) -> dict[str, Any]:
        """For the result files."""
        return asdict(self)


def runs_of(plan: Plan) -> list[Run]:
    """All runs, telling ones first: every method at the largest size, seed by seed, then sizes."""
    largest = max(plan.sizes)
    runs = [Run(m, largest, seed) for seed in plan.seeds for m in plan.methods]
    runs += [
        Run(m, size, plan.seeds[0])
        for size in sorted(plan.sizes, reverse=True)
        if size != largest
        for m in plan.methods
    ]
    return runs
