"""Drops of pieces in hand, and where a rule lets them enclose others."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz
from variants.chess.tables import layout as L
from variants.chess.tables.moves import put_move
from variants.chess.tables.sets import has, shifted

_REVERSI, _ATAXX, _QUADWRANGLE, _SNORT, _ANYSIDE, _TOP = 1, 2, 3, 4, 5, 6


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
def enclosed(t, frame, us, target, step, through_walls):
    """Return the number of enemies in a row from a square to the next own piece, 0 if none ends it.

    Walls end the row, unless it goes ``through_walls``; then they count as well.
    """
    square = target + step
    count = 0
    while on_board(t, square):
        there = frame.board[square]
        if there == 0 or (there == L.WALL and through_walls == 0):
            return 0
        if there != L.WALL and there >> 6 == us:
            return count
        count += 1
        square += step
    return 0


@kernel
def _slides_in(t, frame, target, step):
    """Return 1 if all squares beyond a square in one direction are empty, else 0."""
    square = target + step
    while on_board(t, square):
        if frame.board[square] != 0:
            return 0
        square += step
    return 1


@kernel
def _rests(t, frame, target, step):
    """Return 1 if a square borders the edge or a piece in a direction, else 0."""
    square = target + step
    return 1 if not on_board(t, square) or frame.board[square] != 0 else 0


@kernel
def _may_reverse(t, frame, us, target):
    """Return 1 if a square is next to an enemy and begins a row, else 0.

    As in Fairy-Stockfish the row may lead through walls, and need not be that of the neighbour.
    """
    near, rows = 0, 0
    for i in range(8):
        square = target + king_step(i)
        if on_board(t, square):
            there = frame.board[square]
            if there != 0 and there != L.WALL and there >> 6 != us:
                near = 1
        rows |= enclosed(t, frame, us, target, king_step(i), 1)
    return 1 if near != 0 and rows != 0 else 0


@kernel
def may_enclose(t, frame, us, target):
    """Return 1 if the rule about enclosing drops allows a square, else 0."""
    rule = t.enclosing_drop
    for word in range(L.WORDS):
        start = t.enclosing_drop_start[0][word]
        while start != 0:
            square = ctz(start) + 64 * word
            start &= start - 1
            if frame.board[square] == 0:
                return has(t.enclosing_drop_start[0], target)
    if rule == _TOP:
        return _rests(t, frame, target, -16)
    if rule == _ANYSIDE:
        for i in range(8):
            step = king_step(i)
            if step in (1, -1, 16, -16):
                if _slides_in(t, frame, target, -step) and _rests(t, frame, target, step):
                    return 1
        return 0
    if rule == _REVERSI:
        return _may_reverse(t, frame, us, target)
    for i in range(8):
        step = king_step(i)
        square = target + step
        if not on_board(t, square):
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
def _near(t, words, word, diagonal):
    """Return a word of the squares next to a set."""
    found = 0
    for i in range(8):
        step = king_step(i)
        if diagonal != 0 or step in (1, -1, 16, -16):
            found |= shifted(t, words, step, word)
    return found


@kernel
def _starts(t, frame):
    """Return 1 if squares of the opening phase of enclosing drops are still empty, else 0."""
    empty = 0
    for word in range(t.words):
        empty |= t.enclosing_drop_start[0][word] & ~frame.occupied[word]
    return 1 if empty != 0 else 0


@kernel
def _enclosing(t, frame, us, words):
    """Leave those squares of a set that the rule about enclosing drops allows."""
    by_neighbours = t.enclosing_drop in (_ATAXX, _QUADWRANGLE, _SNORT)
    if t.files < 16 and not _starts(t, frame) and by_neighbours:
        for word in range(t.words):
            if t.enclosing_drop == _SNORT:
                words[word] &= ~_near(t, frame.by_color[1 - us], word, 0)
            else:
                words[word] &= _near(t, frame.by_color[us], word, 1)
        return 0
    for word in range(t.words):
        left = words[word]
        while left != 0:
            square = ctz(left) + 64 * word
            left &= left - 1
            if not may_enclose(t, frame, us, square):
                words[word] &= ~(1 << (square & 63))
    return 0


@kernel
def _without_files(t, frame, code, words):
    """Take the files away on which enough pieces of a code stand."""
    for file in range(t.files):
        count = 0
        square = file
        for _ in range(t.ranks):
            if frame.board[square] == code:
                count += 1
            square += 16
        if count >= t.drop_no_doubled_count:
            for word in range(t.words):
                words[word] &= ~(0x0001000100010001 << file)


@routine
def write_drops(T, S, f, us, kind):
    """Write the squares for drops of a kind to the state's scratch; return 0 if it has none."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    words = L.STATE(S).scratch.drops
    code = kind + L.BLACK * us
    if not t.free_drops and frame.hand[code] == 0:
        return 0
    if t.is_promoted[code] or t.moves_as[code] != code:
        return 0
    if t.royal[code] and frame.king[us] >= 0:
        return 0  # a side has one
    for word in range(t.words):
        words[word] = t.drop_zone[code][word] & ~frame.occupied[word]
        if t.immobility_illegal:
            words[word] &= t.mobile[code][word]
    if t.drop_no_doubled[code]:
        _without_files(t, frame, code, words)
    if t.enclosing_drop:
        _enclosing(t, frame, us, words)
    return 1


@routine
def list_drops(T, S, f, us, out):
    """List the drops of a side from ``out`` on; return their number."""
    t = L.TABLES(T)
    words = L.STATE(S).scratch.drops
    n = 0
    for kind in range(1, t.kinds + 1):
        if not write_drops(T, S, f, us, kind):
            continue
        promotes = t.drop_promoted != 0 and t.promoted[kind + L.BLACK * us] != 0
        for word in range(t.words):
            left = words[word]
            while left != 0:
                target = ctz(left) + 64 * word
                left &= left - 1
                put_move(S, out + n, kind | target << 8 | L.DROP << 16)
                n += 1
                if promotes:
                    put_move(S, out + n, kind | target << 8 | L.DROP << 16 | 1 << 19)
                    n += 1
    return n
