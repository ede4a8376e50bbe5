"""Castling and en passant."""

from __future__ import annotations

from ryugi_engine.jit import kernel, routine
from ryugi_engine.memory import const64, store32
from variants.chess_family import layout as L
from variants.chess_family.attacks import attacked, component, pop_square, square_bits


@routine
def _path_is_safe(S, T, f, us, path_lo, path_hi, them_lo, them_hi, lo, hi):
    while (path_lo | path_hi) != 0:
        square, path_lo, path_hi = pop_square(path_lo, path_hi)
        if attacked(S, T, f, square, us, them_lo, them_hi, lo, hi):
            return False
    return True


@kernel
def castles(S, T, f, us, rights, them_lo, them_hi, lo, hi, out, n, emit):
    for i in range(const64(T, L.T_CASTLES + us)):
        e = L.T_CASTLE_ENTRIES + (8 * us + i) * L.CASTLE_WORDS
        blocked = (lo & const64(T, e + L.CASTLE_EMPTY)) | (hi & const64(T, e + L.CASTLE_EMPTY + 1))
        if (rights & const64(T, e + L.CASTLE_RIGHT)) != 0 and blocked == 0:
            # the rook leaves its square too: a rider behind it must not reach the path
            if _path_is_safe(
                S,
                T,
                f,
                us,
                const64(T, e + L.CASTLE_PATH),
                const64(T, e + L.CASTLE_PATH + 1),
                them_lo,
                them_hi,
                lo & ~const64(T, e + L.CASTLE_LIFTED),
                hi & ~const64(T, e + L.CASTLE_LIFTED + 1),
            ):
                if emit != 0:
                    move = const64(T, e + L.CASTLE_KING) | const64(T, e + L.CASTLE_KING_TO) << 7
                    store32(S, out + n, move | L.CASTLE << 14 | i << 17)
                n += 1
    return n


@routine
def en_passant_is_safe(S, T, f, us, king, origin, target, them_lo, them_hi, lo, hi):
    """Whether capturing en passant from ``origin`` leaves the king unattacked."""
    victim_lo, victim_hi = square_bits(target - 16 + 32 * us)
    from_lo, from_hi = square_bits(origin)
    to_lo, to_hi = square_bits(target)
    return not attacked(
        S,
        T,
        f,
        king,
        us,
        them_lo & ~victim_lo,
        them_hi & ~victim_hi,
        (lo & ~victim_lo & ~from_lo) | to_lo,
        (hi & ~victim_hi & ~from_hi) | to_hi,
    )


@kernel
def en_passant(S, T, f, us, king, target, own_lo, own_hi, them_lo, them_hi, lo, hi, out, n, emit):
    p_lo, p_hi = component(S, f, L.PAWN, own_lo, own_hi)
    at = L.T_PAWN_ATTACKS + 256 * (1 - us) + 2 * target
    p_lo &= const64(T, at)
    p_hi &= const64(T, at + 1)
    while (p_lo | p_hi) != 0:
        origin, p_lo, p_hi = pop_square(p_lo, p_hi)
        if en_passant_is_safe(S, T, f, us, king, origin, target, them_lo, them_hi, lo, hi):
            if emit != 0:
                store32(S, out + n, origin | target << 7 | L.EN_PASSANT_CAPTURE << 14)
            n += 1
    return n
