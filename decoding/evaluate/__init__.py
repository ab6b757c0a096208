"""Proof and measurement: speculative against plain decoding, on the user's own model."""
