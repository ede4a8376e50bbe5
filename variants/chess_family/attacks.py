"""Attack sets, and whether a square is attacked. Everything here is inlined into the kernels.

T is the address of a game's table block. A bitboard is the pair (lo, hi) of ``layout``.
"""

from __future__ import annotations

from ryugi_engine.jit import kernel
from ryugi_engine.memory import add, const16, const64, ctz, load64, mul, popcount, select, shr
from variants.chess_family import layout as L

_COLUMN = 0x0001000100010001
#: Gathers bits 0, 16, 32, 48 and 4, 20, 36, 52 into the top byte.
_GATHER = (1 << 56) + (1 << 41) + (1 << 26) + (1 << 11)


@kernel
def square_bits(square):
    """Bitboard of one square."""
    bit = 1 << (square & 63)
    high = -(square >> 6)
    return bit & ~high, bit & high


@kernel
def first_square(lo, hi):
    """Lowest square of a bitboard that is not empty."""
    low = lo != 0
    return ctz(select(low, lo, hi)) + select(low, 0, 64)


@kernel
def pop_square(lo, hi):
    """Lowest square of a bitboard that is not empty, and the rest of the bitboard.

    With a jump: the well predicted jump is cheaper than a long chain of selects.
    """
    if lo != 0:
        return ctz(lo), lo & (lo - 1), hi
    return ctz(hi) + 64, lo, hi & (hi - 1)


@kernel
def has(lo, hi, square):
    """1 if the square is in the bitboard."""
    return shr(select(square < 64, lo, hi), square & 63) & 1


@kernel
def ortho_attacks(T, square, lo, hi):
    """Rook moves: the rank by table on its ten files, the file by gathering its eight bits."""
    file = square & 15
    row = square & 48
    high = -(square >> 6)
    word = (lo & ~high) | (hi & high)
    fill = const16(T, L.T_ROW_FILL * 4 + file * 256 + (shr(word, row + 1) & 255)) << row
    column = (shr(lo, file) & _COLUMN) | ((shr(hi, file) & _COLUMN) << 4)
    inner = shr(mul(column, _GATHER), 57) & 63
    at = L.T_COLUMN + ((square >> 4) * 64 + inner) * 2
    return ((fill & ~high) | (const64(T, at) << file), (fill & high) | (const64(T, at + 1) << file))


@kernel
def _magic_attacks(T, record, lo, hi):
    index = shr(
        add(
            mul(lo & const64(T, record + L.MAGIC_MASK), const64(T, record + L.MAGIC_FACTOR)),
            mul(
                hi & const64(T, record + L.MAGIC_MASK + 1), const64(T, record + L.MAGIC_FACTOR + 1)
            ),
        ),
        const64(T, record + L.MAGIC_SHIFT),
    )
    at = const64(T, record + L.MAGIC_TABLE) + 2 * index
    return const64(T, at), const64(T, at + 1)


@kernel
def diag_attacks(T, square, lo, hi):
    """Bishop moves."""
    return _magic_attacks(T, L.T_DIAG_MAGIC + 8 * square, lo, hi)


@kernel
def rider_attacks(T, square, lo, hi):
    """Nightrider moves."""
    return _magic_attacks(T, L.T_RIDER_MAGIC + 8 * square, lo, hi)


@kernel
def leaps(T, group, square):
    """Targets of a leaper set."""
    at = L.T_LEAPS + 256 * group + 2 * square
    return const64(T, at), const64(T, at + 1)


@kernel
def component(S, f, which, side_lo, side_hi):
    """One component set of one side, whose occupancy is given."""
    return load64(S, f + which) & side_lo, load64(S, f + L.HALF + which) & side_hi


@kernel
def attacked(S, T, f, square, us, them_lo, them_hi, lo, hi):
    """Whether the enemies of ``us`` in (them_lo, them_hi) attack a square under occupancy (lo, hi).

    The empty-board rays are tested first: most squares have no rider of a kind in line.
    """
    rays = L.T_KING_RAYS + 8 * square
    x, y = component(S, f, L.ORTHO, them_lo, them_hi)
    if ((x & const64(T, rays)) | (y & const64(T, rays + 1))) != 0:
        a, b = ortho_attacks(T, square, lo, hi)
        if ((a & x) | (b & y)) != 0:
            return True
    x, y = component(S, f, L.DIAG, them_lo, them_hi)
    if ((x & const64(T, rays + 2)) | (y & const64(T, rays + 3))) != 0:
        a, b = diag_attacks(T, square, lo, hi)
        if ((a & x) | (b & y)) != 0:
            return True
    x, y = component(S, f, L.RIDER, them_lo, them_hi)
    if ((x & const64(T, rays + 4)) | (y & const64(T, rays + 5))) != 0:
        a, b = rider_attacks(T, square, lo, hi)
        if ((a & x) | (b & y)) != 0:
            return True
    x, y = component(S, f, L.KING, them_lo, them_hi)
    hit = (x & const64(T, rays + 6)) | (y & const64(T, rays + 7))
    # a pawn attacks the square if a pawn of ours on it would attack the pawn's square
    pawns = L.T_PAWN_ATTACKS + 256 * us + 2 * square
    x, y = component(S, f, L.PAWN, them_lo, them_hi)
    hit |= (x & const64(T, pawns)) | (y & const64(T, pawns + 1))
    for g in range(const64(T, L.T_LEAPER_SETS)):
        x, y = component(S, f, L.LEAPER + g, them_lo, them_hi)
        a, b = leaps(T, g, square)
        hit |= (x & a) | (y & b)
    return hit != 0


@kernel
def count_bits(lo, hi):
    """Number of squares in a bitboard."""
    return popcount(lo) + popcount(hi)
