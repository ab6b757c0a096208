"""Repair without a model: small edits of a failing design, judged by its own checks."""
