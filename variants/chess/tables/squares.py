"""Square indices of the kernels, and sets of squares as words."""

from __future__ import annotations

from collections.abc import Iterable

from ryugi_engine.kernel.bits import signed
from variants.chess.definition import Square

_WORD = (1 << 64) - 1


def square_index(at: Square) -> int:
    """Return the kernels' index of a square (file, rank): rank * 16 + file."""
    return at[1] * 16 + at[0]


def words_of(squares: Iterable[Square]) -> list[int]:
    """Return a set of squares as four words."""
    bits = 0
    for at in squares:
        bits |= 1 << square_index(at)
    return [signed(bits >> shift & _WORD) for shift in (0, 64, 128, 192)]
