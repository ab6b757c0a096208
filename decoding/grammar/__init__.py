"""Constraining output to a grammar, together with speculation."""
