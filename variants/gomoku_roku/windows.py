"""Windows and threats: what the counters of the 162 possible fives tell."""

from __future__ import annotations

from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, ctz, load8, load64, select, store8, store64
from variants.gomoku_roku import layout as L

_BYTES = L.COUNTERS * 8
_HALF = L.PURE_WINDOWS // 2


@kernel
def count_stone(S, T, g, circle, side, change):
    """Count a stone on a circle in or out of its windows; frame ``g`` keeps score and fours."""
    step = change << (4 * side)
    at = L.T_WINDOWS + 24 * circle
    score = load64(S, g + L.SCORE)
    for i in range(const64(T, at)):
        window = const64(T, at + 1 + i)
        old = load8(S, _BYTES + window)
        new = old + step
        store8(S, _BYTES + window, new)
        if window < L.PURE_WINDOWS:
            score += const64(T, L.T_VALUES + new) - const64(T, L.T_VALUES + old)
            half = 1 if window >= _HALF else 0
            bit = 1 << (window - half * _HALF)
            for who in range(2):
                four = 4 << (4 * who)
                word = g + L.FOURS + 2 * who + half
                if new == four:
                    store64(S, word, load64(S, word) | bit)
                elif old == four:
                    store64(S, word, load64(S, word) & ~bit)
    store64(S, g + L.SCORE, score)


@kernel
def uncount_stone(S, T, circle, side, change):
    """Take back what :func:`count_stone` did to the counters."""
    step = change << (4 * side)
    at = L.T_WINDOWS + 24 * circle
    for i in range(const64(T, at)):
        window = const64(T, at + 1 + i)
        store8(S, _BYTES + window, load8(S, _BYTES + window) - step)


@kernel
def track_after(own, other, steps):
    """Where a track stone lands; the circle of the other one is never counted."""
    ahead = other - own
    ahead += select(ahead < 0, L.TRACK_CIRCLES, 0)
    to = own + steps + select(ahead <= steps, 1, 0)
    return to - select(to >= L.TRACK_CIRCLES, L.TRACK_CIRCLES, 0)


@kernel
def is_behind(own, other):
    """Whether the stone on track circle ``own`` plays next."""
    ahead = other - own
    ahead += select(ahead < 0, L.TRACK_CIRCLES, 0)
    return ahead < L.TRACK_CIRCLES // 2


@kernel
def own_count(counter, side):
    """A side's stones of a counter."""
    return (counter >> (4 * side)) & 15


@kernel
def four_points(S, T, f, side):
    """The circles where one stone completes a five without the track stone."""
    own = load64(S, f + L.STONES + side)
    points = 0
    for half in range(2):
        fours = load64(S, f + L.FOURS + 2 * side + half)
        while fours != 0:
            points |= const64(T, L.T_MASKS + half * _HALF + ctz(fours))
            fours &= fours - 1
    return points & ~own


@kernel
def winning_points(S, T, f, side):
    """The circles where a stone of ``side`` wins by a five, were it to move now."""
    points = four_points(S, T, f, side)
    stones = load64(S, f + L.STONES + side)
    empty = L.CIRCLES & ~(stones | load64(S, f + L.STONES + 1 - side))
    own = load64(S, f + L.TRACK + side)
    other = load64(S, f + L.TRACK + 1 - side)
    alone = 15 << (4 * (1 - side))
    for steps in range(1, 5):
        at = L.T_TRACK_WINDOWS + 4 * track_after(own, other, steps)
        for i in range(3):
            window = const64(T, at + 1 + i)
            counter = load8(S, _BYTES + window)
            if (counter & alone) == 0:
                have = own_count(counter, side)
                if have == 4:
                    points |= empty & const64(T, L.T_RINGS + steps)
                elif have == 3:
                    missing = const64(T, L.T_MASKS + window) & ~stones
                    points |= missing & const64(T, L.T_RINGS + steps)
    return points


@kernel
def has_five(S, T, circle, track, side):
    """Whether a side has a five through a circle, -1 for none, or the track circle it is on."""
    if circle >= 0:
        at = L.T_WINDOWS + 24 * circle
        for i in range(const64(T, at)):
            window = const64(T, at + 1 + i)
            if window < L.PURE_WINDOWS and own_count(load8(S, _BYTES + window), side) == 5:
                return True
    at = L.T_TRACK_WINDOWS + 4 * track
    for i in range(3):
        if own_count(load8(S, _BYTES + const64(T, at + 1 + i)), side) == 4:
            return True
    return False


@kernel
def _is_own(stones, track, cell):
    if cell < L.TRACK_CELL:
        return (stones >> cell) & 1 != 0
    return cell - L.TRACK_CELL == track


@kernel
def flanks(T, pair, cell, stones, track, enemy):
    """Whether a stone on ``cell`` flanks the enemy's pair together with another stone."""
    at = L.T_PAIRS + 4 * pair
    between = const64(T, at)
    if (between & enemy) != between:
        return False
    first = const64(T, at + 1)
    other = select(first == cell, const64(T, at + 2), first)
    return _is_own(stones, track, other)
