"""First moves of Cambodian chess: the king leaps as a knight, the ferz two squares ahead."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.primitives import leave_gate
from variants.chess.general.memory.sets import any_of, both, pop, squares_of
from variants.chess.general.moves.drops import on_board
from variants.chess.general.moves.moves import move_code, put_move


@kernel
def _leap(t, S, frame, origin, target, out):
    """List a leap to an empty square; return the number of moves listed."""
    aside = abs((target & 15) - (origin & 15))
    if not on_board(t, target) or frame.board[target] != 0 or aside > 2:
        return 0
    put_move(S, out, move_code(origin, target, L.NORMAL, 0))
    return 1


@routine
def list_first_leaps(T, S, f, us, out):
    """List the leaps of king and ferz that have not moved; call ``note_pins`` before."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    ahead = 16 if us == 0 else -16
    n = 0
    left = both(squares_of(t, frame.gates), squares_of(t, frame.by_color[us]))
    while any_of(left):
        origin, left = pop(left)
        part = t.cambodian[frame.board[origin]]
        if part == L.LEAPS_AHEAD:
            n += _leap(t, S, frame, origin, origin + 2 * ahead, out + n)
        elif part == L.LEAPS_ASIDE and not L.STATE(S).scratch.pins[0].checked:
            n += _leap(t, S, frame, origin, origin + ahead - 2, out + n)
            n += _leap(t, S, frame, origin, origin + ahead + 2, out + n)
    return n


@kernel
def end_leap(t, frame, us, target):
    """End the right of the enemy's king to leap if a rook has come to its file or rank."""
    king = frame.king[1 - us]
    if king >= 0 and t.cambodian[frame.board[target]] == L.ENDS_LEAP:
        if (king & 15) == (target & 15) or king >> 4 == target >> 4:
            leave_gate(t, frame, king)
