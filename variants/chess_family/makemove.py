"""Making and taking back moves.

Frames are copied forward: making writes the next frame from the current one in a few vector
instructions, so that taking back is only the mailbox's affair. ``track`` 0 leaves out what
perft does not need: keys, clocks and evaluation terms.
"""

from __future__ import annotations

from ryugi_engine.abi import H_CHECK, H_FRAME, H_KEY, H_SIDE
from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, load8, load64, merge12, store8, store64
from variants.chess_family import layout as L
from variants.chess_family.attacks import component, pop_square, square_bits
from variants.chess_family.movegen import in_check
from variants.chess_family.special import en_passant_is_safe

_MAIL = L.MAILBOX * 8


@kernel
def _can_capture_en_passant(S, T, f, us, target, exact):
    """Whether a pawn of ``us`` stands ready to capture on ``target``; ``exact``: and may."""
    own_lo = load64(S, f + L.OCCUPIED + us)
    own_hi = load64(S, f + L.HALF + L.OCCUPIED + us)
    p_lo, p_hi = component(S, f, L.PAWN, own_lo, own_hi)
    at = L.T_PAWN_ATTACKS + 256 * (1 - us) + 2 * target
    p_lo &= const64(T, at)
    p_hi &= const64(T, at + 1)
    if (p_lo | p_hi) == 0:
        return False
    if exact == 0:
        return True
    them_lo = load64(S, f + L.OCCUPIED + 1 - us)
    them_hi = load64(S, f + L.HALF + L.OCCUPIED + 1 - us)
    king = load64(S, f + L.KING_SQUARE + us)
    lo = own_lo | them_lo
    hi = own_hi | them_hi
    while (p_lo | p_hi) != 0:
        origin, p_lo, p_hi = pop_square(p_lo, p_hi)
        if en_passant_is_safe(S, T, f, us, king, origin, target, them_lo, them_hi, lo, hi):
            return True
    return False


@kernel
def make(S, T, f, move, us, track, mail):
    """Write the frame after ``f``; with ``mail`` 1 the mailbox and the undo words as well.

    ``mail`` 0 is for positions that are only counted and then forgotten.
    """
    g = f + L.FRAME
    origin = move & 127
    to = (move >> 7) & 127
    kind = (move >> 14) & 7
    piece = load8(S, _MAIL + origin)
    placed = piece
    keep_lo, keep_hi = square_bits(origin)
    to_lo, to_hi = square_bits(to)
    captured = 0
    if track != 0 or mail != 0:
        captured = load8(S, _MAIL + to)
    target = -1
    rook = 0
    rook_from = 0
    rook_to = 0
    if kind != L.NORMAL:
        if kind == L.PROMOTION:
            placed = 16 * us + (move >> 17)
        elif kind == L.EN_PASSANT_CAPTURE:
            a, b = square_bits(to - 16 + 32 * us)
            keep_lo |= a
            keep_hi |= b
            captured = 17 - 16 * us
        elif kind == L.CASTLE:
            e = L.T_CASTLE_ENTRIES + (8 * us + (move >> 17)) * L.CASTLE_WORDS
            rook_from = const64(T, e + L.CASTLE_ROOK)
            rook_to = const64(T, e + L.CASTLE_ROOK_TO)
            rook = load8(S, _MAIL + rook_from)
            a, b = square_bits(rook_from)
            keep_lo |= a
            keep_hi |= b
            captured = 0  # the king may arrive where the rook stood
        else:
            target = (origin + to) >> 1
    row = L.T_MEMBERSHIP + placed * L.BOARDS
    merge12(S, g, f, T, row, ~(keep_lo | to_lo), to_lo)
    merge12(S, g + L.HALF, f + L.HALF, T, row, ~(keep_hi | to_hi), to_hi)
    if kind == L.CASTLE:
        a, b = square_bits(rook_to)
        row = L.T_MEMBERSHIP + rook * L.BOARDS
        merge12(S, g, g, T, row, -1, a)
        merge12(S, g + L.HALF, g + L.HALF, T, row, -1, b)
    mover_king = load64(S, f + L.KING_SQUARE + us)
    if origin == mover_king:
        mover_king = to
    store64(S, g + L.KING_SQUARE + us, mover_king)
    store64(S, g + L.KING_SQUARE + 1 - us, load64(S, f + L.KING_SQUARE + 1 - us))
    old_rights = load64(S, f + L.CASTLING)
    rights = old_rights & const64(T, L.T_KEEP_RIGHTS + origin) & const64(T, L.T_KEEP_RIGHTS + to)
    store64(S, g + L.CASTLING, rights)
    if target >= 0 and not _can_capture_en_passant(S, T, g, 1 - us, target, track):
        target = -1
    store64(S, g + L.EN_PASSANT, target)
    if mail != 0:
        store64(S, g + L.MOVED, piece)
        store64(S, g + L.CAPTURED, captured)
        store64(S, g + L.MOVE, move)
        store8(S, _MAIL + origin, 0)
        if kind == L.EN_PASSANT_CAPTURE:
            store8(S, _MAIL + to - 16 + 32 * us, 0)
        elif kind == L.CASTLE:
            store8(S, _MAIL + rook_from, 0)
            store8(S, _MAIL + rook_to, rook)
        store8(S, _MAIL + to, placed)
    if track != 0:
        key = load64(S, f + L.KEY) ^ const64(T, L.T_KEY_SIDE)
        psq = load64(S, f + L.PSQ)
        phase = load64(S, f + L.PHASE)
        key ^= const64(T, L.T_KEY_PIECE + piece * 128 + origin)
        key ^= const64(T, L.T_KEY_PIECE + placed * 128 + to)
        psq += const64(T, L.T_PSQ + placed * 128 + to) - const64(T, L.T_PSQ + piece * 128 + origin)
        clock = load64(S, f + L.CLOCK) + 1
        distance = load64(S, f + L.NULL_DISTANCE) + 1
        if (piece & 15) == 1:
            clock = 0
            if placed != piece:
                phase += const64(T, L.T_PHASE + placed)
        if captured != 0:
            clock = 0
            at = to
            if kind == L.EN_PASSANT_CAPTURE:
                at = to - 16 + 32 * us
            key ^= const64(T, L.T_KEY_PIECE + captured * 128 + at)
            psq -= const64(T, L.T_PSQ + captured * 128 + at)
            phase -= const64(T, L.T_PHASE + captured)
        if kind == L.CASTLE:
            key ^= const64(T, L.T_KEY_PIECE + rook * 128 + rook_from)
            key ^= const64(T, L.T_KEY_PIECE + rook * 128 + rook_to)
            psq += const64(T, L.T_PSQ + rook * 128 + rook_to)
            psq -= const64(T, L.T_PSQ + rook * 128 + rook_from)
        key ^= const64(T, L.T_KEY_CASTLING + (old_rights ^ rights))
        old_target = load64(S, f + L.EN_PASSANT)
        if old_target >= 0:
            key ^= const64(T, L.T_KEY_EN_PASSANT + old_target)
        if target >= 0:
            key ^= const64(T, L.T_KEY_EN_PASSANT + target)
        store64(S, g + L.KEY, key)
        store64(S, g + L.PSQ, psq)
        store64(S, g + L.PHASE, phase)
        store64(S, g + L.CLOCK, clock)
        store64(S, g + L.NULL_DISTANCE, distance)
        store64(S, g + L.FULLMOVE, load64(S, f + L.FULLMOVE) + us)
        store64(S, g + L.SIDE, 1 - us)


