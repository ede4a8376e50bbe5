"""Static evaluation of Gomoku Roku: possible fives, the track's turn order."""

from __future__ import annotations

from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, load8, load64
from variants.gomoku_roku import layout as L

#: A window on cost circles alone, by how many stones of one side it holds.
WINDOW_VALUES = (0, 2, 9, 34, 120, 0)
#: A window that ends on a track circle ahead of the side's track stone, by stones on the others.
_TRACK_VALUES = (0, 1, 5, 16, 60)
#: How far ahead such windows count.
_REACH = 9
#: A circle that the other side's track stone is ahead.
_BEHIND = 14
_TO_MOVE = 12

_BYTES = L.COUNTERS * 8


@kernel
def _track_value(stones):
    if stones <= 1:
        return stones
    if stones == 2:
        return _TRACK_VALUES[2]
    if stones == 3:
        return _TRACK_VALUES[3]
    return _TRACK_VALUES[4]


@kernel
def _ahead(S, T, f, side):
    """Value of the windows that the side's track stone may still come to complete."""
    at = load64(S, f + L.TRACK + side)
    alone = 15 << (4 * (1 - side))
    value = 0
    for step in range(1, _REACH + 1):
        at += 1
        if at == L.TRACK_CIRCLES:
            at = 0
        row = L.T_TRACK_WINDOWS + 4 * at
        for i in range(3):
            counter = load8(S, _BYTES + const64(T, row + 1 + i))
            if (counter & alone) == 0:
                stones = (counter >> (4 * side)) & 15
                value += _track_value(stones) * (12 - step)
    return value >> 3


@kernel
def evaluate_position(S, T, f, us):
    """Centipawns for the side to move."""
    score = load64(S, f + L.SCORE)
    if us == 1:
        score = -score
    if load64(S, f + L.TRACK) < 0 or load64(S, f + L.TRACK + 1) < 0:
        return score
    score += _ahead(S, T, f, us) - _ahead(S, T, f, 1 - us)
    gap = load64(S, f + L.TRACK + 1 - us) - load64(S, f + L.TRACK + us)
    if gap < 0:
        gap += L.TRACK_CIRCLES
    if gap < L.TRACK_CIRCLES // 2:
        score += _BEHIND * gap
    return score + _TO_MOVE
