"""Generating, making and taking back turns."""

from __future__ import annotations

from ryugi_engine.abi import ALL, H_CHECK, H_FRAME, H_KEY, H_SIDE, TACTICAL
from ryugi_engine.jit import kernel, routine
from ryugi_engine.memory import const64, ctz, load64, mix, popcount, store32, store64
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.text import (
    BLACK_PLACES,
    BLACK_SETS_UP,
    PLAY,
    WHITE_MAY_PLACE,
    WHITE_PLACES,
    WHITE_SETS_UP,
)
from variants.gomoku_roku.windows import (
    count_stone,
    flanks,
    four_points,
    has_five,
    is_behind,
    track_after,
    uncount_stone,
    winning_points,
)


@kernel
def publish(S, T, g):
    """Make ``g`` the current frame: its key, and the header that every game shows."""
    side = load64(S, g + L.SIDE)
    rest = side | load64(S, g + L.PHASE) << 1 | load64(S, g + L.WINNER) << 4
    rest |= (load64(S, g + L.TRACK) + 1) << 6 | (load64(S, g + L.TRACK + 1) + 1) << 12
    rest |= load64(S, g + L.HANDS) << 18 | load64(S, g + L.HANDS + 1) << 24
    key = mix(load64(S, g + L.STONES)) ^ mix(~load64(S, g + L.STONES + 1))
    key ^= mix(rest | 1 << 62)
    check = 0
    if load64(S, g + L.PHASE) == PLAY and load64(S, g + L.WINNER) == 0:
        own = load64(S, g + L.TRACK + side)
        other = load64(S, g + L.TRACK + 1 - side)
        # who can play on at once need not answer a threat yet
        if not is_behind(track_after(own, other, 1), other):
            if winning_points(S, T, g, 1 - side) != 0:
                check = 1
    store64(S, g + L.KEY, key)
    store64(S, g + L.CHECK, check)
    show(S, g)


@kernel
def show(S, g):
    """Copy to the header what every game shows there."""
    store64(S, H_FRAME, g)
    store64(S, H_SIDE, load64(S, g + L.SIDE))
    store64(S, H_KEY, load64(S, g + L.KEY))
    store64(S, H_CHECK, load64(S, g + L.CHECK))


@kernel
def is_over(S, f):
    """Whether nobody plays on: won, all circles filled, or no stone for this turn."""
    if load64(S, f + L.PHASE) != PLAY:
        return False
    if load64(S, f + L.WINNER) != 0:
        return True
    if (load64(S, f + L.STONES) | load64(S, f + L.STONES + 1)) == L.CIRCLES:
        return True
    return load64(S, f + L.HANDS + load64(S, f + L.SIDE)) == 0


@kernel
def _list_circles(S, points, kind, out):
    n = 0
    while points != 0:
        store32(S, out + n, ctz(points) | kind << 8)
        n += 1
        points &= points - 1
    return n


@kernel
def _list_setup(S, f, phase, out):
    empty = L.CIRCLES & ~(load64(S, f + L.STONES) | load64(S, f + L.STONES + 1))
    if phase == BLACK_SETS_UP:
        for at in range(L.TRACK_CIRCLES):
            store32(S, out + at, at | L.TRACK_STONE << 8)
        return L.TRACK_CIRCLES
    if phase == WHITE_SETS_UP:
        black = load64(S, f + L.TRACK + 1)
        for i in range(2):
            beside = (black + 1 + i * (L.TRACK_CIRCLES - 2)) % L.TRACK_CIRCLES
            store32(S, out + i, beside | L.TRACK_STONE << 8)
        return 2
    n = _list_circles(S, empty, L.PLACED, out)
    if phase == WHITE_MAY_PLACE:
        store32(S, out + n, L.PASSED << 8)
        n += 1
    return n


@kernel
def _list_removals(S, T, f, us, circle, out):
    """List the turns that place a stone on a circle and remove a pair; how many there are."""
    enemy = load64(S, f + L.STONES + 1 - us)
    stones = load64(S, f + L.STONES + us) | 1 << circle
    own = load64(S, f + L.TRACK + us)
    track = track_after(own, load64(S, f + L.TRACK + 1 - us), const64(T, L.T_COST + circle))
    n = 0
    landed = L.TRACK_CELL + track
    for turn in range(2):
        cell = circle
        if turn == 1:
            cell = landed
        at = L.T_PAIRS_AT + 16 * cell
        for i in range(const64(T, at)):
            pair = const64(T, at + 1 + i)
            if flanks(T, pair, cell, stones, track, enemy):
                first = const64(T, L.T_PAIRS + 4 * pair + 1)
                last = const64(T, L.T_PAIRS + 4 * pair + 2)
                # flanked by both the stone placed and the track stone: listed once
                if turn == 0 or (first != circle and last != circle):
                    store32(S, out + n, circle | L.STONE << 8 | (pair + 1) << 12)
                    n += 1
    return n


@kernel
def _promising(S, T, f, us, empty):
    """The circles where a stone does not lose at once to a five without the track stone.

    Some circle, if all lose. A removal may save more; the caller adds those.
    """
    threats = four_points(S, T, f, 1 - us)
    if threats == 0 or load64(S, f + L.HANDS + 1 - us) == 0:
        return empty
    own = load64(S, f + L.TRACK + us)
    other = load64(S, f + L.TRACK + 1 - us)
    points = 0
    if popcount(threats) == 1:
        points = threats
    for steps in range(1, 5):
        # whoever plays on at once need not answer yet
        if is_behind(track_after(own, other, steps), other):
            points |= empty & const64(T, L.T_RINGS + steps)
    return points if points != 0 else empty & -empty


