"""En passant: squares are marked after a move, kept for a turn, forgotten where they are void."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, HEADER, MAX_MOVES
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import call3, ctz, load32, select
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import distance
from variants.chess.tables.moves import kind_of, target_of
from variants.chess.tables.sets import has


@kernel
def toggle_en_passant(t, frame):
    """XOR the en passant squares into the key: once to add them, again to remove them."""
    for word in range(L.WORDS):
        left = frame.en_passant[word] | frame.older[word]
        while left != 0:
            frame.key ^= t.key_en_passant[ctz(left) + 64 * word]
            left &= left - 1


@kernel
def forget_en_passant(t, frame, us):
    """Forget where en passant was possible; keep an earlier move's squares in the same turn."""
    toggle_en_passant(t, frame)
    own = 0
    if t.long_turns and frame.moves_left < t.turn_moves[us]:
        own = 1
        frame.older_victim = frame.victim
    for word in range(L.WORDS):
        frame.older[word] = select(own != 0, frame.en_passant[word], 0)
        frame.en_passant[word] = 0


@kernel
def _reaches_quietly(t, code, origin, target):
    """Return 1 if a quiet move that the piece always has goes from a square to another, else 0."""
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if m.flags & L.QUIET and not (m.flags & L.MARKS_EN_PASSANT) and m.form != L.CHAIN:
            square = origin
            for _ in range(min(m.steps, t.room[origin][m.direction])):
                square += m.delta
                if square == target:
                    return 1
    return 0


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
                    square = origin + m.path[i]
                    frame.en_passant[square >> 6] |= 1 << (square & 63)
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
                            frame.en_passant[back >> 6] |= 1 << (back & 63)
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
    """Return 1 if a piece that takes en passant may reach a square, 0 if none surely does."""
    for word in range(t.words):
        left = frame.by_color[us][word]
        while left != 0:
            origin = ctz(left) + 64 * word
            left &= left - 1
            code = frame.board[origin]
            if t.takes_en_passant[code] and t.reach[code][distance(origin, square)]:
                return 1
    return 0


@kernel
def _is_captured_on(S, square, n):
    """Return 1 if one of ``n`` moves listed aside captures en passant on a square, else 0."""
    if n > MAX_MOVES:
        return 1  # nothing is known of them
    for i in range(n):
        move = load32(S, L.LISTS_ASIDE + i)
        if kind_of(move) == L.EN_PASSANT and target_of(move) == square:
            return 1
    return 0


@routine
def forget_void_en_passant(T, S, g):
    """Forget the squares on which no legal move captures en passant.

    Otherwise two positions with the same moves would have different keys and texts.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, g)
    toggle_en_passant(t, frame)
    n = -1
    for word in range(L.WORDS):
        left = frame.en_passant[word] | frame.older[word]
        while left != 0:
            square = ctz(left) + 64 * word
            left &= left - 1
            kept = _may_capture(t, frame, frame.side, square)
            if kept != 0:
                if n < 0:
                    n = list_aside(S)
                kept = _is_captured_on(S, square, n)
            if kept == 0:
                frame.en_passant[word] &= ~(1 << (square & 63))
                frame.older[word] &= ~(1 << (square & 63))
    toggle_en_passant(t, frame)
    return 0
