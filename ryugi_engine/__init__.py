"""ryugi-engine: an engine for Ryugi, chess-like games and placement games, over UCI and CECP."""

__version__ = "0.2.0"
