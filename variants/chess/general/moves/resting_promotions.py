"""Promotions of Sittuyin: a pawn promotes where it stands, or one quiet move away from there."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import any_of, has, pop, show, squares_of, without
from variants.chess.general.moves.attacks import attacks
from variants.chess.general.moves.moves import is_free, kind_of, move_code, put_move


@kernel
def _attacks_any(T, S, f, us, code, origin):
    """Return whether a piece of a code would attack an enemy from a square."""
    t = L.TABLES(T)
    found = False
    left = squares_of(t, L.FRAME(S, f).by_color[1 - us])
    while any_of(left):
        square, left = pop(left)
        found = found or attacks(T, S, f, code, origin, square)
    return found


@kernel
def _list_one(T, S, f, us, origin, choice, out):
    """List the promotions of a pawn to one piece; return their number."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    becomes, pawn = t.promotion[us][choice], frame.board[origin]
    n = 0
    empty = without(squares_of(t, t.squares), squares_of(t, frame.occupied))
    show(frame, origin, 0)
    if not _attacks_any(T, S, f, us, becomes, origin):
        # as a capture of nothing: a promotion that takes is one whose target is not empty
        move = move_code(origin, origin, L.LOCUST, choice + 1) | origin << 23
        put_move(S, out, move)
        n = 1
    while any_of(empty):
        target, empty = pop(empty)
        if attacks(T, S, f, becomes, origin, target):
            if not _attacks_any(T, S, f, us, becomes, target):
                put_move(S, out + n, move_code(origin, target, L.PROMOTION, choice))
                n += 1
    show(frame, origin, pawn)
    return n


@routine
def list_resting_promotions(T, S, f, us, out):
    """List the promotions of a side's pawns; return their number."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    pawns, n = 0, 0
    left = squares_of(t, frame.by_color[us])
    while any_of(left):
        origin, left = pop(left)
        pawns += 1 if t.promotion_pawn_types[frame.board[origin]] else 0
    left = squares_of(t, frame.by_color[us])
    while any_of(left):
        origin, left = pop(left)
        if not t.promotion_pawn_types[frame.board[origin]]:
            continue
        if pawns > 1 and not has(t.promotion_region[us], origin):
            continue
        for choice in range(t.promotions[us]):
            if is_free(t, frame, t.promotion[us][choice]):
                n += _list_one(T, S, f, us, origin, choice, out + n)
    return n


@kernel
def promotes_at_rest(move):
    """Return whether a move of a game with this rule is a promotion."""
    return kind_of(move) == L.PROMOTION or kind_of(move) == L.LOCUST


@kernel
def is_bare_pawn(t, frame, us):
    """Return whether a side has a king and a pawn and nothing else, and is not in check."""
    pawn = False
    left = squares_of(t, frame.by_color[us])
    while any_of(left):
        origin, left = pop(left)
        pawn = pawn or t.promotion_pawn_types[frame.board[origin]] != 0
    return frame.pieces[us] == 2 and pawn and not frame.checked
