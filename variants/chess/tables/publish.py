"""Make a frame the current one: header, check flag, remaining checks, en passant squares."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, HEADER, MAX_MOVES
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import call3, ctz, load32
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import distance, is_attacked
from variants.chess.tables.legality import kind_of
from variants.chess.tables.makemove import toggle_en_passant
from variants.chess.tables.movegen import may_take_en_passant
from variants.chess.tables.royalty import pseudo_royals_checked


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
        if kind_of(move) == L.EN_PASSANT and (move >> 8) & 255 == square:
            return 1
    return 0


@routine
def _forget_void_en_passant(T, S, g):
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


@routine
def publish(T, S, g):
    """Make ``g`` the current frame, with all that follows from its board and its last move."""
    t = L.TABLES(T)
    header, frame = HEADER(S), L.FRAME(S, g)
    us = frame.side
    checked = 0
    if frame.king[us] >= 0:
        checked = is_attacked(T, S, g, frame.king[us], 1 - us)
    if t.check_counting and checked != 0 and frame.last != 0:
        left = frame.checks[1 - us]
        if left > 0:
            frame.key ^= t.key_checks[1 - us][left & 15] ^ t.key_checks[1 - us][(left - 1) & 15]
            frame.checks[1 - us] = left - 1
    if checked == 0 and t.extinction_pseudo_royal:
        checked = pseudo_royals_checked(T, S, g, us)
    frame.checked = checked
    header.frame = g
    header.side = us
    header.check = checked
    # marks of a turn that goes on are for the other side
    if may_take_en_passant(frame) and (not t.long_turns or frame.moves_left == t.turn_moves[us]):
        _forget_void_en_passant(T, S, g)
    header.key = frame.key
    return 0
