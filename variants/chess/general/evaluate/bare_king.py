"""The evaluation of a bare king in games that count: how near its mate is.

Without it the search wins material and mates, but not before the count has ended. The weights are
those of a linear fit to the plies to mate of all positions with two khons, and with khon and
knight, in tenths of a ply.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.chess.general.memory.sets import any_of, one, pop, squares_of, without

#: A bare king's squares to the nearest corner, its ranks to the far edge, both kings' distance, the
#: other king's squares to the corner, a piece's distance to the bare king, and its lead over it.
_CORNER, _RANK, _KINGS, _CENTRE, _DISTANCE, _LEAD = 32, 5, 12, 16, 7, 11
#: A mate after so many tenths of a ply is worth no more than the pieces.
_FAR = 600
#: Of a tenth of a ply: the margins of pruning are not to hide a ply.
_CENTIPAWNS = 3


@kernel
def _to_corner(t, square):
    """Return how many files and ranks a square is away from the nearest corner."""
    file, rank = square & 15, square >> 4
    return min(file, t.files - 1 - file) + min(rank, t.ranks - 1 - rank)


@kernel
def _distance(a, b):
    return abs((a & 15) - (b & 15)) + abs((a >> 4) - (b >> 4))


@kernel
def has_bare_king(frame):
    """Return whether a side has nothing but its king."""
    return min(frame.pieces[0], frame.pieces[1]) == 1


@kernel
def bare_king_value(t, frame):
    """Return the value for the side to move where a side has a bare king."""
    bare = 0 if frame.pieces[0] == 1 else 1
    strong = 1 - bare
    king, other = frame.king[bare], frame.king[strong]
    forward = 1 if strong == 0 else -1
    home = 0 if strong == 0 else t.ranks - 1
    near = _FAR + _RANK * forward * ((king >> 4) - home) - _CORNER * _to_corner(t, king)
    near += _CENTRE * _to_corner(t, other) - _KINGS * _distance(king, other)
    left = without(squares_of(t, frame.by_color[strong]), one(other))
    while any_of(left):
        square, left = pop(left)
        near -= _DISTANCE * _distance(square, king)
        near -= _LEAD * forward * ((square >> 4) - (king >> 4))
    value = frame.psq[strong] - frame.psq[bare] + _CENTIPAWNS * near
    return value if strong == frame.side else -value
