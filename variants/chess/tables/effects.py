"""What moves do besides: enclosed pieces flip, others are blasted, petrified, gated in; walls."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import ctz
from variants.chess.tables import layout as L
from variants.chess.tables.drops import enclosed, king_step, on_board
from variants.chess.tables.moves import choice_of, kind_of, origin_of, square_of, target_of
from variants.chess.tables.primitives import (
    capture,
    hold,
    leave_gate,
    put,
    put_wall,
    set_rights,
    take,
    take_walls,
)

_REVERSI, _ATAXX = 1, 2
DUCK = 2


@kernel
def _flip(t, frame, us, target, moved):
    """Recolour the enemies that a piece on ``target`` encloses or touches."""
    near = 0
    for i in range(8):
        square = target + king_step(i)
        if on_board(t, square):
            there = frame.board[square]
            if there != 0 and there != L.WALL and there >> 6 == us:
                near = 1
    for i in range(8):
        step = king_step(i)
        number = 0
        if t.flip_enclosed_pieces == _REVERSI:
            number = enclosed(t, frame, us, target, step, 0)
        elif t.flip_enclosed_pieces == _ATAXX or near != 0 or moved != 0:
            square = target + step
            if on_board(t, square):
                there = frame.board[square]
                if there != 0 and there != L.WALL and there >> 6 != us:
                    number = 1
        square = target
        for _ in range(number):
            square += step
            code = take(t, frame, square)
            put(t, frame, square, code ^ L.BLACK)


@kernel
def is_blasted(t, code, i):
    """Return 1 if a blast takes a piece on the ``i``th neighbour, or in the middle (8); else 0."""
    return 0 if t.blast_immune_types[code] or (i < 8 and not t.explodes[code]) else 1


@kernel
def _explode(t, frame, target):
    """Remove what a capture on a square blasts."""
    for i in range(9):
        square = target if i == 8 else target + king_step(i)
        if not on_board(t, square):
            continue
        there = frame.board[square]
        if there == 0 or there == L.WALL or not is_blasted(t, there, i):
            continue
        capture(t, frame, square)
        set_rights(t, frame, frame.castling & t.keep[square])
        leave_gate(t, frame, square)


@kernel
def _gate(t, frame, us, move):
    """Put the piece in hand that a move brings in on the square that was left."""
    choice, kind, square = choice_of(move), kind_of(move), square_of(move)
    if choice != 0 and kind in (L.NORMAL, L.CASTLE, L.EN_PASSANT):
        code = t.gate[us][choice - 1]
        hold(t, frame, code, -1)
        put(t, frame, square, code)
    if frame.held[us] == 0 and not t.captures_to_hand:
        for word in range(L.WORDS):
            left = frame.gates[word] & frame.by_color[us][word]
            while left != 0:
                leave_gate(t, frame, ctz(left) + 64 * word)
                left &= left - 1


@kernel
def _after_capture(t, frame, target):
    """Blast what is around a capture, and turn the capturing piece into a wall, by the rules."""
    petrifies = t.petrify_on_capture_types[frame.board[target]]
    if t.blast_on_capture:
        _explode(t, frame, target)
        if petrifies != 0 and frame.board[target] == 0:
            put_wall(t, frame, target)
    elif petrifies != 0:
        capture(t, frame, target)
        put_wall(t, frame, target)


@kernel
def apply_effects(t, frame, us, move):
    """Apply what a move does besides going to its target: flip, gate, blast, petrify, wall."""
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    if t.flip_enclosed_pieces and kind != L.PASS:
        _flip(t, frame, us, target, 1 if kind == L.NORMAL else 0)
    if t.seirawan_gating:
        _gate(t, frame, us, move)
    if frame.captured != 0:
        _after_capture(t, frame, target)
    if t.walling_rule and (not t.wall_or_move or origin == target):
        if t.walling_rule == DUCK:
            take_walls(t, frame)
        put_wall(t, frame, square_of(move))
