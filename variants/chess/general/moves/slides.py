"""What sliders and hoppers reach, by whole lines instead of square by square.

The pieces on a line are gathered into one index, by files or, on a line along a file, by ranks. A
line has at most one square of each. A table has what a slider reaches for each index. Source of the
idea: G. Rasmussen's kindergarten bitboards, see the Chess Programming Wiki.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import mul, popcount, select, shr
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    Squares,
    both,
    either,
    kind_squares,
    no_squares,
    squares_of,
    without,
)

_COLUMN = 0x0001000100010001
#: Multiplier that brings bits 0, 16, 32, 48 and those 4, 8 and 12 higher to the top 16 bits.
_GATHER = (1 << 48) + (1 << 33) + (1 << 18) + (1 << 3)
#: Multiplier that brings four bits 16 apart.
_SPREAD = 1 + (1 << 15) + (1 << 30) + (1 << 45)


@kernel
def _reached(t, at, gathered):
    """Return what is reached from a place of a line whose pieces lie in the top 16 bits."""
    index = shr(gathered, 49) & ((1 << t.fill_bits) - 1)
    return t.fills[(at << t.fill_bits) + index]


@kernel
def _by_file(squares):
    """Return in the top 16 bits which files a set has squares on, at most one on each."""
    return mul(squares.a | squares.b | squares.c | squares.d, _COLUMN)


@kernel
def _by_rank(squares, file):
    """Return in the top 16 bits on which ranks of a file a set without others has squares."""
    gathered = shr(squares.a, file) | shr(squares.b, file) << 4
    gathered |= shr(squares.c, file) << 8 | shr(squares.d, file) << 12
    return mul(gathered, _GATHER)


@kernel
def _on_file(fill, file, word):
    """Return a word of the set of ranks of a file."""
    return (mul(shr(fill, 4 * word) & 15, _SPREAD) & _COLUMN) << file


@kernel
def on_line(t, track, origin, occupied):
    """Return the squares that a slider reaches along a line, the first pieces included."""
    line = squares_of(t, L.LINE(t.lines, L.WORDS * (track.line + origin)).squares)
    there = both(line, occupied)
    file = origin & 15
    if track.upright:
        fill = _reached(t, origin >> 4, _by_rank(there, file))
        found = Squares(
            _on_file(fill, file, 0),
            _on_file(fill, file, 1),
            _on_file(fill, file, 2),
            _on_file(fill, file, 3),
        )
    else:
        fill = mul(_reached(t, file, _by_file(there)), _COLUMN)
        found = Squares(fill, fill, fill, fill)
    return both(found, line)


@kernel
def count_on_line(t, track, origin, occupied, movable):
    """Return how many squares of ``movable`` a slider reaches along a line."""
    line = squares_of(t, L.LINE(t.lines, L.WORDS * (track.line + origin)).squares)
    there, open_ = both(line, occupied), both(line, movable)
    if track.to_zone != 0:
        open_ = both(open_, squares_of(t, t.zones[track.to_zone]))
    if track.upright:
        fill = _reached(t, origin >> 4, _by_rank(there, origin & 15))
        return popcount(fill & shr(_by_rank(open_, origin & 15), 48))
    fill = _reached(t, origin & 15, _by_file(there))
    return popcount(fill & shr(_by_file(open_), 48))


@kernel
def cannons_for(t, frame, code):
    """Return the pieces that one of a code neither leaps over nor takes: cannons, if it is one."""
    found = no_squares()
    if t.cannon[code]:
        for kind in range(1, t.kinds + 1):
            if t.cannon[kind]:
                found = either(found, kind_squares(t, frame, kind))
    return found


@kernel
def suited(flags, movable, occupied):
    """Return the targets of ``movable`` that a move with some flags may have."""
    quiet, capture = select(flags & L.QUIET, -1, 0), select(flags & L.CAPTURE, -1, 0)
    return Squares(
        movable.a & ((capture & occupied.a) | (quiet & ~occupied.a)),
        movable.b & ((capture & occupied.b) | (quiet & ~occupied.b)),
        movable.c & ((capture & occupied.c) | (quiet & ~occupied.c)),
        movable.d & ((capture & occupied.d) | (quiet & ~occupied.d)),
    )


@kernel
def slide_targets(t, track, origin, occupied, cannons):
    """Return the targets of a slider or hopper along a line, and the pieces that stop it.

    ``cannons`` are those of ``cannons_for``.
    """
    found = on_line(t, track, origin, occupied)
    if track.hops:
        hurdles = without(both(found, occupied), cannons)
        found = without(on_line(t, track, origin, without(occupied, hurdles)), found)
    if track.to_zone != 0:
        found = both(found, squares_of(t, t.zones[track.to_zone]))
    return without(found, cannons)
