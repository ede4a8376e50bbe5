"""Counting legal move sequences, with positions in registers instead of frames."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_SIDE, H_STOP
from ryugi_engine.jit import entry, routine
from ryugi_engine.memory import load64, recurse8, shared64
from variants.gorogo import layout as L
from variants.gorogo.groups import (
    count_moves,
    dead_stones,
    is_setup,
    may_place_henge,
    seen_by,
    stone_points,
)


@routine
def _perft(S, own, enemy, henges, hand, enemy_hand, depth, bulk):
    if depth == 0:
        return 1
    if depth >= 4 and shared64(S, H_STOP) != 0:
        return 0
    if (hand & ~256) == 0:  # nothing in hand, or a Henge alone
        return 0
    empty = L.BOARD & ~(own | enemy | henges)
    stones = 0
    if (hand & 255) != 0 and not is_setup(own, enemy, henges, hand):
        stones = stone_points(own, enemy, henges, empty)
    placed = may_place_henge(hand)
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
            below = depth - 1
            if (stones & point) != 0:
                total += recurse8(S, alive, own | point, henges, enemy_hand, hand - 1, below, bulk)
            if placed:
                total += recurse8(
                    S, alive, own, henges | point, enemy_hand, hand - 256, below, bulk
                )
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Sequences of ``depth`` legal moves from the current frame."""
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    own, enemy, henges, hand, enemy_hand = seen_by(S, f, us)
    if depth == 1 and bulk != 0:
        return count_moves(own, enemy, henges, hand)
    return _perft(S, own, enemy, henges, hand, enemy_hand, depth, bulk)
