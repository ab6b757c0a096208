"""Rejects, before any simulation, designs that could cheat or reach outside."""

from .api import screen

__all__ = ["screen"]
