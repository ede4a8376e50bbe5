"""Perft: counting legal move sequences."""
