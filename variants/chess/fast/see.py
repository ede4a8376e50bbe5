"""Static exchange evaluation (SEE)."""

from __future__ import annotations

from ryugi_engine.kernel.bits import one
from ryugi_engine.kernel.jit import kernel
from variants.chess.fast import layout as L
from variants.chess.fast.attacks import diag_attacks, ortho_attacks, rider_attacks
from variants.chess.fast.makemove import kind_of, origin_of, target_of


@kernel
def _attackers(t, frame, to, occupied):
    """Return the pieces of both sides, among the occupied squares, that attack ``to``."""
    attackers = frame.by_type[L.ORTHO] & ortho_attacks(t, to, occupied)
    attackers |= frame.by_type[L.DIAG] & diag_attacks(t, to, occupied)
    riders = frame.by_type[L.RIDER]
    if riders:
        attackers |= riders & rider_attacks(t, to, occupied)
    attackers |= frame.by_type[L.KING] & t.rays[to].king
    for colour in range(2):
        # White's pawns stand where a black pawn on the square would capture, and vice versa
        attackers |= frame.by_type[L.PAWN] & frame.by_color[colour] & t.pawn_attacks[1 - colour][to]
    for group in range(t.leaper_sets):
        attackers |= frame.by_type[L.LEAPER + group] & t.leaps[group][to]
    return attackers & occupied


@kernel
def _cheapest(t, mailbox, pieces):
    """Return the square of the least valuable piece, the king last; not for the empty set."""
    best = -1
    best_value = 1 << 40
    while pieces:
        square, pieces = pieces.pop()
        piece = mailbox[square]
        value = t.value[piece]
        if (piece & 15) == L.KING_TYPE:
            value = 1 << 30
        if value < best_value:
            best_value = value
            best = square
    return best


@kernel
def exchange_at_least(S, T, f, move, threshold):
    """Return whether the exchange that a move begins wins at least ``threshold`` centipawns.

    Pins are ignored. Castling counts as 0, promotions and en passant as more than any threshold.
    """
    if kind_of(move) > L.DOUBLE:
        return threshold <= 0 or kind_of(move) != L.CASTLE
    t = L.TABLES(T)
    mailbox = L.STATE(S).mailbox
    frame = L.FRAME(S, f)
    origin = origin_of(move)
    to = target_of(move)
    balance = t.value[mailbox[to]] - threshold
    if balance < 0:
        return False
    piece = mailbox[origin]
    balance -= t.value[piece]
    if balance >= 0:
        return True
    occupied = (frame.by_color[0] | frame.by_color[1]) & ~one(origin)
    mover = piece >> 4
    side = 1 - mover
    while True:
        attackers = _attackers(t, frame, to, occupied)
        own = attackers & frame.by_color[side]
        if not own:
            break
        square = _cheapest(t, mailbox, own)
        taker = mailbox[square]
        # a king captures only what nothing defends any more
        if (taker & 15) == L.KING_TYPE and attackers & frame.by_color[1 - side]:
            break
        occupied &= ~one(square)
        balance = -balance - 1 - t.value[taker]
        side = 1 - side
        if balance >= 0:
            break
    # the side that would have to capture next and cannot, or need not, has lost the exchange
    return side != mover
