"""Move ordering scores of turns."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.turns import circle_of, pair_of
from variants.gomoku_roku.windows import own_count

#: Score of a stone in a window, by the number of stones if only one side has any.
_OWN_SCORES = (6, 40, 160, 900)
_ENEMY_SCORES = (0, 30, 130, 700)
_FOUR = 1 << 20
#: Score for each step of the track that a circle costs less than the most expensive one.
_CHEAPNESS = 60


@kernel
def _stone_score(own, enemy):
    """Return a stone's score in a pure window with these stones in it."""
    if enemy == 0:
        if own == 0:
            return _OWN_SCORES[0]
        if own == 1:
            return _OWN_SCORES[1]
        if own == 2:
            return _OWN_SCORES[2]
        return _OWN_SCORES[3]
    if own != 0:
        return 0
    if enemy == 1:
        return _ENEMY_SCORES[1]
    if enemy == 2:
        return _ENEMY_SCORES[2]
    return _ENEMY_SCORES[3]


@kernel
def turn_score(position, us, turn):
    """Return a turn's score, above 2**20 if it makes or stops a four or removes a pair."""
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
            score += _stone_score(own, enemy)
            if (own == 3 and enemy == 0) or (enemy == 4 and own == 0):
                fours += 1
        else:
            score += _stone_score(own, enemy) >> 2
    if pair_of(turn) >= 0:
        fours += 1
    return score + _FOUR * fours
