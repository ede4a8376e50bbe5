"""Counting legal move sequences, with positions in registers instead of frames."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_SIDE, H_STOP
from ryugi_engine.jit import entry, routine
from ryugi_engine.memory import load64, recurse8, shared64
from variants.gorogo import layout as L
from variants.gorogo.groups import count_moves, dead_stones, stone_points
from variants.gorogo.turns import (
    Position,
    after_henge,
    after_stone,
    empty_points,
    is_exhausted,
    may_place_henge,
    seen_by,
)


@routine
def _perft(S, own, enemy, henges, hand, enemy_hand, depth, bulk):
    """A routine that recurses takes words: a ``Position`` is spelt out."""
    if depth == 0:
        return 1
    if depth >= 4 and shared64(S, H_STOP) != 0:
        return 0
    if is_exhausted(hand):
        return 0
    position = Position(own, enemy, henges, hand, enemy_hand)
    empty = empty_points(position)
    stones = stone_points(position, empty)
    placed = may_place_henge(hand)
    total = 0
    left = empty if placed else stones
    while left != 0:
        point = left & -left
        left ^= point
        dead = dead_stones(enemy, empty ^ point)
        stone = after_stone(position, point, dead)
        henge = after_henge(position, point, dead)
        if depth == 2 and bulk != 0:
            if (stones & point) != 0:
                total += count_moves(stone)
            if placed:
                total += count_moves(henge)
        else:
            if (stones & point) != 0:
                p = stone
                total += recurse8(
                    S, p.own, p.enemy, p.henges, p.hand, p.enemy_hand, depth - 1, bulk
                )
            if placed:
                p = henge
                total += recurse8(
                    S, p.own, p.enemy, p.henges, p.hand, p.enemy_hand, depth - 1, bulk
                )
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Sequences of ``depth`` legal moves from the current frame."""
    position = seen_by(L.FRAME(S, load64(S, H_FRAME)), load64(S, H_SIDE))
    if depth == 1 and bulk != 0:
        return count_moves(position)
    p = position
    return _perft(S, p.own, p.enemy, p.henges, p.hand, p.enemy_hand, depth, bulk)