@routine
def list_moves(S, T, f, kind, out):
    """Legal turns of a kind, listed from ``out`` on; how many there are."""
    if is_over(S, f):
        return 0
    phase = load64(S, f + L.PHASE)
    if phase != PLAY:
        if kind == TACTICAL:
            return 0
        return _list_setup(S, f, phase, out)
    us = load64(S, f + L.SIDE)
    empty = L.CIRCLES & ~(load64(S, f + L.STONES) | load64(S, f + L.STONES + 1))
    ninuki = const64(T, L.T_NINUKI) != 0
    wanted = empty
    if kind != ALL:
        wanted = winning_points(S, T, f, us)
        if wanted != 0:
            wanted &= -wanted
            empty = wanted
        elif kind != TACTICAL:
            wanted = _promising(S, T, f, us, empty)
    if not ninuki:
        return _list_circles(S, wanted, L.STONE, out)
    n = 0
    while empty != 0:
        circle = ctz(empty)
        removals = _list_removals(S, T, f, us, circle, out + n)
        n += removals
        if removals == 0 and (wanted & empty & -empty) != 0:
            store32(S, out + n, circle | L.STONE << 8)
            n += 1
        empty &= empty - 1
    return n


@kernel
def _next_phase(T, phase):
    if phase == BLACK_PLACES:
        return WHITE_PLACES
    if phase == WHITE_PLACES or phase == WHITE_MAY_PLACE:
        return BLACK_SETS_UP
    return WHITE_SETS_UP


@kernel
def make_setup(S, T, g, us, move, phase):
    """The part of :func:`make` before play."""
    kind = (move >> 8) & 15
    at = move & 255
    if kind != L.PASSED:
        store64(S, g + L.HANDS + us, load64(S, g + L.HANDS + us) - 1)
    if kind == L.PLACED:
        store64(S, g + L.STONES + us, load64(S, g + L.STONES + us) | 1 << at)
        count_stone(S, T, g, at, us, 1)
    elif kind == L.TRACK_STONE:
        store64(S, g + L.TRACK + us, at)
    if phase == WHITE_SETS_UP:
        store64(S, g + L.PHASE, PLAY)
        black = load64(S, g + L.TRACK + 1)
        store64(S, g + L.SIDE, 0 if is_behind(at, black) else 1)
    else:
        following = _next_phase(T, phase)
        store64(S, g + L.PHASE, following)
        store64(S, g + L.SIDE, 1 if following == BLACK_SETS_UP else 0)


@kernel
def make_turn(S, T, g, us, move):
    """The part of :func:`make` in play."""
    circle = move & 255
    pair = (move >> 12) - 1
    own = load64(S, g + L.TRACK + us)
    other = load64(S, g + L.TRACK + 1 - us)
    track = track_after(own, other, const64(T, L.T_COST + circle))
    store64(S, g + L.TRACK + us, track)
    store64(S, g + L.STONES + us, load64(S, g + L.STONES + us) | 1 << circle)
    store64(S, g + L.HANDS + us, load64(S, g + L.HANDS + us) - 1)
    count_stone(S, T, g, circle, us, 1)
    won = has_five(S, T, circle, track, us)
    if pair >= 0:
        between = const64(T, L.T_PAIRS + 4 * pair)
        enemy = g + L.STONES + 1 - us
        store64(S, enemy, load64(S, enemy) & ~between)
        while between != 0:
            count_stone(S, T, g, ctz(between), 1 - us, -1)
            between &= between - 1
        removals = load64(S, g + L.REMOVALS + us) + 1
        store64(S, g + L.REMOVALS + us, removals)
        limit = const64(T, L.T_REMOVALS_TO_WIN)
        won = won or (limit > 0 and removals >= limit)
    side = us
    if won:
        store64(S, g + L.WINNER, 1 + us)
    elif (load64(S, g + L.STONES) | load64(S, g + L.STONES + 1)) != L.CIRCLES:
        side = us if is_behind(track, other) else 1 - us
    store64(S, g + L.SIDE, side)


@routine
def make(S, T, f, move):
    """Play a legal turn: the frame after ``f`` becomes the current one."""
    g = f + L.FRAME
    for i in range(L.FRAME):
        store64(S, g + i, load64(S, f + i))
    store64(S, g + L.MOVE, move)
    us = load64(S, f + L.SIDE)
    phase = load64(S, f + L.PHASE)
    if phase == PLAY:
        make_turn(S, T, g, us, move)
    else:
        make_setup(S, T, g, us, move, phase)
    publish(S, T, g)


@routine
def unmake(S, T, g):
    """Take the turn that made frame ``g`` back."""
    f = g - L.FRAME
    move = load64(S, g + L.MOVE)
    us = load64(S, f + L.SIDE)
    kind = (move >> 8) & 15
    if kind == L.STONE or kind == L.PLACED:
        uncount_stone(S, T, move & 255, us, 1)
        pair = (move >> 12) - 1
        if pair >= 0:
            between = const64(T, L.T_PAIRS + 4 * pair)
            while between != 0:
                uncount_stone(S, T, ctz(between), 1 - us, -1)
                between &= between - 1
    show(S, f)
