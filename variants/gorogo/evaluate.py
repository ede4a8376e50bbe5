"""Static evaluation of GoRoGo: captures, stones that can be captured, liberties."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import popcount
from variants.gorogo.groups import around, dead_stones
from variants.gorogo.turns import empty_points, henges_in, stones_in

_STONE = 100
_TIE = 50  # a tie is White's
_THREAT = 55  # a stone that the side to move can take
_EXPOSED = 20  # a stone that the other side could take, were it to move
_LIBERTY = 6
_TOUCHED = 5  # stones with an empty point next to them
_HENGE = 22  # in hand


@kernel
def _most_taken(enemy, empty):
    """Return the most stones that one placement captures."""
    most = 0
    points = empty & around(enemy)
    while points != 0:
        point = points & -points
        points ^= point
        taken = popcount(dead_stones(enemy, empty ^ point))
        most = max(most, taken)
    return most


@kernel
def evaluate_position(position, us):
    """Return the static evaluation in centipawns for the side to move."""
    own, enemy = position.own, position.enemy
    hand, enemy_hand = position.hand, position.enemy_hand
    empty = empty_points(position)
    score = popcount(own) + stones_in(hand) - popcount(enemy) - stones_in(enemy_hand)
    score *= _STONE
    score += _TIE - 2 * _TIE * us
    score += _THREAT * _most_taken(enemy, empty) - _EXPOSED * _most_taken(own, empty)
    score += _LIBERTY * (popcount(around(own) & empty) - popcount(around(enemy) & empty))
    score += _TOUCHED * (popcount(own & around(empty)) - popcount(enemy & around(empty)))
    score += _HENGE * (henges_in(hand) - henges_in(enemy_hand))
    return score
