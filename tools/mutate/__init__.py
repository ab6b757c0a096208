"""Mutation score: the share of small faults in a passing design that its checks notice."""

from .choose import FAULTS, choose_mutants
from .equivalence import prove_equivalent
from .run import measure
from .types import Mutant, MutantOutcome, MutantStatus, MutationReport

__all__ = [
    "FAULTS",
    "Mutant",
    "MutantOutcome",
    "MutantStatus",
    "MutationReport",
    "choose_mutants",
    "measure",
    "prove_equivalent",
]
