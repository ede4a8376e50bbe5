"""The reference rules of chess-like games, in plain Python; an engine never uses them."""
