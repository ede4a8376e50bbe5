"""Groups and liberties on sets of points.

A capture looks only at the enemy's own stones: to them Henges are the mover's. Whether the
point just taken holds a stone or a Henge makes no difference to it.
"""

from __future__ import annotations

from ryugi_engine.jit import kernel
from ryugi_engine.memory import popcount
from variants.gorogo import layout as L
from variants.gorogo.turns import FULL_HAND, ONE_HENGE, empty_points, may_place_henge, stones_in


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
def _stone_has_liberty(position, point, empty):
    """Whether a stone may go on a point, a set of one, none of whose neighbours is empty."""
    rest = empty ^ point
    group = spread(point, position.own | position.henges | point)
    beside = around(group)
    if (beside & rest) != 0:
        return True
    return (beside & dead_stones(position.enemy, rest)) != 0


@kernel
def free_points(position, empty):
    """The points where a stone has a liberty, be it one that it makes by a capture."""
    free = empty & around(empty)
    others = empty & ~free
    while others != 0:
        point = others & -others
        others ^= point
        if _stone_has_liberty(position, point, empty):
            free |= point
    return free


@kernel
def _is_setup(position):
    """Whether this is White's setup turn."""
    pieces = position.own | position.enemy | position.henges
    return pieces == 0 and position.hand == FULL_HAND


@kernel
def stone_points(position, empty):
    """The points where a stone may go in this turn."""
    if stones_in(position.hand) == 0 or _is_setup(position):
        return 0
    return free_points(position, empty)


@kernel
def count_moves(position):
    """How many legal moves there are."""
    if position.hand == ONE_HENGE:
        return 0
    empty = empty_points(position)
    n = 0
    if may_place_henge(position.hand):
        n = popcount(empty)
    return n + popcount(stone_points(position, empty))
