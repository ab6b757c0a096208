"""Families for measuring alone: no training pair and no library design is drawn from them.

They stand in a package of their own so that what a model makes of them says what it makes of a
kind of design it was never shown. `agent/corpus/held_out.py` names them; a new one belongs there.
"""
