"""What runs inside the simulator's Python: copied into the run folder as `rtl_harness`.

Uses the standard library and cocotb, and nothing of the rest of this package.
"""
