"""Castling and passing."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz
from variants.chess.tables import layout as L
from variants.chess.tables.moves import put_move


@kernel
def way_of(t, frame, us, origin, target):
    """Return the index of the way to castle that a side still has between two squares, or -1."""
    for i in range(t.ways[us]):
        way = t.way[us][i]
        if way.king == origin and way.king_to == target and frame.castling & way.right:
            return i
    return -1


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
        pieces = 0
        for word in range(t.words):
            pieces |= way.empty[word] & frame.occupied[word]
        if pieces == 0:
            put_move(S, out + n, way.king | way.king_to << 8 | L.CASTLE << 16)
            n += 1
    return n


@routine
def list_passes(T, S, f, us, out):
    """List the pass if the side may pass; return the number of moves listed."""
    frame = L.FRAME(S, f)
    square = frame.king[us]
    if L.TABLES(T).wall_or_move != 0:
        square = -1
    if square < 0:
        for word in range(L.WORDS):
            if square < 0 and frame.by_color[us][word] != 0:
                square = ctz(frame.by_color[us][word]) + 64 * word
    if square < 0:
        return 0
    put_move(S, out, square | square << 8 | L.PASS << 16)
    return 1
