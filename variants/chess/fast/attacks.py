"""Attacks of sliders and riders, and whether a square is attacked; inlined into the kernels.

``t`` is a game's table block and ``frame`` a position's frame, see ``layout``.
"""

from __future__ import annotations

from ryugi_engine.kernel.bits import bits
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import add, mul, shr
from variants.chess.fast import layout as L

_COLUMN = 0x0001000100010001
#: Multiplier that gathers bits 0, 16, 32, 48 and 4, 20, 36, 52 into the top byte.
_GATHER = (1 << 56) + (1 << 41) + (1 << 26) + (1 << 11)


@kernel
def ortho_attacks(t, square, occupied):
    """Return a rook's attacks: ranks by table lookup, files by bit-gathering multiplication."""
    file = square & 15
    row = square & 48
    high = -(square >> 6)
    word = (occupied.lo & ~high) | (occupied.hi & high)
    fill = t.row_fill[file][shr(word, row + 1) & 255] << row
    column = (shr(occupied.lo, file) & _COLUMN) | ((shr(occupied.hi, file) & _COLUMN) << 4)
    inner = shr(mul(column, _GATHER), 57) & 63
    reach = t.column[square >> 4][inner]
    return bits((fill & ~high) | (reach.lo << file), (fill & high) | (reach.hi << file))


@kernel
def _magic_attacks(t, magic, occupied):
    relevant = occupied & magic.mask
    product = add(mul(relevant.lo, magic.factor_lo), mul(relevant.hi, magic.factor_hi))
    return t.magic_sets[magic.first + shr(product, magic.shift)]


@kernel
def diag_attacks(t, square, occupied):
    """Return a bishop's attacks, by magic multiplication."""
    return _magic_attacks(t, t.diag_magic[square], occupied)


@kernel
def rider_attacks(t, square, occupied):
    """Return a nightrider's attacks, by magic multiplication."""
    return _magic_attacks(t, t.rider_magic[square], occupied)


@kernel
def attacked(t, frame, us, square, them, occupied):
    """Return whether ``them``, the enemies of ``us``, attack a square under an occupancy.

    The rays of the empty board are tested first: most squares have no slider in line.
    """
    rays = t.rays[square]
    riders = frame.by_type[L.ORTHO] & them
    if riders & rays.ortho:
        if ortho_attacks(t, square, occupied) & riders:
            return True
    riders = frame.by_type[L.DIAG] & them
    if riders & rays.diag:
        if diag_attacks(t, square, occupied) & riders:
            return True
    riders = frame.by_type[L.RIDER] & them
    if riders & rays.rider:
        if rider_attacks(t, square, occupied) & riders:
            return True
    # a pawn attacks the square if a pawn of ours on it would attack the pawn's square
    hit = (frame.by_type[L.KING] & rays.king) | (frame.by_type[L.PAWN] & t.pawn_attacks[us][square])
    for group in range(t.leaper_sets):
        hit |= frame.by_type[L.LEAPER + group] & t.leaps[group][square]
    return bool(hit & them)


@kernel
def in_check(t, frame, us):
    """Return whether the king of ``us`` is attacked."""
    them = frame.by_color[1 - us]
    return attacked(t, frame, us, frame.king[us], them, them | frame.by_color[us])
