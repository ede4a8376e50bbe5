"""Groups and liberties on sets of points.

A capture looks only at the enemy's own stones: to them Henges are the mover's. Whether the
point just taken holds a stone or a Henge makes no difference to it.
"""

from __future__ import annotations

from ryugi_engine.jit import kernel
from ryugi_engine.memory import load64, popcount
from variants.gorogo import layout as L


@kernel
def seen_by(S, f, us):
    """(own stones, enemy stones, Henges, own hand, enemy hand) of a frame, for a side."""
    own = load64(S, f + L.STONES + us)
    enemy = load64(S, f + L.STONES + 1 - us)
    henges = load64(S, f + L.HENGES)
    return own, enemy, henges, load64(S, f + L.HANDS + us), load64(S, f + L.HANDS + 1 - us)


@kernel
def around(points):
    """The points beside those of a set; members may be among them."""
    beside = (points << 5) | (points >> 5)
    beside |= (points & ~L.FILE_E) << 1
    beside |= (points & ~L.FILE_A) >> 1
    return beside & L.BOARD


@kernel
def spread(seed, members):
    """The members connected with a seed, which is part of them."""
    while True:
        grown = (seed | around(seed)) & members
        if grown == seed:
            return seed
        seed = grown


@kernel
def dead_stones(enemy, empty):
    """The stones of the groups without a liberty among ``empty``."""
    alive = enemy & around(empty)
    if alive == enemy:
        return 0
    return enemy & ~spread(alive, enemy)


@kernel
def stone_has_liberty(point, own, enemy, henges, empty):
    """Whether a stone may go on a point, a set of one, none of whose neighbours is empty."""
    rest = empty ^ point
    group = spread(point, own | henges | point)
    beside = around(group)
    if (beside & rest) != 0:
        return True
    return (beside & dead_stones(enemy, rest)) != 0


@kernel
def stone_points(own, enemy, henges, empty):
    """The points where a stone may go."""
    free = empty & around(empty)
    others = empty & ~free
    while others != 0:
        point = others & -others
        others ^= point
        if stone_has_liberty(point, own, enemy, henges, empty):
            free |= point
    return free


@kernel
def is_setup(own, enemy, henges, hand):
    """Whether this is White's setup turn."""
    return (own | enemy | henges) == 0 and hand == L.FULL_HAND


@kernel
def may_place_henge(hand):
    """Whether a hand has a Henge that would not be its last piece."""
    return hand > 256


@kernel
def count_moves(own, enemy, henges, hand):
    """How many legal moves there are."""
    if hand == 256:
        return 0
    empty = L.BOARD & ~(own | enemy | henges)
    n = 0
    if hand > 256:
        n = popcount(empty)
    if (hand & 255) != 0:
        if is_setup(own, enemy, henges, hand):
            return n
        n += popcount(stone_points(own, enemy, henges, empty))
    return n
