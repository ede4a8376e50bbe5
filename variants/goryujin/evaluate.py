"""Static evaluation of Goryujin, the race to the far edge, and move ordering by it."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import popcount, shr
from variants.goryujin import layout as L
from variants.goryujin.board import (
    is_on_board,
    joint_at,
    rank_of,
    row_of_piece,
    shape_of,
    touchdown_distance,
)
from variants.goryujin.moves import end_of, kind_of, nearest_touchdown, placement_of
from variants.goryujin.race import MAX_WAYS, reach
from variants.goryujin.trace import trace

#: Penalty in centipawns by the number of turns to the far edge. Each further turn costs 85 % of the
#: one before it, since a near landing is harder to stop.
TURN_COSTS = [round(1000 * (1 - 0.85**turns)) for turns in range(L.MAX_LAYERS + 2)]
#: Penalties for not reaching the far edge at all, and for each row short of it.
_SHORT, _ROW = 900, 40
_TEMPO = 60
_SPARE_P = 12
#: Bonus for each end from which a fastest way lands, for at most 31 of them.
_WAYS = 3


@kernel
def _prospect(position, side, reached):
    """Return a side's race score: less for every turn to its landing and every row short."""
    distance, turns, ways = reached
    landed = nearest_touchdown(position.frame, side)
    if landed <= distance:
        distance = landed
        turns = 0
        ways = MAX_WAYS
    if distance == 1:
        return _WAYS * ways - position.t.turn_cost[turns]
    return _WAYS * ways - _SHORT - _ROW * distance - 4 * turns


@routine
def evaluate_position(position):
    """Return the static evaluation in centipawns for the side to move."""
    frame = position.frame
    us = frame.side
    ours = reach(position, us)
    theirs = reach(position, 1 - us)
    score = _prospect(position, us, ours) - _prospect(position, 1 - us, theirs) + _TEMPO
    return score + _SPARE_P * (frame.hand[us][L.P] - frame.hand[1 - us][L.P])


#: Move ordering scores; histories go up to 16384. A winning landing, a turn that begins an
#: own fastest way, each square of the enemy's fastest ways that a turn covers.
_WIN = 1 << 20
_ON_WAY = 6000
_BLOCK = 1500


@kernel
def _begins_a_way(t, race, move):
    """Return whether a free end of a move's piece begins a fastest way."""
    placement = placement_of(move)
    for end in range(shape_of(t, placement).ends):
        if kind_of(move) == L.GROWTH and end == end_of(move):
            continue
        joint = joint_at(t, placement, end)
        if is_on_board(joint):
            first = race.first[joint.direction][L.RACE_PAD + joint.rank]
            if (shr(first, L.PAD + joint.file) & 1) != 0:
                return True
    return False


@kernel
def order_score(position, us, move):
    """Return a turn's order score, after :func:`look_ahead`.

    It is high for turns on the side's own fastest ways, and for those that cross the enemy's.
    """
    t = position.t
    placement = placement_of(move)
    kind = kind_of(move)
    if kind == L.PASSED:
        return 0
    if kind == L.TOUCHDOWN:
        return _WIN if touchdown_distance(t, us, placement) == 1 else 0
    crossed = 0
    rank = rank_of(placement)
    for i in range(shape_of(t, placement).height):
        cells = position.state.race[1 - us].cells[L.RACE_PAD + rank + i]
        crossed += popcount(cells & row_of_piece(t, placement, rank + i))
    begins = _begins_a_way(t, position.state.race[us], move)
    return _BLOCK * crossed + (_ON_WAY if begins else 0)


@routine
def look_ahead(position):
    """Trace the race of both sides, for :func:`order_score`."""
    for side in range(2):
        trace(position, side)
