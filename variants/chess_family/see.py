"""Static exchange evaluation on one square."""

from __future__ import annotations

from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, load8, load64
from variants.chess_family import layout as L
from variants.chess_family.attacks import (
    diag_attacks,
    leaps,
    ortho_attacks,
    pop_square,
    rider_attacks,
    square_bits,
)

_MAIL = L.MAILBOX * 8
_KING = 2


@kernel
def _attackers(S, T, f, to, lo, hi):
    """Pieces of both sides, among the occupied squares (lo, hi), that attack ``to``."""
    rays = L.T_KING_RAYS + 8 * to
    x_lo = load64(S, f + L.ORTHO)
    x_hi = load64(S, f + L.HALF + L.ORTHO)
    a, b = ortho_attacks(T, to, lo, hi)
    out_lo = x_lo & a
    out_hi = x_hi & b
    a, b = diag_attacks(T, to, lo, hi)
    out_lo |= load64(S, f + L.DIAG) & a
    out_hi |= load64(S, f + L.HALF + L.DIAG) & b
    x_lo = load64(S, f + L.RIDER)
    x_hi = load64(S, f + L.HALF + L.RIDER)
    if (x_lo | x_hi) != 0:
        a, b = rider_attacks(T, to, lo, hi)
        out_lo |= x_lo & a
        out_hi |= x_hi & b
    out_lo |= load64(S, f + L.KING) & const64(T, rays + 6)
    out_hi |= load64(S, f + L.HALF + L.KING) & const64(T, rays + 7)
    for colour in range(2):
        # White's pawns stand where a black pawn on the square would capture, and vice versa
        at = L.T_PAWN_ATTACKS + 256 * (1 - colour) + 2 * to
        w = f + L.OCCUPIED + colour
        out_lo |= load64(S, f + L.PAWN) & load64(S, w) & const64(T, at)
        out_hi |= load64(S, f + L.HALF + L.PAWN) & load64(S, w + L.HALF) & const64(T, at + 1)
    for g in range(const64(T, L.T_LEAPER_SETS)):
        a, b = leaps(T, g, to)
        out_lo |= load64(S, f + L.LEAPER + g) & a
        out_hi |= load64(S, f + L.HALF + L.LEAPER + g) & b
    return out_lo & lo, out_hi & hi


@kernel
def _cheapest(S, T, lo, hi):
    """Square of the least valuable piece of a set that is not empty; the king comes last."""
    best = -1
    best_value = 1 << 40
    while (lo | hi) != 0:
        square, lo, hi = pop_square(lo, hi)
        piece = load8(S, _MAIL + square)
        value = const64(T, L.T_VALUE + piece)
        if (piece & 15) == _KING:
            value = 1 << 30
        if value < best_value:
            best_value = value
            best = square
    return best


@kernel
def exchange_at_least(S, T, f, move, threshold):
    """Whether the exchange that a move begins wins at least ``threshold`` centipawns.

    Pins are not looked at. Promotions, castling and en passant count as even.
    """
    kind = (move >> 14) & 7
    if kind > L.DOUBLE:
        return threshold <= 0
    origin = move & 127
    to = (move >> 7) & 127
    balance = const64(T, L.T_VALUE + load8(S, _MAIL + to)) - threshold
    if balance < 0:
        return False
    piece = load8(S, _MAIL + origin)
    balance -= const64(T, L.T_VALUE + piece)
    if balance >= 0:
        return True
    a, b = square_bits(origin)
    lo = (load64(S, f + L.OCCUPIED) | load64(S, f + L.OCCUPIED + 1)) & ~a
    hi = (load64(S, f + L.HALF + L.OCCUPIED) | load64(S, f + L.HALF + L.OCCUPIED + 1)) & ~b
    side = 1 - (piece >> 4)
    mover = piece >> 4
    while True:
        att_lo, att_hi = _attackers(S, T, f, to, lo, hi)
        own_lo = att_lo & load64(S, f + L.OCCUPIED + side)
        own_hi = att_hi & load64(S, f + L.HALF + L.OCCUPIED + side)
        if (own_lo | own_hi) == 0:
            break
        square = _cheapest(S, T, own_lo, own_hi)
        taker = load8(S, _MAIL + square)
        a, b = square_bits(square)
        if (taker & 15) == _KING:
            # a king captures only what nothing defends any more
            x = att_lo & load64(S, f + L.OCCUPIED + 1 - side) & lo
            y = att_hi & load64(S, f + L.HALF + L.OCCUPIED + 1 - side) & hi
            if (x | y) != 0:
                break
        lo &= ~a
        hi &= ~b
        balance = -balance - 1 - const64(T, L.T_VALUE + taker)
        side = 1 - side
        if balance >= 0:
            break
    # the side that would have to capture next and cannot, or need not, has lost the exchange
    return side != mover
