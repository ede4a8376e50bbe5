"""Solving positions exactly with a game's prover, and its proof table in memory and in files."""
