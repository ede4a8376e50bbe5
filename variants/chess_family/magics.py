"""Magic multiplication for diagonal sliders and nightriders on a board of two words.

The index is ``((lo & mask_lo) * factor_lo + (hi & mask_hi) * factor_hi) >> shift``. Factors are
found at table-building time by trial, from a fixed seed; a square has at most ten relevant
squares, so this takes milliseconds. Files and ranks need no magics (see ``attacks``).
Source of the idea: P. Kannan, "Magic move-bitboard generation in computer chess", 2007.
"""

from __future__ import annotations

from ryugi_engine.abi import Block
from ryugi_engine.jit import entry, kernel
from ryugi_engine.memory import add, load64, mul, popcount, shr, store64
from variants.chess_family import layout as L
from variants.chess_family.definition import Definition


@kernel
def _walk(files, ranks, file, rank, dx, dy, lo, hi, whole):
    """Squares of one ray until a blocker; with ``whole`` 0 without the ray's last square."""
    out_lo = 0
    out_hi = 0
    x = file + dx
    y = rank + dy
    while x >= 0 and x < files and y >= 0 and y < ranks:
        nx = x + dx
        ny = y + dy
        last = nx < 0 or nx >= files or ny < 0 or ny >= ranks
        if whole == 0 and last:
            break
        bit = 1 << ((y & 3) * 16 + x)
        if y < 4:
            out_lo |= bit
            if lo & bit:
                break
        else:
            out_hi |= bit
            if hi & bit:
                break
        x = nx
        y = ny
    return out_lo, out_hi


@kernel
def _star(files, ranks, square, rider, lo, hi, whole):
    """All rays of a bishop (``rider`` 0) or a nightrider (1)."""
    file = square & 15
    rank = square >> 4
    out_lo = 0
    out_hi = 0
    for turn in range(4 + 4 * rider):
        sx = 1 - 2 * (turn & 1)
        sy = 1 - (turn & 2)
        dx = sx
        dy = sy
        if rider == 1:
            dx = sx * (1 + (turn >> 2))
            dy = sy * (2 - (turn >> 2))
        a, b = _walk(files, ranks, file, rank, dx, dy, lo, hi, whole)
        out_lo |= a
        out_hi |= b
    return out_lo, out_hi


@kernel
def _next_random(state):
    state ^= state << 13
    state ^= shr(state, 7)
    state ^= state << 17
    return state


#: Scratch words: key lo, key hi, set lo, set hi and the trial that used the slot, 1024 times.
SCRATCH_WORDS = 5 * 1024


@kernel
def _list_subsets(T, scratch, square, rider, mask_lo, mask_hi):
    """All occupancies of the relevant squares with their attack sets; returns how many."""
    files = load64(T, L.T_FILES)
    ranks = load64(T, L.T_RANKS)
    count = 0
    lo = 0
    hi = 0
    while True:
        a, b = _star(files, ranks, square, rider, lo, hi, 1)
        store64(scratch, 5 * count, lo)
        store64(scratch, 5 * count + 1, hi)
        store64(scratch, 5 * count + 2, a)
        store64(scratch, 5 * count + 3, b)
        store64(scratch, 5 * count + 4, 0)
        count += 1
        # next subset of the 128-bit mask: (subset - mask) & mask, with the carry into hi
        wrapped = lo == mask_lo
        lo = (lo - mask_lo) & mask_lo
        if wrapped:
            if hi == mask_hi:
                return count
            hi = (hi - mask_hi) & mask_hi


@entry(6)
def find_magic(T: int, record: int, square: int, rider: int, sets: int, scratch: int) -> int:
    """Fill one square's magic record and its attack sets from word ``sets`` on.

    Returns the number of words used.
    """
    files = load64(T, L.T_FILES)
    ranks = load64(T, L.T_RANKS)
    mask_lo, mask_hi = _star(files, ranks, square, rider, 0, 0, 0)
    bits = popcount(mask_lo) + popcount(mask_hi)
    count = _list_subsets(T, scratch, square, rider, mask_lo, mask_hi)
    # a shift by 64 is undefined; without relevant squares any index is 0 through the factor
    shift = 64 - bits if bits > 0 else 63
    state = 88172645463325252 + square * 2654435761 + rider
    trial = 0
    while True:
        trial += 1
        factor_lo = 0
        factor_hi = 0
        if bits > 0:
            state = _next_random(state)
            factor_lo = state
            state = _next_random(state)
            factor_lo &= state
            state = _next_random(state)
            factor_hi = state
            state = _next_random(state)
            factor_hi &= state
        good = True
        for i in range(count):
            product = add(
                mul(load64(scratch, 5 * i), factor_lo), mul(load64(scratch, 5 * i + 1), factor_hi)
            )
            index = shr(product, shift)
            a = load64(scratch, 5 * i + 2)
            b = load64(scratch, 5 * i + 3)
            slot = sets + 2 * index
            if load64(scratch, 5 * index + 4) != trial:
                store64(scratch, 5 * index + 4, trial)
                store64(T, slot, a)
                store64(T, slot + 1, b)
            elif load64(T, slot) != a or load64(T, slot + 1) != b:
                good = False
                break
        if good:
            store64(T, record + L.MAGIC_MASK, mask_lo)
            store64(T, record + L.MAGIC_MASK + 1, mask_hi)
            store64(T, record + L.MAGIC_FACTOR, factor_lo)
            store64(T, record + L.MAGIC_FACTOR + 1, factor_hi)
            store64(T, record + L.MAGIC_SHIFT, shift)
            store64(T, record + L.MAGIC_TABLE, sets)
            return 2 << bits


def fill(block: Block, game: Definition) -> None:
    """Find the magics of all squares of a game's board."""
    scratch = Block(SCRATCH_WORDS)
    sets = L.T_MAGIC_SETS
    for rider, base in ((0, L.T_DIAG_MAGIC), (1, L.T_RIDER_MAGIC)):
        for rank in range(game.ranks):
            for file in range(game.files):
                square = 16 * rank + file
                record = base + 8 * square
                sets += find_magic(block.address, record, square, rider, sets, scratch.address)
