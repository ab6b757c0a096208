"""Broken designs with known faults, and the right designs that they came from."""
