"""Many variants of one design judged at once, against what a check recorded."""

from .bench import coverage_top
from .record import Recording, record
from .run import Trial, Trials, TrialStatus

__all__ = ["Recording", "Trial", "TrialStatus", "Trials", "coverage_top", "record"]
