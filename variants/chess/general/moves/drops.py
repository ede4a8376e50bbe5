"""Drops of pieces in hand, and where a rule lets them enclose others."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    Squares,
    any_of,
    both,
    either,
    has,
    moved,
    no_squares,
    one,
    pop,
    squares_of,
    stands,
    without,
)
from variants.chess.general.moves.moves import may_stay, move_code, put_move

_REVERSI, _ATAXX, _QUADWRANGLE, _SNORT, _ANYSIDE, _TOP = 1, 2, 3, 4, 5, 6


@kernel
def king_step(i):
    """Return one of the eight steps to a neighbour."""
    return (1, 16, 17, 15, -1, -16, -17, -15)[i]


@kernel
def on_board(t, square):
    """Return whether a number is a square of the board."""
    return square >= 0 and square < L.SQUARES and has(t.squares, square)


@kernel
def touches_side(t, frame, square, side):
    """Return whether a piece of a side stands next to a square."""
    near = False
    for i in range(8):
        at = square + king_step(i)
        near = near or (on_board(t, at) and stands(frame, at, side))
    return near


@kernel
def enclosed(t, frame, us, target, step, through_walls):
    """Return the number of enemies in a row from a square to the next own piece, 0 if none ends it.

    Walls end the row, unless it goes ``through_walls``; then they count as well.
    """
    square = target + step
    count = 0
    while on_board(t, square):
        there = frame.board[square]
        if there == 0 or (there == L.WALL and not through_walls):
            return 0
        if stands(frame, square, us):
            return count
        count += 1
        square += step
    return 0


@kernel
def _slides_in(t, frame, target, step):
    """Return whether all squares beyond a square in one direction are empty."""
    square = target + step
    while on_board(t, square):
        if frame.board[square] != 0:
            return False
        square += step
    return True


@kernel
def _rests(t, frame, target, step):
    """Return whether a square borders the edge or a piece in a direction."""
    return not on_board(t, target + step) or frame.board[target + step] != 0


@kernel
def _comes_to_rest(t, frame, target, step):
    """Return whether a piece that comes from an edge, by steps to the right or up, stops here.

    Coming from the right or from the top it goes on to the first empty square from the other edge,
    as in Fairy-Stockfish.
    """
    if step > 0:
        return _slides_in(t, frame, target, -step) and _rests(t, frame, target, step)
    square = target + step
    while on_board(t, square):
        if frame.board[square] == 0:
            return False
        square += step
    square = target
    while on_board(t, square - step):
        square -= step
    return frame.board[square] == 0


@kernel
def _is_straight(step):
    return step in (1, -1, 16, -16)


@kernel
def may_enclose(t, frame, us, target):
    """Return whether the rule about enclosing drops allows a square."""
    rule = t.enclosing_drop
    if _starts(t, frame):
        return has(t.enclosing_drop_start[0], target)
    if rule == _TOP:
        return _rests(t, frame, target, -16)
    if rule == _REVERSI:
        # as in Fairy-Stockfish the row may lead through walls, and be another neighbour's
        rows = 0
        for i in range(8):
            rows |= enclosed(t, frame, us, target, king_step(i), True)
        return rows != 0 and touches_side(t, frame, target, 1 - us)
    if rule in (_ATAXX, _QUADWRANGLE):
        return touches_side(t, frame, target, us)
    for i in range(8):
        step = king_step(i)
        if not _is_straight(step):
            continue
        if rule == _ANYSIDE:
            if _comes_to_rest(t, frame, target, step):
                return True
        elif on_board(t, target + step) and stands(frame, target + step, 1 - us):
            return False
    return rule == _SNORT


@kernel
def _near(t, squares, diagonal):
    """Return the squares next to a set."""
    found = no_squares()
    for i in range(8):
        if diagonal or _is_straight(king_step(i)):
            found = either(found, moved(t, squares, king_step(i)))
    return found


@kernel
def _starts(t, frame):
    """Return whether squares of the opening phase of enclosing drops are still empty."""
    start = squares_of(t, t.enclosing_drop_start[0])
    return any_of(without(start, squares_of(t, frame.occupied)))


@kernel
def _enclosing(t, frame, us, squares):
    """Return those squares of a set that the rule about enclosing drops allows."""
    by_neighbours = t.enclosing_drop in (_ATAXX, _QUADWRANGLE, _SNORT)
    if t.files < 16 and not _starts(t, frame) and by_neighbours:
        if t.enclosing_drop == _SNORT:
            return without(squares, _near(t, squares_of(t, frame.by_color[1 - us]), False))
        return both(squares, _near(t, squares_of(t, frame.by_color[us]), True))
    left = squares
    while any_of(left):
        square, left = pop(left)
        if not may_enclose(t, frame, us, square):
            squares = without(squares, one(square))
    return squares


@kernel
def _without_files(t, frame, code, squares):
    """Return a set without the files on which enough pieces of a code stand."""
    for file in range(t.files):
        count = 0
        for rank in range(t.ranks):
            count += 1 if frame.board[16 * rank + file] == code else 0
        if count >= t.drop_no_doubled_count:
            column = 0x0001000100010001 << file
            squares = without(squares, Squares(column, column, column, column))
    return squares


@routine
def drop_squares(T, S, f, us, kind):
    """Return the squares for drops of a kind.

    Whether the piece could move on from there is not looked at: it may be dropped promoted.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    code = kind + L.BLACK * us
    if not t.free_drops and frame.hand[code] == 0:
        return no_squares()
    if t.is_promoted[code] or t.moves_as[code] != code:
        return no_squares()
    if t.royal[code] and frame.king[us] >= 0:
        return no_squares()  # a side has one
    squares = without(squares_of(t, t.drop_zone[code]), squares_of(t, frame.occupied))
    if t.drop_no_doubled[code]:
        squares = _without_files(t, frame, code, squares)
    if t.enclosing_drop:
        squares = _enclosing(t, frame, us, squares)
    return squares


@routine
def list_drops(T, S, f, us, out):
    """List the drops of a side from ``out`` on; return their number."""
    t = L.TABLES(T)
    n = 0
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        promotes = t.drop_promoted and t.promoted[code] != 0
        left = drop_squares(T, S, f, us, kind)
        while any_of(left):
            target, left = pop(left)
            if may_stay(t, code, target):
                put_move(S, out + n, move_code(kind, target, L.DROP, 0))
                n += 1
            if promotes and may_stay(t, t.promoted[code], target):
                put_move(S, out + n, move_code(kind, target, L.DROP, 1))
                n += 1
    return n
