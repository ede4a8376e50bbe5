"""Sets of squares in kernels: four words of 64 bits."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import shr
from variants.chess.tables import layout as L


@kernel
def has(words, square):
    """Return 1 if a set of squares has a square, else 0."""
    return (words[square >> 6] >> (square & 63)) & 1


@kernel
def add(words, square):
    """Add a square to a set."""
    words[square >> 6] |= 1 << (square & 63)


@kernel
def shifted(t, words, step, word):
    """Return a word of a set moved by less than 64 squares, without what leaves the board."""
    value = words[word]
    if step > 0:
        moved = value << step
        if word > 0:
            moved |= shr(words[word - 1], 64 - step)
    else:
        moved = shr(value, -step)
        if word < L.WORDS - 1:
            moved |= words[word + 1] << (64 + step)
    return moved & t.squares[word]
