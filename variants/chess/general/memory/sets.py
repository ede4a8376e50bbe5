"""Sets of squares in kernels: four words of 64 bits in memory, or as values."""

from __future__ import annotations

from typing import Any, NamedTuple

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import ctz, popcount, select, shr
from variants.chess.general.memory import layout as L


class Squares(NamedTuple):
    """A set of squares as a value; words that the board does not reach into are 0."""

    a: Any
    b: Any
    c: Any
    d: Any


@kernel
def squares_of(t, words):
    """Return the set that is kept as words."""
    return Squares(
        words[0],
        select(t.words > 1, words[1], 0),
        select(t.words > 2, words[2], 0),
        select(t.words > 3, words[3], 0),
    )


@kernel
def no_squares():
    """Return the empty set."""
    return Squares(0, 0, 0, 0)


@kernel
def one(square):
    """Return the set of one square."""
    word, bit = square >> 6, 1 << (square & 63)
    return Squares(
        select(word == 0, bit, 0),
        select(word == 1, bit, 0),
        select(word == 2, bit, 0),
        select(word == 3, bit, 0),
    )


@kernel
def both(a, b):
    """Return the squares that are in both sets."""
    return Squares(a.a & b.a, a.b & b.b, a.c & b.c, a.d & b.d)


@kernel
def either(a, b):
    """Return the squares that are in one of two sets."""
    return Squares(a.a | b.a, a.b | b.b, a.c | b.c, a.d | b.d)


@kernel
def without(a, b):
    """Return the squares of the first set that are not in the second."""
    return Squares(a.a & ~b.a, a.b & ~b.b, a.c & ~b.c, a.d & ~b.d)


@kernel
def any_of(a):
    """Return whether a set has a square."""
    return (a.a | a.b | a.c | a.d) != 0


@kernel
def size(a):
    """Return the number of squares of a set."""
    return popcount(a.a) + popcount(a.b) + popcount(a.c) + popcount(a.d)


@kernel
def word_of(a, word):
    """Return a word of a set."""
    return select(word == 0, a.a, select(word == 1, a.b, select(word == 2, a.c, a.d)))


@kernel
def pop(a):
    """Return the lowest square of a set that has one, and the other squares."""
    word = select(a.a != 0, 0, select(a.b != 0, 1, select(a.c != 0, 2, 3)))
    square = 64 * word + ctz(word_of(a, word))
    return square, without(a, one(square))


@kernel
def stands(frame, square, side):
    """Return whether a piece of a side stands on a square of the board."""
    code = frame.board[square]
    return code != 0 and code != L.WALL and code >> 6 == side


@kernel
def kind_squares(t, frame, kind):
    """Return the squares of both sides' pieces of a kind."""
    return Squares(
        frame.by_kind[0][kind],
        select(t.words > 1, frame.by_kind[1][kind], 0),
        select(t.words > 2, frame.by_kind[2][kind], 0),
        select(t.words > 3, frame.by_kind[3][kind], 0),
    )


@kernel
def walls_of(t, frame):
    """Return the squares with a wall."""
    pieces = either(squares_of(t, frame.by_color[0]), squares_of(t, frame.by_color[1]))
    return without(squares_of(t, frame.occupied), pieces)


@kernel
def show(frame, square, code):
    """Write a code to the board while a move is tried: the pieces of sides and kinds stay."""
    frame.board[square] = code
    bit = 1 << (square & 63)
    others = frame.occupied[square >> 6] & ~bit
    frame.occupied[square >> 6] = others | select(code != 0, bit, 0)


@kernel
def has(words, square):
    """Return whether a set of squares has a square."""
    return (words[square >> 6] >> (square & 63)) & 1 != 0


@kernel
def add(words, square):
    """Add a square to a set."""
    words[square >> 6] |= 1 << (square & 63)


@kernel
def remove(words, square):
    """Remove a square from a set."""
    words[square >> 6] &= ~(1 << (square & 63))


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
