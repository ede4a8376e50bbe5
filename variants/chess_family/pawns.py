"""Pawn moves, and writing move lists."""

from __future__ import annotations

from ryugi_engine.abi import TACTICAL
from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, ctz, shr, store32
from variants.chess_family import layout as L
from variants.chess_family.attacks import count_bits


@kernel
def put_targets(S, out, n, origin, lo, hi, emit):
    """Count, or list as moves from ``origin``, the squares of a bitboard; returns the new n."""
    if emit == 0:
        return n + count_bits(lo, hi)
    while lo != 0:
        store32(S, out + n, origin | ctz(lo) << 7)
        n += 1
        lo &= lo - 1
    while hi != 0:
        store32(S, out + n, origin | (ctz(hi) + 64) << 7)
        n += 1
        hi &= hi - 1
    return n


@kernel
def _put_promotions(S, T, out, n, move):
    for i in range(const64(T, L.T_PROMOTIONS)):
        kind = const64(T, L.T_PROMOTION_TYPE + i)
        store32(S, out + n, move | L.PROMOTION << 14 | kind << 17)
        n += 1
    return n


@kernel
def _put_pawn_word(S, T, out, n, word, base, step, kind, last):
    """List pawn moves to the squares of one word; ``last`` is its part of the last rank."""
    while word != 0:
        to = ctz(word) + base
        move = (to - step) | to << 7 | kind << 14
        if (word & -word & last) != 0:
            n = _put_promotions(S, T, out, n, move)
        else:
            store32(S, out + n, move)
            n += 1
        word &= word - 1
    return n


@kernel
def _put_pawns(S, T, out, n, lo, hi, step, kind, last_lo, last_hi, emit):
    """Count or list pawn moves that arrive on (lo, hi), each from ``to - step``."""
    if emit == 0:
        n += count_bits(lo, hi)
        promoting = count_bits(lo & last_lo, hi & last_hi)
        return n + promoting * (const64(T, L.T_PROMOTIONS) - 1)
    n = _put_pawn_word(S, T, out, n, lo, 0, step, kind, last_lo)
    return _put_pawn_word(S, T, out, n, hi, 64, step, kind, last_hi)


@kernel
def _up(us, lo, hi):
    """The bitboard one rank forward."""
    if us == 0:
        return lo << 16, (hi << 16) | shr(lo, 48)
    return shr(lo, 16) | (hi << 48), shr(hi, 16)


@kernel
def _left(us, lo, hi):
    """One rank forward and one file down; the padding files swallow what leaves the board."""
    if us == 0:
        return lo << 15, (hi << 15) | shr(lo, 49)
    return shr(lo, 17) | (hi << 47), shr(hi, 17)


@kernel
def _right(us, lo, hi):
    """One rank forward and one file up."""
    if us == 0:
        return lo << 17, (hi << 17) | shr(lo, 47)
    return shr(lo, 15) | (hi << 49), shr(hi, 15)


@kernel
def pawn_attack_sets(us, lo, hi):
    """All squares that the pawns in (lo, hi) of ``us`` attack, padding files included."""
    a, b = _left(us, lo, hi)
    c, d = _right(us, lo, hi)
    return a | c, b | d


@kernel
def pawn_moves(
    S, T, us, pawn_lo, pawn_hi, occ_lo, occ_hi, enemy_lo, enemy_hi, m_lo, m_hi, kind, out, n, emit
):
    """Pawn moves of a set, en passant aside, onto the squares of the mask (m_lo, m_hi)."""
    up = 16 - 32 * us
    last_lo = const64(T, L.T_LAST_RANK + 2 * us)
    last_hi = const64(T, L.T_LAST_RANK + 2 * us + 1)
    free_lo = const64(T, L.T_BOARD) & ~occ_lo
    free_hi = const64(T, L.T_BOARD + 1) & ~occ_hi
    one_lo, one_hi = _up(us, pawn_lo, pawn_hi)
    one_lo &= free_lo & m_lo
    one_hi &= free_hi & m_hi
    if kind == TACTICAL:
        one_lo &= last_lo
        one_hi &= last_hi
    else:
        d_lo, d_hi = _up(
            us,
            pawn_lo & const64(T, L.T_DOUBLE + 2 * us),
            pawn_hi & const64(T, L.T_DOUBLE + 2 * us + 1),
        )
        d_lo, d_hi = _up(us, d_lo & free_lo, d_hi & free_hi)
        d_lo &= free_lo & m_lo
        d_hi &= free_hi & m_hi
        if emit == 0:
            n += count_bits(d_lo, d_hi)
        else:
            n = _put_pawns(S, T, out, n, d_lo, d_hi, 2 * up, L.DOUBLE, 0, 0, 1)
    n = _put_pawns(S, T, out, n, one_lo, one_hi, up, L.NORMAL, last_lo, last_hi, emit)
    x, y = _left(us, pawn_lo, pawn_hi)
    x &= enemy_lo & m_lo
    y &= enemy_hi & m_hi
    n = _put_pawns(S, T, out, n, x, y, up - 1, L.NORMAL, last_lo, last_hi, emit)
    x, y = _right(us, pawn_lo, pawn_hi)
    x &= enemy_lo & m_lo
    y &= enemy_hi & m_hi
    return _put_pawns(S, T, out, n, x, y, up + 1, L.NORMAL, last_lo, last_hi, emit)
