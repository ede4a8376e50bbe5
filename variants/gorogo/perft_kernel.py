"""Counting legal move sequences, with positions in registers instead of frames."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.jit import entry, routine
from ryugi_engine.kernel.memory import recurse8
from variants.gorogo import layout as L
from variants.gorogo.groups import count_moves, dead_stones, stone_points
from variants.gorogo.turns import (
    ONE_HENGE,
    Position,
    empty_points,
    is_exhausted,
    may_place_henge,
    seen_by,
)


@routine
def _perft(S, own, enemy, henges, hand, enemy_hand, depth, bulk):
    """Count; a recursive routine takes int64 arguments, no ``Position``."""
    if depth == 0:
        return 1
    if depth >= 4 and HEADER(S).stop != 0:
        return 0
    if is_exhausted(hand):
        return 0
    position = Position(own, enemy, henges, hand, enemy_hand)
    empty = empty_points(position)
    stones = stone_points(position, empty)
    placed = may_place_henge(hand)
    below = depth - 1
    total = 0
    left = empty if placed else stones
    while left != 0:
        point = left & -left
        left ^= point
        alive = enemy & ~dead_stones(enemy, empty ^ point)
        if depth == 2 and bulk != 0:
            if (stones & point) != 0:
                total += count_moves(alive, own | point, henges, enemy_hand)
            if placed:
                total += count_moves(alive, own, henges | point, enemy_hand)
        else:
            if (stones & point) != 0:
                total += recurse8(S, alive, own | point, henges, enemy_hand, hand - 1, below, bulk)
            if placed:
                rest = hand - ONE_HENGE
                total += recurse8(S, alive, own, henges | point, enemy_hand, rest, below, bulk)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Return the number of sequences of ``depth`` legal moves."""
    position = seen_by(L.FRAME(S, HEADER(S).frame), HEADER(S).side)
    own, enemy, henges, hand, enemy_hand = position
    if depth == 1 and bulk != 0:
        return count_moves(own, enemy, henges, hand)
    return _perft(S, own, enemy, henges, hand, enemy_hand, depth, bulk)
