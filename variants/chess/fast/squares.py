"""Square indices and piece codes of the kernels, and bitboards as pairs of words."""

from __future__ import annotations

from collections.abc import Iterable

from variants.chess.fast.game import FastGame

Square = tuple[int, int]  # (file, rank) from 0
_FILES_PER_ROW = 16


def square_index(at: Square) -> int:
    """Return the kernels' index of a square (file, rank): rank * 16 + file."""
    return at[1] * _FILES_PER_ROW + at[0]


def signed(word: int) -> int:
    """Return the int64 with the bits of an unsigned 64-bit number."""
    return word - (1 << 64) if word >> 63 else word


def words_of(squares: Iterable[Square]) -> tuple[int, int]:
    """Return the bitboard (lo, hi) of some squares."""
    bits = 0
    for at in squares:
        bits |= 1 << square_index(at)
    return signed(bits & (1 << 64) - 1), signed(bits >> 64)


def piece_codes(game: FastGame) -> dict[str, int]:
    """Return the piece code of every letter, upper case for White."""
    codes = {}
    for kind, letter in enumerate(game.letters, start=1):
        codes[letter] = kind
        codes[letter.lower()] = 16 + kind
    return codes
