"""Recorded games gone over by the engine: evaluations, better moves, a summary a side."""
