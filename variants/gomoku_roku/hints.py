"""Which turns to look at first."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.turns import circle_of, pair_of
from variants.gomoku_roku.windows import own_count

#: For a stone in a window, by the stones of one side alone that it holds.
_OWN_HINTS = (6, 40, 160, 900)
_ENEMY_HINTS = (0, 30, 130, 700)
_FOUR = 1 << 20
#: What a circle gets for each step of the track that it does not cost.
_CHEAPNESS = 60


@kernel
def _hint(own, enemy):
    """What a stone is worth in a pure window with these stones in it."""
    if enemy == 0:
        if own == 0:
            return _OWN_HINTS[0]
        if own == 1:
            return _OWN_HINTS[1]
        if own == 2:
            return _OWN_HINTS[2]
        return _OWN_HINTS[3]
    if own != 0:
        return 0
    if enemy == 1:
        return _ENEMY_HINTS[1]
    if enemy == 2:
        return _ENEMY_HINTS[2]
    return _ENEMY_HINTS[3]


@kernel
def turn_score(position, us, turn):
    """A turn's score in play, above 2**20 if it makes or stops a four or removes a pair."""
    t = position.t
    circle = circle_of(turn)
    at = t.windows_at[circle]
    score = _CHEAPNESS * (L.COSTS - t.cost[circle])
    fours = 0
    for i in range(at.count):
        window = at.window[i]
        counter = position.counters[window]
        own = own_count(counter, us)
        enemy = own_count(counter, 1 - us)
        if window < L.PURE_WINDOWS:
            score += _hint(own, enemy)
            if (own == 3 and enemy == 0) or (enemy == 4 and own == 0):
                fours += 1
        else:
            score += _hint(own, enemy) >> 2
    if pair_of(turn) >= 0:
        fours += 1
    return score + _FOUR * fours
