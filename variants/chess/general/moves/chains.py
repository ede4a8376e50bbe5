"""Moves of several legs: bent, locust and wrapping ones, and modifiers of single legs."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import has
from variants.chess.general.moves.moves import Here, arrivals, may_go_quietly

_OTHER = 1 << 10  # a wall, or a square that no leg may end on


@kernel
def _stands(frame, m, us, origin, target, square):
    """Return what a leg finds on a square: EMPTY, TAKE_ENEMY for an enemy, TAKE_OWN, or a wall.

    The square that the piece comes from is empty, but not once around the board; ``target`` is
    taken for an enemy's.
    """
    if square == target:
        return L.TAKE_ENEMY
    there = frame.board[square]
    if square == origin:
        return _OTHER if m.wraps else L.EMPTY
    if there == 0:
        return L.EMPTY
    if there == L.WALL:
        return _OTHER
    return L.TAKE_OWN if there >> 6 == us else L.TAKE_ENEMY


@kernel
def _is_barred(frame, leg, before):
    """Return whether the square halfway of a lame or jumping step forbids it."""
    occupied = frame.board[before + leg.middle] != 0
    return leg.middle != 0 and occupied != (leg.jump != 0)


@kernel
def _begin(t, walk, first, level, square, victim):
    """Begin a leg on a square."""
    leg = t.legs[first + level]
    walk.at[level] = square
    walk.left[level] = leg.steps
    walk.skip[level] = leg.skip
    walk.victim[level] = victim


@kernel
def _step(t, frame, walk, first, level):
    """Go one step further on a leg; return the square, -1 if there is none."""
    leg = t.legs[first + level]
    before = walk.at[level]
    square = t.next[leg.line][before]
    walk.left[level] -= 1
    if square < 0 or _is_barred(frame, leg, before):
        walk.left[level] = 0
        return -1
    walk.at[level] = square
    if walk.skip[level] > 0:
        walk.skip[level] -= 1
        return -1
    return square


@kernel
def _goes_on(t, walk, first, level, square, stands):
    """Begin the next leg if this one may end on a square; return whether it does."""
    enter = t.legs[first + level].enter
    victim = walk.victim[level]
    if stands != L.EMPTY and enter & stands:
        victim = square
    elif (
        (stands == L.EMPTY and not enter & L.EMPTY)
        or (stands == L.TAKE_ENEMY and not enter & L.PASS_ENEMY)
        or (stands == L.TAKE_OWN and not enter & L.PASS_OWN)
    ):
        return False
    _begin(t, walk, first, level + 1, square, victim)
    return True


@kernel
def _spares_royalty(t, frame, m, us, square, origin):
    """Return whether a side's move may not capture on a square since that has a royal piece.

    ``square`` is -1 if nothing is captured.
    """
    if square < 0 or square == origin or not t.royal[frame.board[square]]:
        return False
    return m.tame or frame.board[square] >> 6 == us


@routine
def _next_end(T, S, f, d, us, origin, target, level):
    """Go on from a leg's square to the next one on which the whole move may end.

    Return the last leg's number, whose square and victim the state's walk has then; -1 at the end.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    walk = L.STATE(S).scratch.walk
    m = t.descriptors[d]
    first, last = m.path[0], m.steps - 1
    while level >= 0:
        if walk.left[level] <= 0:
            level -= 1
            continue
        square = _step(t, frame, walk, first, level)
        if square < 0:
            continue
        stands = _stands(frame, m, us, origin, target, square)
        if stands != L.EMPTY:
            walk.left[level] = 0
        if stands == _OTHER:
            continue
        if level < last:
            if _goes_on(t, walk, first, level, square, stands):
                level += 1
        elif t.legs[first + level].enter & stands != 0:
            if m.to_zone == 0 or has(t.zones[m.to_zone], square):
                return level
    return -1


@routine
def list_chain(T, S, f, us, origin, d, tactical, out):
    """List the moves of a piece by one descriptor of several legs; return their number."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    walk = L.STATE(S).scratch.walk
    m = t.descriptors[d]
    code = frame.board[origin]
    here = Here(t, T, S, f, frame, us)
    _begin(t, walk, m.path[0], 0, origin, -1)
    n = 0
    level = _next_end(T, S, f, d, us, origin, -1, 0)
    while level >= 0:
        square, victim = walk.at[level], walk.victim[level]
        spared = _spares_royalty(t, frame, m, us, square, origin)
        spared = spared or _spares_royalty(t, frame, m, us, victim, origin)
        quiet = victim < 0 and (frame.board[square] == 0 or square == origin)
        if not spared and (not quiet or may_go_quietly(t, us, code, tactical, square)):
            if victim < 0 and square == origin:
                victim = origin
            n += arrivals(here, code, origin, square, victim, out + n)
        level = _next_end(T, S, f, d, us, origin, -1, level)
    return n


@routine
def chain_attacks(T, S, f, code, origin, d, target):
    """Return whether a piece captures on ``target`` by a descriptor of several legs."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    walk = L.STATE(S).scratch.walk
    m = t.descriptors[d]
    us = code >> 6
    if m.tame:
        return False
    _begin(t, walk, m.path[0], 0, origin, -1)
    level = _next_end(T, S, f, d, us, origin, target, 0)
    while level >= 0:
        square, victim = walk.at[level], walk.victim[level]
        if square == target or victim == target:
            other = victim if square == target else square
            if other == target or not _spares_royalty(t, frame, m, us, other, origin):
                return True
        level = _next_end(T, S, f, d, us, origin, target, level)
    return False
