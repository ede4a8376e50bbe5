"""En passant: squares are marked after a move, kept for a turn, forgotten where they are void."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, HEADER, MAX_MOVES
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import call3, load32
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    add,
    any_of,
    either,
    has,
    keep,
    no_squares,
    pop,
    remove,
    squares_of,
)
from variants.chess.general.moves.attacks import distance
from variants.chess.general.moves.drops import on_board
from variants.chess.general.moves.moves import kind_of, target_of
from variants.chess.general.moves.turns import turn_length


@kernel
def en_passant_squares(t, frame):
    """Return the squares on which a piece can be taken en passant."""
    return either(squares_of(t, frame.en_passant), squares_of(t, frame.older))


@kernel
def toggle_en_passant(t, frame):
    """XOR the en passant squares into the key: once to add them, again to remove them."""
    left = en_passant_squares(t, frame)
    while any_of(left):
        square, left = pop(left)
        frame.key ^= t.key_en_passant[square]


@kernel
def forget_en_passant(t, frame, us, origin, target):
    """Forget where en passant was possible; keep the squares of earlier moves of the same turn.

    A piece that moves on has none any more, and none is where a piece comes to.
    """
    toggle_en_passant(t, frame)
    own = t.long_turns and frame.moves_left < turn_length(t, frame, us)
    if own and t.many_marks:
        keep(frame.older, either(squares_of(t, frame.older), squares_of(t, frame.en_passant)))
        frame.older_victim = -1
        remove(frame.older, target)
        step = -16 if us == 0 else 16
        square = origin + step
        # those of a piece that has gone two squares, or three
        while on_board(t, square) and has(frame.older, square):
            remove(frame.older, square)
            square += step
    elif own and frame.victim != origin:
        frame.older_victim = frame.victim
        keep(frame.older, squares_of(t, frame.en_passant))
        remove(frame.older, target)
    else:
        keep(frame.older, no_squares())
    keep(frame.en_passant, no_squares())


@kernel
def _reaches_quietly(t, code, origin, target):
    """Return whether a quiet move that the piece always has goes from a square to another."""
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.flags & L.QUIET and not (m.flags & L.MARKS_EN_PASSANT) and m.form != L.CHAIN:
            square = origin
            for _ in range(min(m.steps, t.room[origin][m.direction])):
                square += m.delta
                if square == target:
                    return True
    return False


@kernel
def _mark(t, frame, us, code, origin, target):
    """Mark the squares that a piece has passed by a move after which it can be taken there."""
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if not (m.flags & L.MARKS_EN_PASSANT):
            continue
        if m.from_zone != 0 and not has(t.zones[m.from_zone], origin):
            continue
        if m.form == L.LAME:
            if origin + m.delta != target:
                continue
            for i in range(2):
                if m.path[i] != 0 and has(t.en_passant_region[1 - us], origin + m.path[i]):
                    add(frame.en_passant, origin + m.path[i])
                    frame.victim = target
        elif m.form == L.SLIDE:
            square = origin
            for step in range(1, m.steps + 1):
                square += m.delta
                if square == target and step > 1:
                    frame.victim = target
                    back = target - m.delta
                    while back != origin:
                        if has(t.en_passant_region[1 - us], back):
                            add(frame.en_passant, back)
                        back -= m.delta


@kernel
def mark_en_passant(t, frame, us, code, origin, target):
    """Mark where the piece that has just moved can be taken: nowhere if it need not pass there."""
    if not _reaches_quietly(t, code, origin, target):
        _mark(t, frame, us, code, origin, target)


@kernel
def list_aside(S):
    """List the current position's legal moves at LISTS_ASIDE; return their number."""
    return call3(HEADER(S).generate, S, ALL, L.LISTS_ASIDE)


@kernel
def _may_capture(t, frame, us, square):
    """Return whether a piece that takes en passant may reach a square."""
    left = squares_of(t, frame.by_color[us])
    while any_of(left):
        origin, left = pop(left)
        code = frame.board[origin]
        if t.takes_en_passant[code] and t.reach[code][distance(origin, square)]:
            return True
    return False


@kernel
def _is_captured_on(S, square, n):
    """Return whether one of ``n`` moves listed aside captures en passant on a square."""
    if n > MAX_MOVES:
        return True  # nothing is known of them
    for i in range(n):
        move = load32(S, L.LISTS_ASIDE + i)
        if kind_of(move) == L.EN_PASSANT and target_of(move) == square:
            return True
    return False


@routine
def forget_void_en_passant(T, S, g):
    """Forget the squares on which no legal move captures en passant.

    Otherwise two positions with the same moves would have different keys and texts.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, g)
    toggle_en_passant(t, frame)
    n = -1
    left = en_passant_squares(t, frame)
    while any_of(left):
        square, left = pop(left)
        kept = _may_capture(t, frame, frame.side, square)
        if kept:
            if n < 0:
                n = list_aside(S)
            kept = _is_captured_on(S, square, n)
        if not kept:
            remove(frame.en_passant, square)
            remove(frame.older, square)
    toggle_en_passant(t, frame)
    return 0
