"""Which lines of a design are to blame for a failure."""

from .api import Failure, localise, locate_errors, rank_statically
from .explore import Outcome, explore
from .types import Localisation, Suspect

__all__ = [
    "Failure",
    "Localisation",
    "Outcome",
    "Suspect",
    "explore",
    "localise",
    "locate_errors",
    "rank_statically",
]
