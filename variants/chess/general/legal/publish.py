"""Make a frame the current one: header, check flag, remaining checks, en passant squares."""

from __future__ import annotations

from ryugi_engine.kernel.abi import COMPELLED, HEADER, IN_CHECK
from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.legal.royalty import pseudo_royals_checked
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.primitives import search_key
from variants.chess.general.memory.sets import any_of, pop, squares_of
from variants.chess.general.moves.attacks import is_attacked
from variants.chess.general.moves.en_passant import forget_void_en_passant
from variants.chess.general.moves.movegen import may_take_en_passant
from variants.chess.general.moves.turns import turn_length


@kernel
def _has_capture(T, S, g, us):
    """Return whether a piece of the enemy is attacked; en passant is left out."""
    left = squares_of(L.TABLES(T), L.FRAME(S, g).by_color[1 - us])
    while any_of(left):
        square, left = pop(left)
        if is_attacked(T, S, g, square, us):
            return True
    return False


@routine
def publish(T, S, g):
    """Make ``g`` the current frame, with all that follows from its board and its last move."""
    t = L.TABLES(T)
    header, frame = HEADER(S), L.FRAME(S, g)
    us = frame.side
    checked = False
    if frame.king[us] >= 0:
        checked = is_attacked(T, S, g, frame.king[us], 1 - us)
    if t.check_counting and checked and frame.last != 0:
        left = frame.checks[1 - us]
        if left > 0:
            frame.key ^= t.key_checks[1 - us][left & 15] ^ t.key_checks[1 - us][(left - 1) & 15]
            frame.checks[1 - us] = left - 1
    if not checked and t.extinction_pseudo_royal:
        checked = pseudo_royals_checked(T, S, g, us)
    frame.checked = 1 if checked else 0
    frame.pressed = 0
    if checked:
        frame.pressed = IN_CHECK
    elif t.must_capture and _has_capture(T, S, g, us):
        frame.pressed = COMPELLED
    header.frame = g
    header.side = us
    header.check = frame.pressed
    # marks of a turn that goes on are for the other side
    first = not t.long_turns or frame.moves_left == turn_length(t, frame, us)
    if may_take_en_passant(t, frame) and first:
        forget_void_en_passant(T, S, g)
    header.key = search_key(t, frame)
    return 0
