"""Moves with the walls that may follow them."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load32
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import add, any_of, has, pop, remove, show, size, squares_of
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

ARROW, DUCK, EDGE, PAST = 1, 2, 3, 4


@kernel
def show_walls(frame, walls, code):
    """Take all walls from the board for a look, with the code 0, or put them back, with WALL."""
    while any_of(walls):
        square, walls = pop(walls)
        show(frame, square, code)


@kernel
def _shoot(t, frame, m, start, victim, words):
    """Add the squares that a quiet move reaches from a square: empty ones, and ``victim``."""
    room = min(m.steps, t.room[start][m.direction])
    if m.form in (L.LAME, L.JUMP) and room != 0 and not has_lines_open(frame, m, start):
        return 0
    hurdles = 1 if m.form in (L.HOP, L.GRASSHOPPER) else 0
    square = start
    for _ in range(room):
        square += m.delta
        if frame.board[square] == 0 or square == victim:
            if hurdles == 0:
                add(words, square)
        if frame.board[square] != 0:
            if hurdles == 0:
                return 0
            hurdles -= 1
        elif hurdles == 0 and m.form == L.GRASSHOPPER:
            return 0
    return 0


@kernel
def _arrows(t, frame, code, origin, start, victim, words):
    """Write what a piece reaches from ``start`` by quiet moves that it always has; its origin is
    empty."""
    for word in range(t.words):
        words[word] = 0
    moved = frame.board[origin]
    frame.board[origin] = 0
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.flags & L.SHOOTS:
            _shoot(t, frame, m, start, victim, words)
    frame.board[origin] = moved


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
    """Write the squares on which a wall may follow a move into the state's scratch."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    words = L.STATE(S).scratch.walls
    origin, target, kind = origin_of(move), target_of(move), kind_of(move)
    moves = kind != L.DROP and origin != target
    for word in range(t.words):
        words[word] = t.squares[word] & ~frame.occupied[word]
    way = t.way[us][way_of(t, frame, us, origin, target) if kind == L.CASTLE else 0]
    if t.walling_rule == ARROW:
        # as in Fairy-Stockfish, the arrow of castling begins where the partner stood
        start = way.rook if kind == L.CASTLE else target
        victim = victim_of(frame, move) if kind == L.EN_PASSANT else -1
        left = origin if moves else start
        _arrows(t, frame, moved_code(frame, us, move), left, start, victim, words)
    else:
        if moves:
            add(words, origin)
        if kind == L.EN_PASSANT:
            add(words, victim_of(frame, move))
        elif kind == L.CASTLE:
            add(words, way.rook)
    if kind == L.CASTLE:
        remove(words, way.rook_to)
    remove(words, target)
    for word in range(t.words):
        words[word] &= t.walling_region[us][word]
    if t.walling_rule == PAST:
        stays = moves and has(words, origin)
        for word in range(t.words):
            words[word] = 0
        if stays:
            add(words, origin)
    elif t.walling_rule == EDGE:
        left = squares_of(t, words)
        while any_of(left):
            square, left = pop(left)
            if not _at_edge(t, frame, square):
                remove(words, square)
    return 0


@routine
def list_walls(T, S, f, us, move, out):
    """List a move with every wall that may follow it from ``out`` on; return the number."""
    t = L.TABLES(T)
    words = L.STATE(S).scratch.walls
    if t.wall_or_move and origin_of(move) != target_of(move):
        put_move(S, out, move)
        return 1
    _wall_squares(T, S, f, us, move)
    count = 0
    left = squares_of(t, words)
    while any_of(left):
        square, left = pop(left)
        put_move(S, out + count, move | square << 23)
        count += 1
    return count


@routine
def count_walls(T, S, f, us, first, n):
    """Return the number of moves with walls that ``n`` listed moves from ``first`` on become."""
    t = L.TABLES(T)
    words = L.STATE(S).scratch.walls
    count = 0
    for i in range(n):
        move = load32(S, first + i)
        if t.wall_or_move and origin_of(move) != target_of(move):
            count += 1
            continue
        _wall_squares(T, S, f, us, move)
        count += size(squares_of(t, words))
    return count
