"""Pseudo-royal pieces: the last of their kind must not be attacked, like a king."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    kind_squares,
    pop,
    show,
    squares_of,
    stands,
)
from variants.chess.general.moves.attacks import attacks, is_attacked, touches
from variants.chess.general.moves.drops import on_board
from variants.chess.general.moves.effects import blasted_square, is_blasted
from variants.chess.general.moves.makemove import make
from variants.chess.general.moves.moves import (
    choice_of,
    kind_of,
    moved_code,
    origin_of,
    takes,
    target_of,
    victim_of,
)


@routine
def find_pseudo_royals(T, S, f):
    """Write the squares of both sides' pseudo-royal pieces to the state's scratch."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    scratch = L.STATE(S).scratch
    for side in range(2):
        n = 0
        for kind in range(1, t.kinds + 1):
            code = kind + L.BLACK * side
            few = frame.count[t.moves_as[code]] <= t.extinction_piece_count + 1
            if t.extinction_piece_types[code] and few:
                left = both(kind_squares(t, frame, kind), squares_of(t, frame.by_color[side]))
                while any_of(left):
                    scratch.pseudo[side][n], left = pop(left)
                    n += 1
        scratch.pseudos[side] = n
    return 0


@kernel
def is_immune(t, scratch, square, enemy):
    """Return whether taking on a square would blast one of the taker's pseudo-royals."""
    if not t.blast_on_capture:
        return False
    for i in range(scratch.pseudos[enemy]):
        if touches(scratch.pseudo[enemy][i], square):
            return True
    return False


@kernel
def _is_taken(t, T, S, f, square, by):
    """Return whether a side attacks a square, and is not blasted itself when it takes there."""
    return not is_immune(t, L.STATE(S).scratch, square, by) and is_attacked(T, S, f, square, by)


@kernel
def _is_taken_by_others(t, T, S, f, square, by):
    """Return whether a side attacks a square with pieces that it does not lose when they take."""
    frame = L.FRAME(S, f)
    left = squares_of(t, frame.by_color[by])
    while any_of(left):
        origin, left = pop(left)
        code = frame.board[origin]
        is_lost = t.petrify_on_capture_types[code] and t.extinction_piece_types[code]
        if not is_lost and attacks(T, S, f, code, origin, square):
            return True
    return False


@kernel
def _takes_theirs(scratch, S, g, us):
    """Return whether one of the enemy's pseudo-royals is gone after a move."""
    for i in range(scratch.pseudos[1 - us]):
        if not stands(L.FRAME(S, g), scratch.pseudo[1 - us][i], 1 - us):
            return True
    return False


@kernel
def _king_way(t, T, S, f, us, origin, target):
    """Return whether a pseudo-royal piece may castle over its squares."""
    scratch = L.STATE(S).scratch
    frame = L.FRAME(S, f)
    safe, own = True, False
    for i in range(scratch.pseudos[us]):
        own = own or scratch.pseudo[us][i] == origin
    if not own:
        return True
    king = frame.board[origin]
    show(frame, origin, 0)
    step = 1 if target > origin else -1
    square = origin
    while square != target:
        there = frame.board[square]
        show(frame, square, king)
        safe = safe and not _is_taken(t, T, S, f, square, 1 - us)
        show(frame, square, there)
        square += step
    show(frame, origin, king)
    return safe


@kernel
def _is_tried_on_board(t, kind):
    """Return whether all that a move of a kind does can be done on the board alone."""
    others = t.duple_check | t.walling_rule | t.flip_enclosed_pieces | t.seirawan_gating | t.petrify
    return kind in (L.NORMAL, L.EN_PASSANT, L.PROMOTION) and others == 0


@kernel
def _change(S, frame, changed, square, code):
    """Put a code on a square of the board; return the number of changes."""
    scratch = L.STATE(S).scratch
    scratch.changed[changed] = square
    scratch.before[changed] = frame.board[square]
    show(frame, square, code)
    return changed + 1


@kernel
def _take_back(S, frame, changed):
    """Undo changes of the board, the last first."""
    scratch = L.STATE(S).scratch
    while changed > 0:
        changed -= 1
        show(frame, scratch.changed[changed], scratch.before[changed])


