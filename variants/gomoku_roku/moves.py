"""Generating, making and unmaking turns."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, HEADER, TACTICAL
from ryugi_engine.kernel.copying import copy
from ryugi_engine.kernel.hashing import mix
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, popcount, store32
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.text import (
    BLACK_PLACES,
    BLACK_SETS_UP,
    PLAY,
    WHITE_MAY_PLACE,
    WHITE_PLACES,
    WHITE_SETS_UP,
)
from variants.gomoku_roku.turns import (
    PASSED,
    PLACED,
    STONE,
    TRACK_STONE,
    circle_of,
    empty_circles,
    kind_of,
    pair_of,
    position_of,
    removing,
    turn_of,
)
from variants.gomoku_roku.windows import (
    Placement,
    count_stone,
    flanking,
    four_points,
    has_five,
    is_behind,
    takes,
    track_after,
    uncount_stone,
    winning_points,
)


@kernel
def _is_threatened(position):
    """Return whether the side to move must answer a five, and does not move twice."""
    frame = position.frame
    if frame.phase != PLAY or frame.winner != 0:
        return False
    side = frame.side
    other = frame.track[1 - side]
    if is_behind(track_after(frame.track[side], other, 1), other):
        return False
    return winning_points(position, 1 - side) != 0


@kernel
def publish(S, g):
    """Make ``g``, just written, the current frame: key, check and the header's fields."""
    position = position_of(S, g)
    frame = position.frame
    rest = frame.side | frame.phase << 1 | frame.winner << 4
    rest |= (frame.track[0] + 1) << 6 | (frame.track[1] + 1) << 12
    rest |= frame.hands[0] << 18 | frame.hands[1] << 24
    frame.key = mix(frame.stones[0]) ^ mix(~frame.stones[1]) ^ mix(rest | 1 << 62)
    frame.check = 1 if _is_threatened(position) else 0
    _show(S, g)


@kernel
def _show(S, g):
    """Write the header's fields."""
    frame = L.FRAME(S, g)
    HEADER(S).frame = g
    HEADER(S).side = frame.side
    HEADER(S).key = frame.key
    HEADER(S).check = frame.check


@kernel
def is_over(frame):
    """Return whether the game is over: won, all circles filled, or no stone in hand."""
    if frame.phase != PLAY:
        return False
    return frame.winner != 0 or empty_circles(frame) == 0 or frame.hands[frame.side] == 0


# ---- listing from ``out`` on; each returns the index after the last turn listed


@kernel
def _list_circles(S, circles, kind, out):
    while circles != 0:
        store32(S, out, turn_of(ctz(circles), kind))
        out += 1
        circles &= circles - 1
    return out


@kernel
def _list_setup(S, frame, out):
    phase = frame.phase
    if phase == BLACK_SETS_UP:
        for at in range(L.TRACK_CIRCLES):
            store32(S, out + at, turn_of(at, TRACK_STONE))
        return out + L.TRACK_CIRCLES
    if phase == WHITE_SETS_UP:
        for i in range(2):
            beside = (frame.track[1] + 1 + i * (L.TRACK_CIRCLES - 2)) % L.TRACK_CIRCLES
            store32(S, out + i, turn_of(beside, TRACK_STONE))
        return out + 2
    out = _list_circles(S, empty_circles(frame), PLACED, out)
    if phase == WHITE_MAY_PLACE:
        store32(S, out, turn_of(0, PASSED))
        out += 1
    return out


@kernel
def _list_removals(S, position, us, circle, flanking_cells, out):
    """List the turns that place a stone on a circle and remove a pair."""
    t, _counters, frame = position
    track = track_after(frame.track[us], frame.track[1 - us], t.cost[circle])
    placement = Placement(frame.stones[us] | 1 << circle, frame.stones[1 - us], track)
    for turn in range(2):
        cell = circle
        if turn == 1:
            cell = L.TRACK_CELL + track
        if not flanking_cells.has(cell):
            continue
        for i in range(t.first_flank[cell], t.first_flank[cell + 1]):
            flank = t.flank[i]
            if takes(flank, placement):
                # flanked by both the stone placed and the track stone: listed once
                if turn == 0 or flank.other != circle:
                    store32(S, out, removing(circle, flank.pair))
                    out += 1
    return out


