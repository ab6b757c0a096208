"""Corpus designs checked by the real tools, and training pairs made from them."""
