"""Captures with blasts, and a pseudo-royal piece, in counting: what is legal at a glance."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import load32
from variants.chess.general.count.targets import tally, targets_of
from variants.chess.general.legal.legal_moves import only_legal
from variants.chess.general.legal.pins import sensitive_squares
from variants.chess.general.legal.royalty import is_immune
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    contains,
    either,
    moved,
    one,
    pop,
    show,
    squares_of,
    without,
)
from variants.chess.general.moves.attacks import is_attacked, reach_of
from variants.chess.general.moves.movegen import list_piece, may_take_en_passant
from variants.chess.general.moves.moves import put_move, target_of


@kernel
def most_checks(t, S, us):
    """Return with how many checks sets still say which moves are legal.

    Next to the enemy's king no check counts: pins say nothing then.
    """
    if not t.extinction_pseudo_royal:
        return 1
    scratch = L.STATE(S).scratch
    if t.blast_on_capture and not (t.petrify | t.duple_check) and scratch.pseudos[us] == 1:
        return 0 if is_immune(t, scratch, scratch.pseudo[us][0], 1 - us) else 1
    return 0


@kernel
def risky_captures(t, S, frame, us, captures):
    """Return those targets of captures whose effects may remove or expose a royal piece."""
    scratch = L.STATE(S).scratch
    pins = scratch.pins[0]
    found = squares_of(t, pins.shields)
    for i in range(scratch.pseudos[us]):
        found = either(found, one(scratch.pseudo[us][i]))
    found = either(found, either(moved(t, found, 1), moved(t, found, -1)))
    found = either(found, either(moved(t, found, 16), moved(t, found, -16)))
    known = t.extinction_pseudo_royal and not t.petrify and t.files < 16
    if not known or pins.doubtful or pins.checkers:
        found = captures
    return both(found, captures)


@kernel
def count_risky(here, risky, out):
    """Return the tally of legal captures on some squares of pieces that are not listed."""
    t, S, frame, us = here.t, here.S, here.frame, here.us
    marked = may_take_en_passant(t, frame)
    left = without(squares_of(t, frame.by_color[us]), sensitive_squares(t, S))
    n = 0
    while any_of(left):
        origin, left = pop(left)
        code = frame.board[origin]
        listed = t.special[code] | t.immune
        if listed or (marked and t.takes_en_passant[code] == L.NOT_BY_LEAPS):
            continue
        if any_of(targets_of(t, frame, us, code, origin, risky)):
            found = list_piece(here.T, S, here.f, us, origin, 1, out)
            kept = 0
            for i in range(found):
                move = load32(S, out + i)
                if contains(risky, target_of(move)):
                    put_move(S, out + kept, move)
                    kept += 1
            n += only_legal(here.T, S, here.f, us, out, kept)
    return tally(t, n, n)


@kernel
def count_shy_walk(t, T, S, f, us, code, origin):
    """Return the number of quiet moves of a pseudo-royal piece that only leaps."""
    frame = L.FRAME(S, f)
    left = squares_of(t, reach_of(t, code, origin).quiet)
    left = without(left, squares_of(t, frame.occupied))
    n = 0
    show(frame, origin, 0)
    while any_of(left):
        square, left = pop(left)
        immune = is_immune(t, L.STATE(S).scratch, square, 1 - us)
        if immune or not is_attacked(T, S, f, square, 1 - us):
            n += 1
    show(frame, origin, code)
    return n


@kernel
def walks_shyly(t, code):
    """Return whether a piece is the side's pseudo-royal one, and its captures blast itself."""
    others = t.immune | t.duple_check | t.royal[code] | t.promotion_pawn_types[code] | t.turns[code]
    others |= (
        t.flying_general
        | t.bikjang_rule
        | t.blast_immune_types[code]
        | (1 - t.checking)
        | t.petrify
    )
    return (
        t.blast_on_capture != 0
        and others == 0
        and t.extinction_piece_types[code] != 0
        and t.walks[code] != 0
    )
