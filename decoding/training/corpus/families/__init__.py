"""One module a group of design families."""
