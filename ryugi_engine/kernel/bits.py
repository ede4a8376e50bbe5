"""``Bits``: a bitboard of up to 128 squares as one value in kernels.

It is two 64-bit words in registers, ``a.lo`` and ``a.hi``; the low one holds squares 0 to 63. Its
operators are ``&``, ``|``, ``^``, ``~``, ``==``, ``if a``, and ``a << n`` and ``a >> n`` for 0 < n
< 64. Its methods are :data:`METHODS`.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.declarations import operation

#: Methods of a bitboard and their meaning.
METHODS = {
    "count": "number of squares",
    "first": "lowest square of a bitboard that is not empty",
    "pop": "(lowest square, the rest) of a bitboard that is not empty",
    "has": "1 if the square is in it",
}


def signed(word: int) -> int:
    """Return the low 64 bits of an integer as the int64 that kernels see; in Python."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


def words(value: int) -> tuple[int, int]:
    """Return an integer of 128 bits, bit n for square n, as a bitboard's two words; in Python."""
    return signed(value), signed(value >> 64)


@operation
def bits(lo: Any, hi: Any) -> Any:
    """Return the bitboard of two words."""


@operation
def one(square: Any) -> Any:
    """Return the bitboard of one square."""


@operation
def choose(condition: Any, yes: Any, no: Any) -> Any:
    """Return ``yes if condition else no``, both evaluated, without a branch."""
