"""The number of legal moves, most of them counted in sets without being listed: perft's leaves."""

from __future__ import annotations

from ryugi_engine.kernel.abi import OVERFULL
from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.count.blast_counts import most_checks
from variants.chess.general.count.piece_counts import captures_of, count_pieces, with_gates
from variants.chess.general.ends.endings import game_result
from variants.chess.general.legal.legal_moves import (
    has_no_royalty,
    list_legal,
    note_pins,
    only_legal,
)
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import any_of, both, size, squares_of
from variants.chess.general.moves.drops import drop_squares, list_drops
from variants.chess.general.moves.movegen import list_pseudo
from variants.chess.general.moves.moves import fits, staying
from variants.chess.general.moves.turns import list_passes, list_ways
from variants.chess.general.moves.walls import count_walls


@kernel
def _is_clear(t, pins, most):
    """Return whether lines to a king concern pieces on sensitive squares only, and few checks."""
    return not pins.slow and pins.checkers <= most and not any_of(squares_of(t, pins.opening))


@kernel
def _may_be_counted(t, S, us):
    """Return whether sets say which moves of all but pieces on sensitive squares are legal."""
    pins = L.STATE(S).scratch.pins
    if not t.checking and not _is_clear(t, pins[1], 0):
        return False
    return _is_clear(t, pins[0], most_checks(t, S, us))


@kernel
def _is_simple(t, frame, us):
    """Return whether the moves of a position can be counted piece by piece."""
    listed = t.walling_rule | t.must_drop | t.pass_on_stalemate[us] | t.flip_enclosed_pieces
    listed |= t.sittuyin_promotion | t.cambodian_moves | t.alice_boards
    if t.must_capture | t.blast_on_capture | t.petrify:
        listed |= (1 - t.checking) | t.seirawan_gating
    return listed == 0


@kernel
def _count_drops(t, T, S, f, us, allowed, out):
    """Return the number of legal drops; ``allowed`` are those that answer a check."""
    if not t.drop_checks or not t.checking or t.move_rules:
        n = list_drops(T, S, f, us, out)
        return only_legal(T, S, f, us, out, n) if fits(out, n) else OVERFULL
    n = 0
    for kind in range(1, t.kinds + 1):
        code = kind + L.BLACK * us
        squares = both(drop_squares(T, S, f, us, kind), allowed)
        n += size(staying(t, code, squares))
        if t.drop_promoted and t.promoted[code] != 0:
            n += size(staying(t, t.promoted[code], squares))
    return n


@kernel
def _count_listed_pieces(t, T, S, f, us, out):
    """Return the number of legal moves, drops and castling included, that are all listed."""
    n = list_pseudo(T, S, f, us, 0, out)
    if not fits(out, n):
        return OVERFULL
    n = only_legal(T, S, f, us, out, n)
    frame = L.FRAME(S, f)
    n = with_gates(t, S, frame, us, n, out)
    captures = captures_of(S, frame, n, out) if t.must_capture else 0
    return captures if captures != 0 else n


@routine
def count_legal(T, S, f, us, out):
    """Return the number of legal moves; the move buffer is free from ``out`` on."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    if t.walling_rule and has_no_royalty(t, frame, us) and not t.must_capture:
        if t.ends and game_result(T, S, f):
            return 0
        n = list_pseudo(T, S, f, us, 0, out)
        return count_walls(T, S, f, us, out, n) if fits(out, n) else OVERFULL
    if not _is_simple(t, frame, us):
        return list_legal(T, S, f, us, 0, 0, out)
    if t.ends and game_result(T, S, f):
        return 0
    note_pins(T, S, f, us)
    pins = L.STATE(S).scratch.pins
    if not _may_be_counted(t, S, us):
        return _count_listed_pieces(t, T, S, f, us, out)
    n = count_pieces(T, S, f, us, out)
    if t.must_capture and n >> 32 != 0:
        return n >> 32
    if t.piece_drops:
        allowed = squares_of(t, t.squares)
        if pins[0].checkers != 0:
            allowed = squares_of(t, pins[0].evasion)
        n += _count_drops(t, T, S, f, us, allowed, out)
    if frame.castling != 0:
        ways = only_legal(T, S, f, us, out, list_ways(T, S, f, us, out))
        n += with_gates(t, S, frame, us, ways, out)
    if t.passing[us] | t.wall_or_move:
        n += only_legal(T, S, f, us, out, list_passes(T, S, f, us, out))
    return n
