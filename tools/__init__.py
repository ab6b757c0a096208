"""All access to EDA tools: parse, screen, lint, simulate, waves, sandbox.

Everything here returns frozen data and never prints.
"""
