"""Sets of squares in kernels: four words of 64 bits."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel


@kernel
def has(words, square):
    """Return 1 if a set of squares has a square, else 0."""
    return (words[square >> 6] >> (square & 63)) & 1


@kernel
def add(words, square):
    """Add a square to a set."""
    words[square >> 6] |= 1 << (square & 63)
