"""Checks: executable judgements of a DUT, one module a kind."""
