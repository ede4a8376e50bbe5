"""Static evaluation of Gomoku Roku: possible fives, and the turn order of the track."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.windows import is_open, own_count

#: Centipawns of a window on cost circles, by the number of stones if only one side has any.
WINDOW_VALUES = (0, 2, 9, 34, 120, 0)
#: Weight of a window that ends on a track circle ahead of the track stone, by its stones.
_TRACK_VALUES = (0, 1, 5, 16, 60)
#: Maximum distance ahead of such track circles.
_REACH = 9
#: Centipawns for each circle that the other side's track stone is ahead.
_BEHIND = 14
_TO_MOVE = 12


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
def _prospects(position, side):
    """Return the value of windows that the side's track stone may still complete."""
    at = position.frame.track[side]
    value = 0
    for step in range(1, _REACH + 1):
        at += 1
        if at == L.TRACK_CIRCLES:
            at = 0
        windows = position.t.track_windows[at]
        for i in range(L.TRACK_WINDOWS):
            counter = position.counters[windows[i]]
            if is_open(counter, side):
                value += _track_value(own_count(counter, side)) * (12 - step)
    return value >> 3


@kernel
def evaluate_position(position, us):
    """Return the static evaluation in centipawns for the side to move."""
    frame = position.frame
    score = frame.score
    if us == 1:
        score = -score
    if frame.track[0] < 0 or frame.track[1] < 0:
        return score
    score += _prospects(position, us) - _prospects(position, 1 - us)
    gap = frame.track[1 - us] - frame.track[us]
    if gap < 0:
        gap += L.TRACK_CIRCLES
    if gap < L.TRACK_CIRCLES // 2:
        score += _BEHIND * gap
    return score + _TO_MOVE
