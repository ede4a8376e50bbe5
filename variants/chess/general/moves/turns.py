"""Castling and passing."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.definition.definition import MAX_TURN
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import any_of, both, pop, squares_of
from variants.chess.general.moves.moves import choice_of, move_code, origin_of, put_move, target_of


@kernel
def turn_length(t, frame, side):
    """Return how many moves a side's turn has that begins in the frame's move number."""
    if t.progressive:
        return min(2 * frame.number - 1 + side, MAX_TURN)
    return t.turn_moves[side]


@kernel
def turn_key(t, frame, side):
    """Return the part of the key for the length of a side's turn where turns grow."""
    return t.key_turn[turn_length(t, frame, side)] if t.progressive else 0


@kernel
def way_of(t, frame, us, origin, target):
    """Return the index of the way to castle that a side still has between two squares, or -1."""
    for i in range(t.ways[us]):
        way = t.way[us][i]
        if way.king == origin and way.king_to == target and frame.castling & way.right:
            return i
    return -1


@kernel
def gate_of(t, us, move):
    """Return the square onto which a move gates a piece."""
    square = origin_of(move)
    if choice_of(move) == L.AT_PARTNER:
        for i in range(t.ways[us]):
            way = t.way[us][i]
            if way.king == origin_of(move) and way.king_to == target_of(move):
                square = way.rook
    return square


@routine
def list_ways(T, S, f, us, out):
    """List castling moves whose right is left and whose way is free; return their number."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    n = 0
    for i in range(t.ways[us]):
        way = t.way[us][i]
        if not (frame.castling & way.right):
            continue
        if t.alice_boards:
            if frame.board[way.king_to ^ L.OTHER] != 0 or frame.board[way.rook_to ^ L.OTHER] != 0:
                continue
        if not any_of(both(squares_of(t, way.empty), squares_of(t, frame.occupied))):
            put_move(S, out + n, move_code(way.king, way.king_to, L.CASTLE, 0))
            n += 1
    return n


@routine
def list_passes(T, S, f, us, out):
    """List the pass if the side may pass; return the number of moves listed."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    square = frame.king[us]
    if square < 0 or t.wall_or_move:
        own = squares_of(t, frame.by_color[us])
        if not any_of(own):
            return 0
        square, own = pop(own)
    put_move(S, out, move_code(square, square, L.PASS, 0))
    return 1
