"""Moves with the walls that may follow them."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load32
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    either,
    no_squares,
    one,
    pop,
    show,
    size,
    squares_of,
    without,
)
from variants.chess.general.moves.movegen import has_lines_open
from variants.chess.general.moves.moves import (
    kind_of,
    moved_code,
    origin_of,
    put_move,
    target_of,
    victim_of,
)
from variants.chess.general.moves.turns import way_of

ARROW, DUCK, EDGE, PAST, STATIC = 1, 2, 3, 4, 5


@kernel
def show_walls(frame, walls, code):
    """Take all walls from the board for a look, with the code 0, or put them back, with WALL."""
    while any_of(walls):
        square, walls = pop(walls)
        show(frame, square, code)


@kernel
def _shot(t, frame, m, start, victim):
    """Return the squares that a quiet move reaches from a square: empty ones, and ``victim``."""
    found = no_squares()
    room = min(m.steps, t.room[start][m.direction])
    if m.form in (L.LAME, L.JUMP) and room != 0 and not has_lines_open(frame, m, start):
        return found
    hurdles = 1 if m.form in (L.HOP, L.GRASSHOPPER) else 0
    square = start
    for _ in range(room):
        square += m.delta
        if frame.board[square] == 0 or square == victim:
            if hurdles == 0:
                found = either(found, one(square))
        if frame.board[square] != 0:
            if hurdles == 0:
                break
            hurdles -= 1
        elif hurdles == 0 and m.form == L.GRASSHOPPER:
            break
    return found


@kernel
def _arrows(t, frame, code, origin, start, victim):
    """Return what a piece reaches from ``start`` by quiet moves that it always has; its origin is
    empty."""
    found = no_squares()
    moved = frame.board[origin]
    frame.board[origin] = 0
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.flags & L.SHOOTS:
            found = either(found, _shot(t, frame, m, start, victim))
    frame.board[origin] = moved
    return found


@kernel
def _at_edge(t, frame, square):
    """Return whether a square is at the edge or next to a wall."""
    file, rank = square & 15, square >> 4
    if file in (0, t.files - 1) or rank in (0, t.ranks - 1):
        return True
    walls = 0
    for i in range(4):
        walls += 1 if frame.board[square + (1, -1, 16, -16)[i]] == L.WALL else 0
    return walls != 0


@routine
def _wall_squares(T, S, f, us, move):
    """Return the squares on which a wall may follow a move."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    moves = kind != L.DROP and origin != target
    found = without(squares_of(t, t.squares), squares_of(t, frame.occupied))
    way = t.way[us][way_of(t, frame, us, origin, target) if kind == L.CASTLE else 0]
    if t.walling_rule == ARROW:
        # as in Fairy-Stockfish, the arrow of castling begins where the partner stood
        start = way.rook if kind == L.CASTLE else target
        victim = victim_of(frame, move) if kind == L.EN_PASSANT else -1
        left = origin if moves else start
        found = _arrows(t, frame, moved_code(frame, us, move), left, start, victim)
    else:
        if moves:
            found = either(found, one(origin))
        if kind == L.EN_PASSANT:
            found = either(found, one(victim_of(frame, move)))
        elif kind == L.CASTLE:
            found = either(found, one(way.rook))
    if kind == L.CASTLE:
        found = without(found, one(way.rook_to))
    found = both(without(found, one(target)), squares_of(t, t.walling_region[us]))
    if t.walling_rule == PAST:
        found = both(found, one(origin)) if moves else no_squares()
    elif t.walling_rule == EDGE:
        squares = found
        while any_of(squares):
            square, squares = pop(squares)
            if not _at_edge(t, frame, square):
                found = without(found, one(square))
    return found


@routine
def list_walls(T, S, f, us, move, out):
    """List a move with every wall that may follow it from ``out`` on; return the number."""
    t = L.TABLES(T)
    if t.wall_or_move and origin_of(move) != target_of(move):
        put_move(S, out, move)
        return 1
    count = 0
    left = _wall_squares(T, S, f, us, move)
    while any_of(left):
        square, left = pop(left)
        put_move(S, out + count, move | square << 23)
        count += 1
    return count


@routine
def count_walls(T, S, f, us, first, n):
    """Return the number of moves with walls that ``n`` listed moves from ``first`` on become."""
    t = L.TABLES(T)
    count = 0
    for i in range(n):
        move = load32(S, first + i)
        if t.wall_or_move and origin_of(move) != target_of(move):
            count += 1
            continue
        count += size(_wall_squares(T, S, f, us, move))
    return count