@kernel
def unmake_mailbox(S, T, g, us):
    """Take the move that made frame ``g`` back from the mailbox; ``us`` made it."""
    move = load64(S, g + L.MOVE)
    captured = load64(S, g + L.CAPTURED)
    to = (move >> 7) & 127
    kind = (move >> 14) & 7
    if kind == L.EN_PASSANT_CAPTURE:
        store8(S, _MAIL + to, 0)
        store8(S, _MAIL + to - 16 + 32 * us, captured)
    elif kind == L.CASTLE:
        e = L.T_CASTLE_ENTRIES + (8 * us + (move >> 17)) * L.CASTLE_WORDS
        rook_to = const64(T, e + L.CASTLE_ROOK_TO)
        rook = load8(S, _MAIL + rook_to)
        store8(S, _MAIL + rook_to, 0)
        store8(S, _MAIL + to, 0)
        store8(S, _MAIL + const64(T, e + L.CASTLE_ROOK), rook)
    else:
        store8(S, _MAIL + to, captured)
    store8(S, _MAIL + (move & 127), load64(S, g + L.MOVED))


@kernel
def make_null(S, T, f):
    """The next frame with only the side to move changed."""
    g = f + L.FRAME
    for i in range(L.FRAME):
        store64(S, g + i, load64(S, f + i))
    key = load64(S, f + L.KEY) ^ const64(T, L.T_KEY_SIDE)
    target = load64(S, f + L.EN_PASSANT)
    if target >= 0:
        key ^= const64(T, L.T_KEY_EN_PASSANT + target)
    store64(S, g + L.EN_PASSANT, -1)
    store64(S, g + L.KEY, key)
    store64(S, g + L.SIDE, 1 - load64(S, f + L.SIDE))
    store64(S, g + L.NULL_DISTANCE, 0)
    store64(S, g + L.CLOCK, load64(S, f + L.CLOCK) + 1)


@kernel
def publish(S, T, f):
    """Make ``f`` the current frame and copy to the header what every game shows there."""
    side = load64(S, f + L.SIDE)
    store64(S, H_FRAME, f)
    store64(S, H_SIDE, side)
    store64(S, H_KEY, load64(S, f + L.KEY))
    check = 1 if in_check(S, T, f, side) else 0
    store64(S, f + L.CHECKED, check)
    store64(S, H_CHECK, check)
