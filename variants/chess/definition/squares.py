"""Square indices of the kernels, and sets of squares as words."""

from __future__ import annotations

from collections.abc import Iterable

from ryugi_engine.kernel.bits import signed
from variants.chess.definition.definition import Square


def square_index(at: Square) -> int:
    """Return the kernels' index of a square (file, rank): rank * 16 + file."""
    return at[1] * 16 + at[0]


def square_at(index: int) -> Square:
    """Return the square (file, rank) of an index."""
    return index & 15, index >> 4


def words_of(squares: Iterable[Square], count: int = 4) -> list[int]:
    """Return a set of squares as words, of four ranks each."""
    bits = 0
    for file, rank in squares:
        bits |= 1 << (rank * 16 + file)
    return [signed(bits >> 64 * word) for word in range(count)]


def bitboard_of(squares: Iterable[Square]) -> tuple[int, int]:
    """Return the bitboard (lo, hi) of some squares, on boards of at most eight ranks."""
    low, high = words_of(squares, 2)
    return low, high
