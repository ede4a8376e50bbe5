"""What moves do besides: enclosed pieces flip, others are blasted, petrified, gated in; walls."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.primitives import (
    capture,
    hold,
    leave_gate,
    put,
    put_wall,
    set_rights,
    take,
    take_walls,
)
from variants.chess.general.memory.sets import any_of, both, pop, squares_of, stands
from variants.chess.general.moves.drops import enclosed, king_step, on_board, touches_side
from variants.chess.general.moves.first_leaps import end_leap
from variants.chess.general.moves.moves import choice_of, kind_of, origin_of, square_of, target_of
from variants.chess.general.moves.turns import gate_of

_REVERSI, _ATAXX = 1, 2
DUCK = 2


@kernel
def _flip(t, frame, us, target, moved):
    """Recolour the enemies that a piece on ``target`` encloses or touches."""
    encloses = t.flip_enclosed_pieces == _REVERSI
    touching = t.flip_enclosed_pieces == _ATAXX or moved
    if not encloses and not touching:
        touching = touches_side(t, frame, target, us)
    for i in range(8):
        step = king_step(i)
        square = target + step
        number = 0
        if encloses:
            number = enclosed(t, frame, us, target, step, False)
        elif touching and on_board(t, square):
            number = 1 if stands(frame, square, 1 - us) else 0
        for _ in range(number):
            code = take(t, frame, square)
            put(t, frame, square, code ^ L.BLACK)
            square += step


@kernel
def is_blasted(t, code, i):
    """Return whether a blast takes what stands on the ``i``th neighbour, or in the middle (8)."""
    if code == 0 or code == L.WALL or t.blast_immune_types[code]:
        return False
    return i == 8 or t.explodes[code] != 0


@kernel
def blasted_square(target, i):
    """Return the ``i``th square that a blast on a square reaches, the last of 9 being its own."""
    return target if i == 8 else target + king_step(i)


@kernel
def _explode(t, frame, target):
    """Remove what a capture on a square blasts; around it walls are left where that is the rule."""
    for i in range(9):
        square = blasted_square(target, i)
        if on_board(t, square) and is_blasted(t, frame.board[square], i):
            capture(t, frame, square)
            set_rights(t, frame, frame.castling & t.keep_rights[square])
            leave_gate(t, frame, square)
            if t.petrify_blast_pieces and i != 8:
                put_wall(t, frame, square)


@kernel
def _gate(t, frame, us, move):
    """Put the piece in hand that a move brings in on the square that was left."""
    place, kind = choice_of(move), kind_of(move)
    if place != 0 and kind in (L.NORMAL, L.CASTLE, L.EN_PASSANT):
        code = square_of(move) + L.BLACK * us
        hold(t, frame, code, -1)
        put(t, frame, gate_of(t, us, move), code)
    if frame.held[us] == 0 and not t.captures_to_hand:
        left = both(squares_of(t, frame.gates), squares_of(t, frame.by_color[us]))
        while any_of(left):
            square, left = pop(left)
            leave_gate(t, frame, square)


@kernel
def _after_capture(t, frame, mover, target):
    """Blast what is around a capture, and turn the capturing piece into a wall, by the rules.

    ``mover`` is its code before it promoted: a pawn that promotes is no stone.
    """
    petrifies = t.petrify_on_capture_types[frame.board[target]]
    if t.blast_on_capture:
        _explode(t, frame, target)
        if petrifies != 0 and frame.board[target] == 0:
            put_wall(t, frame, target)
    elif t.petrify_on_capture_types[mover]:
        capture(t, frame, target)
        if petrifies != 0:
            put_wall(t, frame, target)


@kernel
def apply_effects(t, old, frame, us, move):
    """Apply what a move does besides going to its target: flip, gate, blast, petrify, wall."""
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    if t.flip_enclosed_pieces and kind != L.PASS:
        _flip(t, frame, us, target, kind == L.NORMAL)
    if t.seirawan_gating:
        _gate(t, frame, us, move)
    walls = t.walling_rule and (not t.wall_or_move or origin == target)
    if walls and t.walling_rule == DUCK:  # a stone that this move makes stays
        take_walls(t, frame)
    if frame.captured != 0:
        _after_capture(t, frame, old.board[origin], target)
    if walls:
        put_wall(t, frame, square_of(move))
    if t.cambodian_moves:
        end_leap(t, frame, us, target)