@kernel
def _try_on_board(t, S, frame, us, move, code):
    """Make a move on the board alone, with its blast; return the number of changes."""
    origin, target = origin_of(move), target_of(move)
    captures = takes(frame, move)
    victim = victim_of(frame, move)
    changed = 0
    if victim >= 0:
        changed = _change(S, frame, changed, victim, 0)
    changed = _change(S, frame, changed, origin, 0)
    changed = _change(S, frame, changed, target, code)
    if captures and t.blast_on_capture:
        for i in range(9):
            square = blasted_square(target, i)
            if on_board(t, square) and is_blasted(t, frame.board[square], i):
                changed = _change(S, frame, changed, square, 0)
    return changed


@kernel
def _royals_are_safe(t, T, S, f, g, us, move, joins, loses_royalty):
    """Return whether a side's pseudo-royals are there and not attacked after a move.

    ``g`` is the frame after the move, ``joins`` 1 if it makes one more pseudo-royal,
    ``loses_royalty`` the code of those that are none any more.
    """
    scratch = L.STATE(S).scratch
    frame = L.FRAME(S, f)
    after = L.FRAME(S, g)
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    takes_theirs = _takes_theirs(scratch, S, g, us)
    for i in range(scratch.pseudos[us] + joins):
        square = target
        if i < scratch.pseudos[us]:
            square = scratch.pseudo[us][i]
            if loses_royalty != 0 and t.moves_as[frame.board[square]] == loses_royalty:
                continue
            if square == origin and kind != L.DROP:
                square = target
        if not stands(after, square, us):
            return False
        if not takes_theirs and _is_taken(t, T, S, g, square, 1 - us):
            if not t.petrify or _is_taken_by_others(t, T, S, g, square, 1 - us):
                return False
    return True


@kernel
def _hide_stones(t, frame, after, target):
    """Take away the walls that a blast has left: as in Fairy-Stockfish they shield nothing yet."""
    for i in range(9):
        square = blasted_square(target, i)
        if on_board(t, square) and frame.board[square] != L.WALL and after.board[square] == L.WALL:
            show(after, square, 0)


@kernel
def _all_are_taken(t, T, S, f, us):
    """Return whether a side has kinds of the duple check, and all are attacked."""
    frame = L.FRAME(S, f)
    candidates, all_taken = 0, True
    left = squares_of(t, frame.by_color[us])
    while any_of(left):
        square, left = pop(left)
        if t.extinction_piece_types[frame.board[square]]:
            candidates += 1
            all_taken = all_taken and _is_taken(t, T, S, f, square, 1 - us)
    return candidates != 0 and all_taken


@routine
def pseudo_royals_allow(T, S, f, us, move):
    """Return whether a move keeps the side's pseudo-royal pieces, and keeps them safe."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    code = moved_code(frame, us, move)
    if kind == L.CASTLE and not _king_way(t, T, S, f, us, origin, target):
        return False
    becomes = code
    if kind == L.PROMOTION:
        becomes = t.promotion[us][choice_of(move)]
    joins = 1 if kind == L.DROP and t.extinction_piece_types[code] else 0
    loses_royalty = 0
    if kind == L.PROMOTION and t.extinction_piece_types[becomes]:
        if frame.count[t.moves_as[becomes]] > t.extinction_piece_count:
            loses_royalty = t.moves_as[becomes]
        else:
            joins = 1
    if loses_royalty == 0 and _is_tried_on_board(t, kind):
        changed = _try_on_board(t, S, frame, us, move, becomes)
        safe = _royals_are_safe(t, T, S, f, f, us, move, joins, loses_royalty)
        _take_back(S, frame, changed)
        return safe
    g = make(T, S, f, move)
    if t.petrify and t.blast_on_capture:
        _hide_stones(t, frame, L.FRAME(S, g), target)
    safe = _royals_are_safe(t, T, S, f, g, us, move, joins, loses_royalty)
    return safe and not (t.duple_check and _all_are_taken(t, T, S, g, us))


@routine
def pseudo_royals_checked(T, S, f, us):
    """Return whether a pseudo-royal piece of a side is attacked, or all are by duple check."""
    t = L.TABLES(T)
    scratch = L.STATE(S).scratch
    find_pseudo_royals(T, S, f)
    for i in range(scratch.pseudos[us]):
        if _is_taken(t, T, S, f, scratch.pseudo[us][i], 1 - us):
            return True
    return t.duple_check != 0 and _all_are_taken(t, T, S, f, us)
