"""Pseudo-royal pieces: the last of their kind must not be attacked, as a king must not."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import is_attacked
from variants.chess.tables.drops import king_step, on_board
from variants.chess.tables.effects import is_blasted
from variants.chess.tables.makemove import make
from variants.chess.tables.moves import (
    choice_of,
    kind_of,
    moved_code,
    origin_of,
    takes,
    target_of,
    victim_of,
)
from variants.chess.tables.sets import show


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
            if not t.extinction_piece_types[code]:
                continue
            if frame.count[t.moves_as[code]] > t.extinction_piece_count + 1:
                continue
            for word in range(t.words):
                left = frame.by_kind[word][kind] & frame.by_color[side][word]
                while left != 0:
                    scratch.pseudo[side][n] = ctz(left) + 64 * word
                    left &= left - 1
                    n += 1
        scratch.pseudos[side] = n
    return 0


@kernel
def touches(a, b):
    """Return 1 if two squares are neighbours, else 0."""
    files, ranks = abs((a & 15) - (b & 15)), abs((a >> 4) - (b >> 4))
    return 1 if max(files, ranks) == 1 else 0


@kernel
def is_immune(t, scratch, square, enemy):
    """Return 1 if taking on a square would blast one of the taker's pseudo-royals, else 0."""
    if not t.blast_on_capture:
        return 0
    for i in range(scratch.pseudos[enemy]):
        if touches(scratch.pseudo[enemy][i], square):
            return 1
    return 0


@kernel
def _takes_theirs(scratch, S, g, us):
    """Return 1 if one of the enemy's pseudo-royals is gone after a move, else 0."""
    frame = L.FRAME(S, g)
    for i in range(scratch.pseudos[1 - us]):
        code = frame.board[scratch.pseudo[1 - us][i]]
        if code == 0 or code == L.WALL or code >> 6 == us:
            return 1
    return 0


@kernel
def _king_way(t, T, S, f, us, origin, target):
    """Return 1 if a pseudo-royal piece may castle over its squares, else 0."""
    scratch = L.STATE(S).scratch
    frame = L.FRAME(S, f)
    own = 0
    for i in range(scratch.pseudos[us]):
        if scratch.pseudo[us][i] == origin:
            own = 1
    if own == 0:
        return 1
    king = frame.board[origin]
    show(frame, origin, 0)
    safe = 1
    step = 1 if target > origin else -1
    square = origin
    while square != target:
        there = frame.board[square]
        show(frame, square, king)
        if not is_immune(t, scratch, square, 1 - us):
            if is_attacked(T, S, f, square, 1 - us):
                safe = 0
        show(frame, square, there)
        square += step
    show(frame, origin, king)
    return safe


@kernel
def _is_tried_on_board(t, kind):
    """Return 1 if all that a move of a kind does can be done on the board alone, else 0."""
    others = t.duple_check | t.walling_rule | t.flip_enclosed_pieces | t.seirawan_gating | t.petrify
    simple = kind in (L.NORMAL, L.EN_PASSANT, L.PROMOTION)
    return 1 if simple and others == 0 else 0


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
    if captures != 0 and t.blast_on_capture:
        for i in range(9):
            square = target if i == 8 else target + king_step(i)
            if not on_board(t, square):
                continue
            there = frame.board[square]
            if there != 0 and there != L.WALL and is_blasted(t, there, i):
                changed = _change(S, frame, changed, square, 0)
    return changed


@kernel
def _royals_are_safe(t, T, S, f, g, us, move, joins, loses_royalty):
    """Return 1 if a side's pseudo-royals are there and not attacked after a move, else 0.

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
        there = after.board[square]
        if there == 0 or there == L.WALL or there >> 6 != us:
            return 0
        if takes_theirs == 0 and not is_immune(t, scratch, square, 1 - us):
            if is_attacked(T, S, g, square, 1 - us):
                return 0
    return 1


@kernel
def _one_is_safe(t, T, S, g, us):
    """Return 1 if not all of a side's kinds of the duple check are attacked, else 0."""
    scratch = L.STATE(S).scratch
    after = L.FRAME(S, g)
    candidates, attacked_all = 0, 1
    for word in range(t.words):
        left = after.by_color[us][word]
        while left != 0:
            square = ctz(left) + 64 * word
            left &= left - 1
            if t.extinction_piece_types[after.board[square]]:
                candidates += 1
                if is_immune(t, scratch, square, 1 - us) or not is_attacked(
                    T, S, g, square, 1 - us
                ):
                    attacked_all = 0
    return 0 if candidates != 0 and attacked_all != 0 else 1


@routine
def pseudo_royals_allow(T, S, f, us, move):
    """Return 1 if a move keeps the side's pseudo-royal pieces, and keeps them safe, else 0."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    code = moved_code(frame, us, move)
    if kind == L.CASTLE and not _king_way(t, T, S, f, us, origin, target):
        return 0
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
    if not _royals_are_safe(t, T, S, f, g, us, move, joins, loses_royalty):
        return 0
    return 1 if not t.duple_check else _one_is_safe(t, T, S, g, us)


@routine
def pseudo_royals_checked(T, S, f, us):
    """Return 1 if a pseudo-royal piece of a side is attacked, or all are by duple check, else 0."""
    t = L.TABLES(T)
    scratch = L.STATE(S).scratch
    find_pseudo_royals(T, S, f)
    for i in range(scratch.pseudos[us]):
        square = scratch.pseudo[us][i]
        if not is_immune(t, scratch, square, 1 - us):
            if is_attacked(T, S, f, square, 1 - us):
                return 1
    if not t.duple_check:
        return 0
    frame = L.FRAME(S, f)
    candidates = 0
    for word in range(t.words):
        left = frame.by_color[us][word]
        while left != 0:
            square = ctz(left) + 64 * word
            left &= left - 1
            if t.extinction_piece_types[frame.board[square]]:
                candidates += 1
                if is_immune(t, scratch, square, 1 - us):
                    return 0
                if not is_attacked(T, S, f, square, 1 - us):
                    return 0
    return 1 if candidates != 0 else 0
