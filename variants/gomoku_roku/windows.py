"""Windows: counters of the stones on the 162 possible fives, threats, and removals."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.bits import bits, choose, one
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import select
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.turns import empty_circles

# ---- counters: White's stones | Black's stones << 4


@kernel
def stones_of(side, count):
    """Return the counter of a window with ``count`` stones of one side and none of the other."""
    return count << (4 * side)


@kernel
def own_count(counter, side):
    """Return the number of a side's stones in a window's counter."""
    return (counter >> (4 * side)) & 15


@kernel
def is_open(counter, side):
    """Return whether a window, by its counter, has no stone of the other side."""
    return own_count(counter, 1 - side) == 0


@kernel
def count_stone(position, circle, side, change):
    """Add (``change`` 1) or remove (-1) a stone in its windows; update score and fours."""
    t, counters, frame = position
    step = stones_of(side, change)
    at = t.windows_at[circle]
    score = frame.score
    for i in range(at.count):
        window = at.window[i]
        old = counters[window]
        new = old + step
        counters[window] = new
        if window < L.PURE_WINDOWS:
            score += t.values[new] - t.values[old]
            for who in range(2):
                if new == stones_of(who, 4):
                    frame.fours[who] |= one(window)
                elif old == stones_of(who, 4):
                    frame.fours[who] &= ~one(window)
    frame.score = score


@kernel
def uncount_stone(position, circle, side, change):
    """Undo :func:`count_stone` in the counters."""
    at = position.t.windows_at[circle]
    for i in range(at.count):
        position.counters[at.window[i]] -= stones_of(side, change)


# ---- the track


@kernel
def _ahead(own, other):
    """Return how many circles the other track stone is ahead."""
    ahead = other - own
    return ahead + select(ahead < 0, L.TRACK_CIRCLES, 0)


@kernel
def track_after(own, other, steps):
    """Return where a track stone lands; it skips the circle of the other one."""
    to = own + steps + select(_ahead(own, other) <= steps, 1, 0)
    return to - select(to >= L.TRACK_CIRCLES, L.TRACK_CIRCLES, 0)


@kernel
def is_behind(own, other):
    """Return whether the stone on track circle ``own`` plays next."""
    return _ahead(own, other) < L.TRACK_CIRCLES // 2


# ---- fives


@kernel
def four_points(position, side):
    """Return the circles where one stone completes a five without the track stone."""
    t, _counters, frame = position
    fours = frame.fours[side]
    points = 0
    while fours:
        window, fours = fours.pop()
        points |= t.masks[window]
    return points & ~frame.stones[side]


@kernel
def winning_points(position, side):
    """Return the circles where ``side`` would win by a five if it were to move now."""
    t, counters, frame = position
    points = four_points(position, side)
    stones = frame.stones[side]
    empty = empty_circles(frame)
    own = frame.track[side]
    other = frame.track[1 - side]
    for steps in range(1, L.COSTS + 1):
        windows = t.track_windows[track_after(own, other, steps)]
        for i in range(L.TRACK_WINDOWS):
            window = windows[i]
            counter = counters[window]
            if is_open(counter, side):
                have = own_count(counter, side)
                if have == 4:
                    points |= empty & t.rings[steps]
                elif have == 3:
                    points |= t.masks[window] & ~stones & t.rings[steps]
    return points


@kernel
def has_five(position, circle, side):
    """Return whether a side has a five through a circle, or the track circle that it is on."""
    t, counters, frame = position
    at = t.windows_at[circle]
    for i in range(at.count):
        window = at.window[i]
        if window < L.PURE_WINDOWS and own_count(counters[window], side) == 5:
            return True
    windows = t.track_windows[frame.track[side]]
    for i in range(L.TRACK_WINDOWS):
        if own_count(counters[windows[i]], side) == 4:
            return True
    return False


# ---- pairs


class Placement(NamedTuple):
    """The stones after a placement."""

    stones: int  # sets of circles
    enemy: int
    track: int  # track circle


@kernel
def _is_own(placement, cell):
    if cell < L.TRACK_CELL:
        return (placement.stones >> cell) & 1 != 0
    return cell - L.TRACK_CELL == placement.track


@kernel
def flanking(t, enemy):
    """Return the cells that flank a pair of the enemy."""
    cells = bits(0, 0)
    for pair in range(L.PAIRS):
        between = t.between[pair]
        cells |= choose((between & enemy) == between, t.ends[pair], bits(0, 0))
    return cells


@kernel
def takes(flank, placement):
    """Return whether a placement removes a pair: enemy stones, and our stone on the other flank."""
    between = flank.between
    return (between & placement.enemy) == between and _is_own(placement, flank.other)
