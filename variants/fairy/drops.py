"""Drops of pieces in hand, and where a rule lets them enclose others."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, store32
from variants.fairy import layout as L
from variants.fairy.sets import has

_REVERSI, _SNORT, _ANYSIDE, _TOP = 1, 4, 5, 6


@kernel
def king_step(i):
    """Return one of the eight steps to a neighbour."""
    return (1, 16, 17, 15, -1, -16, -17, -15)[i]


@kernel
def on_board(t, square):
    """Return 1 if a number is a square of the board, else 0."""
    if square < 0 or square >= L.SQUARES:
        return 0
    return has(t.squares, square)


@kernel
def enclosed(t, frame, us, target, step):
    """Return how many enemies stand in a row between a square and the next own piece."""
    square = target + step
    count = 0
    while on_board(t, square) != 0:
        there = frame.board[square]
        if there == 0 or there == L.WALL:
            return 0
        if there >> 6 == us:
            return count
        count += 1
        square += step
    return 0


@kernel
def _slides_in(t, frame, target, step):
    """Return 1 if all squares beyond a square in one direction are empty, else 0."""
    square = target + step
    while on_board(t, square) != 0:
        if frame.board[square] != 0:
            return 0
        square += step
    return 1


@kernel
def _rests(t, frame, target, step):
    """Return 1 if a square borders the edge or a piece in a direction, else 0."""
    square = target + step
    return 1 if on_board(t, square) == 0 or frame.board[square] != 0 else 0


@kernel
def may_enclose(t, frame, us, target):
    """Return 1 if the rule about enclosing drops allows a square, else 0."""
    rule = t.enclosing
    for word in range(L.WORDS):
        start = t.enclosing_start[word]
        while start != 0:
            square = ctz(start) + 64 * word
            start &= start - 1
            if frame.board[square] == 0:
                return has(t.enclosing_start, target)
    if rule == _TOP:
        return _rests(t, frame, target, -16)
    if rule == _ANYSIDE:
        for i in range(8):
            step = king_step(i)
            if step in (1, -1, 16, -16):
                if _slides_in(t, frame, target, -step) != 0 and _rests(t, frame, target, step) != 0:
                    return 1
        return 0
    for i in range(8):
        step = king_step(i)
        if rule == _REVERSI:
            if enclosed(t, frame, us, target, step) != 0:
                return 1
            continue
        square = target + step
        if on_board(t, square) == 0:
            continue
        there = frame.board[square]
        if there == 0 or there == L.WALL:
            continue
        if rule == _SNORT:
            if step in (1, -1, 16, -16) and there >> 6 != us:
                return 0
        elif there >> 6 == us:
            return 1
    return 1 if rule == _SNORT else 0


@kernel
def _on_file(t, frame, code, target):
    """Return how many pieces of a code stand on the file of a square."""
    count = 0
    square = target & 15
    for _ in range(t.ranks):
        if frame.board[square] == code:
            count += 1
        square += 16
    return count


@routine
def list_drops(T, S, f, us, out):
    """List the drops of a side from ``out`` on; return their number."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    n = 0
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        if t.free_drops == 0 and frame.hand[code] == 0:
            continue
        if t.is_promoted[code] != 0 or t.moves_as[code] != code:
            continue
        for word in range(t.words):
            left = t.drop_zone[code][word]
            while left != 0:
                target = ctz(left) + 64 * word
                left &= left - 1
                if frame.board[target] != 0:
                    continue
                if t.no_doubled[code] != 0:
                    if _on_file(t, frame, code, target) >= t.no_doubled_count:
                        continue
                if t.enclosing != 0 and may_enclose(t, frame, us, target) == 0:
                    continue
                store32(S, out + n, kind | target << 8 | L.DROP << 16)
                n += 1
                if t.drop_promoted != 0 and t.promoted[code] != 0:
                    store32(S, out + n, kind | target << 8 | L.DROP << 16 | 1 << 19)
                    n += 1
    return n
