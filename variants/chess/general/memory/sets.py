"""Sets of squares in kernels: four words of 64 bits in memory, or as values."""

from __future__ import annotations

from typing import Any, NamedTuple

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import add as wrapping_add
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
def contains(a, square):
    """Return whether a set has a square."""
    word = square >> 6
    found = select(word == 0, a.a, select(word == 1, a.b, select(word == 2, a.c, a.d)))
    return shr(found, square & 63) & 1 != 0


@kernel
def _without_lowest(word):
    return word & wrapping_add(word, -1)


@kernel
def pop(a):
    """Return the lowest square of a set that has one, and the other squares.

    Every loop over a set is ``while any_of(left): square, left = pop(left)``.
    """
    ab, abc = a.a | a.b, a.a | a.b | a.c
    first = select(a.a != 0, a.a, select(ab != 0, a.b, select(abc != 0, a.c, a.d)))
    start = select(a.a != 0, 0, select(ab != 0, 64, select(abc != 0, 128, 192)))
    others = Squares(
        _without_lowest(a.a),
        select(a.a == 0, _without_lowest(a.b), a.b),
        select(ab == 0, _without_lowest(a.c), a.c),
        select(abc == 0, _without_lowest(a.d), a.d),
    )
    return start + ctz(first), others


@kernel
def moved(t, squares, step):
    """Return a set moved by 1 to 63 squares, without what leaves the board."""
    if step > 0:
        back = 64 - step
        found = Squares(
            squares.a << step,
            squares.b << step | shr(squares.a, back),
            squares.c << step | shr(squares.b, back),
            squares.d << step | shr(squares.c, back),
        )
    else:
        back = 64 + step
        found = Squares(
            shr(squares.a, -step) | squares.b << back,
            shr(squares.b, -step) | squares.c << back,
            shr(squares.c, -step) | squares.d << back,
            shr(squares.d, -step),
        )
    return both(found, squares_of(t, t.squares))


@kernel
def keep(words, squares):
    """Write a set to memory."""
    words[0] = squares.a
    words[1] = squares.b
    words[2] = squares.c
    words[3] = squares.d


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
