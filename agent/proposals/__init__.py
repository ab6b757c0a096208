"""Checks that the model proposes where the spec has none: validated, agreed on, weighed."""