@kernel
def _promising(position, us, empty):
    """Return the circles where a stone does not lose at once to a five of cost circles.

    One circle if all of them lose. Removals may refute a five, too; the caller adds them.
    """
    t, _counters, frame = position
    threats = four_points(position, 1 - us)
    if threats == 0 or frame.hands[1 - us] == 0:
        return empty
    own = frame.track[us]
    other = frame.track[1 - us]
    points = 0
    if popcount(threats) == 1:
        points = threats
    for steps in range(1, L.COSTS + 1):
        # whoever plays on at once need not answer yet
        if is_behind(track_after(own, other, steps), other):
            points |= empty & t.rings[steps]
    return points if points != 0 else empty & -empty


@routine
def list_moves(S, f, kind, out):
    """List the legal turns from ``out`` on; return their number. ``kind``: ALL or TACTICAL."""
    position = position_of(S, f)
    frame = position.frame
    if is_over(frame):
        return 0
    if frame.phase != PLAY:
        return 0 if kind == TACTICAL else _list_setup(S, frame, out) - out
    us = frame.side
    empty = empty_circles(frame)
    wanted = empty
    if kind != ALL:
        wanted = winning_points(position, us)
        if wanted != 0:
            wanted &= -wanted
            empty = wanted
        elif kind != TACTICAL:
            wanted = _promising(position, us, empty)
    if position.t.ninuki == 0:
        return _list_circles(S, wanted, STONE, out) - out
    cells = flanking(position.t, frame.stones[1 - us])
    end = out
    while empty != 0:
        circle = ctz(empty)
        behind = _list_removals(S, position, us, circle, cells, end)
        if behind == end and (wanted & empty & -empty) != 0:
            store32(S, end, turn_of(circle, STONE))
            behind += 1
        end = behind
        empty &= empty - 1
    return end - out


# ---- making


@kernel
def _next_phase(phase):
    if phase == BLACK_PLACES:
        return WHITE_PLACES
    if phase == WHITE_PLACES or phase == WHITE_MAY_PLACE:
        return BLACK_SETS_UP
    return WHITE_SETS_UP


@kernel
def _make_setup(position, us, move):
    """Make a turn of the setup."""
    frame = position.frame
    kind = kind_of(move)
    at = circle_of(move)
    if kind != PASSED:
        frame.hands[us] -= 1
    if kind == PLACED:
        frame.stones[us] |= 1 << at
        count_stone(position, at, us, 1)
    elif kind == TRACK_STONE:
        frame.track[us] = at
    if frame.phase == WHITE_SETS_UP:
        frame.phase = PLAY
        frame.side = 0 if is_behind(at, frame.track[1]) else 1
    else:
        following = _next_phase(frame.phase)
        frame.phase = following
        frame.side = 1 if following == BLACK_SETS_UP else 0


@kernel
def _remove(position, us, pair):
    """Remove a pair of the other side; return whether that wins."""
    t, _counters, frame = position
    between = t.between[pair]
    frame.stones[1 - us] &= ~between
    while between != 0:
        count_stone(position, ctz(between), 1 - us, -1)
        between &= between - 1
    frame.removals[us] += 1
    limit = t.removals_to_win
    return limit > 0 and frame.removals[us] >= limit


@kernel
def _make_turn(position, us, move):
    """Make a turn after the setup."""
    t, _counters, frame = position
    circle = circle_of(move)
    other = frame.track[1 - us]
    track = track_after(frame.track[us], other, t.cost[circle])
    frame.track[us] = track
    frame.stones[us] |= 1 << circle
    frame.hands[us] -= 1
    count_stone(position, circle, us, 1)
    won = has_five(position, circle, us)
    if pair_of(move) >= 0 and _remove(position, us, pair_of(move)):
        won = True
    if won:
        frame.winner = 1 + us
    elif empty_circles(frame) != 0:
        frame.side = us if is_behind(track, other) else 1 - us


@routine
def make(S, f, move):
    """Make a legal turn: the frame after ``f`` becomes the current one."""
    position = position_of(S, f + L.FRAME_WORDS)
    frame = position.frame
    copy(frame, L.FRAME(S, f))
    frame.move = move
    if frame.phase == PLAY:
        _make_turn(position, frame.side, move)
    else:
        _make_setup(position, frame.side, move)
    publish(S, f + L.FRAME_WORDS)


@routine
def unmake(S, g):
    """Unmake the turn that made frame ``g``."""
    f = g - L.FRAME_WORDS
    position = position_of(S, f)
    move = L.FRAME(S, g).move
    us = position.frame.side
    if kind_of(move) == STONE or kind_of(move) == PLACED:
        uncount_stone(position, circle_of(move), us, 1)
        if pair_of(move) >= 0:
            between = position.t.between[pair_of(move)]
            while between != 0:
                uncount_stone(position, ctz(between), 1 - us, -1)
                between &= between - 1
    _show(S, f)
