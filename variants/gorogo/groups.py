"""Groups and liberties on sets of points.

A capture looks only at the enemy's own stones: to them Henges are the mover's. Whether the
point just taken holds a stone or a Henge makes no difference to it.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import popcount
from variants.gorogo import layout as L
from variants.gorogo.turns import FULL_HAND, ONE_HENGE, may_place_henge, stones_in


@kernel
def around(points):
    """Return the neighbours of a set of points; members may be among them."""
    beside = (points << 5) | (points >> 5)
    beside |= (points & ~L.FILE_E) << 1
    beside |= (points & ~L.FILE_A) >> 1
    return beside & L.BOARD


@kernel
def spread(seed, members):
    """Return the members connected with a seed by flood fill, the seed included."""
    while True:
        grown = (seed | around(seed)) & members
        if grown == seed:
            return seed
        seed = grown


@kernel
def dead_stones(enemy, empty):
    """Return the stones of groups without a liberty among ``empty``."""
    alive = enemy & around(empty)
    if alive == enemy:
        return 0
    return enemy & ~spread(alive, enemy)


@kernel
def _stone_has_liberty(point, own, enemy, henges, empty):
    """Return whether a stone may be placed on a point (a set of one) without empty neighbours."""
    rest = empty ^ point
    group = spread(point, own | henges | point)
    beside = around(group)
    if (beside & rest) != 0:
        return True
    return (beside & dead_stones(enemy, rest)) != 0


@kernel
def _free_points(own, enemy, henges, empty):
    """Return the points where a stone has a liberty, possibly by capturing."""
    free = empty & around(empty)
    others = empty & ~free
    while others != 0:
        point = others & -others
        others ^= point
        if _stone_has_liberty(point, own, enemy, henges, empty):
            free |= point
    return free


@kernel
def _is_setup(own, enemy, henges, hand):
    """Return whether this is White's setup turn."""
    return (own | enemy | henges) == 0 and hand == FULL_HAND


@kernel
def stone_points(position, empty):
    """Return the points where a stone may be placed in this turn."""
    own, enemy, henges, hand, _enemy_hand = position
    if stones_in(hand) == 0 or _is_setup(own, enemy, henges, hand):
        return 0
    return _free_points(own, enemy, henges, empty)


@kernel
def count_moves(own, enemy, henges, hand):
    """Return the number of legal moves.

    Called at perft's leaves: with words, since a ``Position`` measured a twentieth slower.
    """
    if hand == ONE_HENGE:
        return 0
    empty = L.BOARD & ~(own | enemy | henges)
    n = 0
    if may_place_henge(hand):
        n = popcount(empty)
    if stones_in(hand) != 0:
        if _is_setup(own, enemy, henges, hand):
            return n
        n += popcount(_free_points(own, enemy, henges, empty))
    return n
