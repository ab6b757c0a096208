"""Fragment boundaries: where decoded text ends on a complete Verilog token."""
