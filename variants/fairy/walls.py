"""Moves with the walls that may be placed after them."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, load32, popcount
from variants.fairy import layout as L
from variants.fairy.legality import kind_of, moved_code, victim_of
from variants.fairy.lists import put_move
from variants.fairy.sets import add, has

_ARROW, _DUCK, _EDGE, _PAST = 1, 2, 3, 4


@kernel
def _remove(words, square):
    words[square >> 6] &= ~(1 << (square & 63))


@kernel
def _arrows(t, frame, code, origin, target, words):
    """Write the empty squares that a piece on ``target`` reaches, its origin being empty."""
    for word in range(t.words):
        words[word] = 0
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.form == L.CHAIN:
            continue
        square = target
        for _ in range(min(m.steps, t.room[m.direction][target])):
            square += m.delta
            if frame.board[square] != 0 and square != origin:
                break
            add(words, square)


@kernel
def _at_edge(t, frame, square):
    """Return 1 if a square lies at the edge or beside a wall, else 0."""
    file, rank = square & 15, square >> 4
    if file in (0, t.files - 1) or rank in (0, t.ranks - 1):
        return 1
    for i in range(4):
        if frame.board[square + (1, -1, 16, -16)[i]] == L.WALL:
            return 1
    return 0


@kernel
def _way_of(t, us, move):
    """Return the index of the way to castle of a move."""
    found = 0
    for i in range(t.ways[us]):
        way = t.way[us][i]
        if way.king == move & 255 and way.king_to == (move >> 8) & 255:
            found = i
    return found


@routine
def _wall_squares(T, S, f, us, move):
    """Write the squares on which a wall may follow a move into the state's scratch."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    words = L.STATE(S).scratch.walls
    origin, target, kind = move & 255, (move >> 8) & 255, kind_of(move)
    moves = kind != L.DROP and origin != target
    for word in range(t.words):
        words[word] = t.squares[word] & ~frame.occupied[word]
    if t.walling == _ARROW:
        _arrows(t, frame, moved_code(frame, us, move), origin if moves else -1, target, words)
    elif moves:
        add(words, origin)
    if kind == L.EN_PASSANT:
        add(words, victim_of(frame, move))
    elif kind == L.CASTLE:
        way = t.way[us][_way_of(t, us, move)]
        add(words, way.rook)
        _remove(words, way.rook_to)
    _remove(words, target)
    for word in range(t.words):
        words[word] &= t.walling_zone[us][word]
    if t.walling == _PAST:
        stays = moves and has(words, origin) != 0
        for word in range(t.words):
            words[word] = 0
        if stays:
            add(words, origin)
    elif t.walling == _EDGE:
        for word in range(t.words):
            left = words[word]
            while left != 0:
                square = ctz(left) + 64 * word
                left &= left - 1
                if _at_edge(t, frame, square) == 0:
                    _remove(words, square)
    return 0


@routine
def list_walls(T, S, f, us, move, out):
    """List a move with every wall that may follow it from ``out`` on; return the number."""
    t = L.TABLES(T)
    words = L.STATE(S).scratch.walls
    if t.wall_or_move != 0 and move & 255 != (move >> 8) & 255:
        put_move(S, out, move)
        return 1
    _wall_squares(T, S, f, us, move)
    count = 0
    for word in range(t.words):
        left = words[word]
        while left != 0:
            square = ctz(left) + 64 * word
            left &= left - 1
            put_move(S, out + count, move | square << 23)
            count += 1
    return count


@routine
def count_walls(T, S, f, us, first, n):
    """Return how many moves with walls ``n`` moves from ``first`` on have."""
    t = L.TABLES(T)
    words = L.STATE(S).scratch.walls
    count = 0
    for i in range(n):
        move = load32(S, first + i)
        if t.wall_or_move != 0 and move & 255 != (move >> 8) & 255:
            count += 1
            continue
        _wall_squares(T, S, f, us, move)
        for word in range(t.words):
            count += popcount(words[word])
    return count
