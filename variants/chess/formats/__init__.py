"""Definitions as text: TOML, Fairy-Stockfish's ``variants.ini``, and Interactive Diagrams."""
