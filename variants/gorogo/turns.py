"""Positions as the side to move sees them, and the codes of hands and moves.

A hand is ``stones | henges << 8``; a move is ``point | kind << 6``.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.jit import kernel
from variants.gorogo import layout as L

STONE, HENGE = 1, 2
ONE_HENGE = 1 << 8  # in Python ``henges, stones = divmod(hand, ONE_HENGE)``
FULL_HAND = 10 | 3 * ONE_HENGE  # White's before the setup
KIND_SHIFT = 6
ONE_KIND = 1 << KIND_SHIFT  # in Python ``kind, point = divmod(move, ONE_KIND)``


class Position(NamedTuple):
    """A position as the side to move sees it, without colours."""

    own: int  # sets of points
    enemy: int
    henges: int
    hand: int
    enemy_hand: int


@kernel
def seen_by(frame, us):
    """Return a frame's position as a side sees it."""
    own, enemy = frame.stones[us], frame.stones[1 - us]
    return Position(own, enemy, frame.henges, frame.hands[us], frame.hands[1 - us])


@kernel
def empty_points(position):
    """Return the empty points."""
    return L.BOARD & ~(position.own | position.enemy | position.henges)


@kernel
def after_stone(position, point, dead):
    """Return the position, as the other side sees it, after a stone that captures ``dead``."""
    own, enemy = position.own | point, position.enemy ^ dead
    return Position(enemy, own, position.henges, position.enemy_hand, position.hand - 1)


@kernel
def after_henge(position, point, dead):
    """Return the position, as the other side sees it, after a Henge."""
    henges, enemy = position.henges | point, position.enemy ^ dead
    return Position(enemy, position.own, henges, position.enemy_hand, position.hand - ONE_HENGE)


# ---- words


@kernel
def stones_in(hand):
    return hand & (ONE_HENGE - 1)


@kernel
def henges_in(hand):
    return hand >> 8


@kernel
def pieces_in(hand):
    return stones_in(hand) + henges_in(hand)


@kernel
def may_place_henge(hand):
    """Return whether a hand has a Henge that is not its last piece."""
    return hand > ONE_HENGE


@kernel
def is_exhausted(hand):
    """Return whether a hand has nothing to place: empty, or a single Henge."""
    return (hand & ~ONE_HENGE) == 0


@kernel
def move_of(point, kind):
    return point | kind << KIND_SHIFT


@kernel
def point_of(move):
    return move & (ONE_KIND - 1)


@kernel
def kind_of(move):
    return move >> KIND_SHIFT
