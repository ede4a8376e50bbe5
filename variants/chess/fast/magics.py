"""Magic multiplication for diagonal sliders and nightriders on a board of two words.

The index is ``(relevant.lo * factor_lo + relevant.hi * factor_hi) >> shift``. Factors are searched
by trial from a fixed seed, a third of a second for a board of 80 squares. So ``magics.txt`` keeps
those of common boards. Files and ranks need no magics (see ``attacks``). Source of the idea: P.
Kannan, "Magic move-bitboard generation in computer chess", 2007.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ryugi_engine.kernel.bits import bits, one
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import add, mul, shr
from ryugi_engine.kernel.views import Layout, bitboard, i64
from variants.chess.fast import layout as L
from variants.chess.fast.game import FastGame


@kernel
def _ray(files, ranks, file, rank, dx, dy, occupied, edge):
    """Return the squares of one ray up to a blocker; ``edge`` says whether the last one counts."""
    attacks = bits(0, 0)
    x = file + dx
    y = rank + dy
    while x >= 0 and x < files and y >= 0 and y < ranks:
        nx = x + dx
        ny = y + dy
        last = nx < 0 or nx >= files or ny < 0 or ny >= ranks
        if last and not edge:
            break
        here = one(16 * y + x)
        attacks |= here
        if occupied & here:
            break
        x = nx
        y = ny
    return attacks


@kernel
def _rays(files, ranks, square, rider, occupied, edge):
    """Return all rays of a bishop (``rider`` 0) or a nightrider (1)."""
    attacks = bits(0, 0)
    for turn in range(4 + 4 * rider):
        sx = 1 - 2 * (turn & 1)
        sy = 1 - (turn & 2)
        dx = sx
        dy = sy
        if rider == 1:
            dx = sx * (1 + (turn >> 2))
            dy = sy * (2 - (turn >> 2))
        attacks |= _ray(files, ranks, square & 15, square >> 4, dx, dy, occupied, edge)
    return attacks


@kernel
def _next_random(state):
    state ^= state << 13
    state ^= shr(state, 7)
    state ^= state << 17
    return state


#: An occupancy of a square's relevant squares with its attacks; ``used`` is the trial that has
#: stored attacks at this index.
_SUBSET = Layout("subset", align=8, occupied=bitboard, attacks=bitboard, used=i64)
_SCRATCH = Layout("scratch", subset=_SUBSET[1024])


@kernel
def _next_subset(subset, mask):
    """Return ``(subset - mask) & mask`` of two words, the empty one after the last."""
    return add(subset, add(~mask, 1)) & mask


@kernel
def _list_subsets(files, ranks, scratch, square, rider, mask):
    """List all occupancies of the relevant squares with their attacks; return their number."""
    count = 0
    lo = 0
    hi = 0
    while True:
        occupied = bits(lo, hi)
        subset = scratch.subset[count]
        subset.occupied = occupied
        subset.attacks = _rays(files, ranks, square, rider, occupied, True)
        subset.used = 0
        count += 1
        # next subset of the 128-bit mask, with the carry into hi
        wrapped = lo == mask.lo
        lo = _next_subset(lo, mask.lo)
        if wrapped:
            if hi == mask.hi:
                return count
            hi = _next_subset(hi, mask.hi)


@entry(7)
def find_magic(
    T: int, square: int, rider: int, first: int, scratch_block: int, known_lo: int, known_hi: int
) -> int:
    """Find one square's magic; its attacks go to ``magic_sets`` from index ``first`` on.

    The known factors are tried before others, unless both are 0. Return the number of attack sets.
    """
    t = L.DRAFT(T)
    scratch = _SCRATCH(scratch_block)
    mask = _rays(t.files, t.ranks, square, rider, bits(0, 0), False)
    relevant = mask.count()
    count = _list_subsets(t.files, t.ranks, scratch, square, rider, mask)
    # a shift by 64 is undefined; without relevant squares any index is 0 through the factor
    shift = 64 - relevant if relevant > 0 else 63
    state = add(mul(square, 2654435761), 88172645463325252 + rider)
    trial = 0
    while True:
        trial += 1
        factor_lo = 0
        factor_hi = 0
        if trial == 1 and (known_lo | known_hi) != 0:
            factor_lo = known_lo
            factor_hi = known_hi
        elif relevant > 0:
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
            subset = scratch.subset[i]
            occupied = subset.occupied
            index = shr(add(mul(occupied.lo, factor_lo), mul(occupied.hi, factor_hi)), shift)
            slot = scratch.subset[index]
            if slot.used != trial:
                slot.used = trial
                t.magic_sets[first + index] = subset.attacks
            elif t.magic_sets[first + index] != subset.attacks:
                good = False
                break
        if good:
            magic = t.diag_magic[square]
            if rider == 1:
                magic = t.rider_magic[square]
            magic.mask = mask
            magic.factor_lo = factor_lo
            magic.factor_hi = factor_hi
            magic.shift = shift
            magic.first = first
            return 1 << relevant


#: Lines of known factors, see :func:`to_text`.
_FILE = Path(__file__).with_name("magics.txt")

#: A magic's place: files and ranks of the board, 1 for a nightrider or 0, square index.
Place = tuple[int, int, int, int]


@cache
def known() -> dict[Place, tuple[int, int]]:
    """Return the known factors (low, high) of ``magics.txt`` by board and square, as int64."""
    factors = {}
    for line in _FILE.read_text(encoding="ascii").splitlines():
        files, ranks, rider, square, lo, hi = (int(field) for field in line.split())
        factors[files, ranks, rider, square] = lo, hi
    return factors


def to_text(block: Block, game: FastGame) -> str:
    """Return the factors of a filled block: files, ranks, rider, square, low, high a line."""
    tables = L.DRAFT.of(block)
    lines = []
    for rider, magics in enumerate((tables["diag_magic"], tables["rider_magic"])):
        for square in _squares(game):
            lo, hi = magics[square]["factor_lo"], magics[square]["factor_hi"]
            lines.append(f"{game.files} {game.ranks} {rider} {square} {lo} {hi}\n")
    return "".join(lines)


def _squares(game: FastGame) -> list[int]:
    return [16 * rank + file for rank in range(game.ranks) for file in range(game.files)]


def fill(block: Block, game: FastGame, *, search: bool = False) -> None:
    """Write the magics of all squares of a game's board; ``search`` them even if they are known."""
    scratch = Block(_SCRATCH.words)
    factors = {} if search else known()
    first = 0
    for rider in (0, 1):
        for square in _squares(game):
            lo, hi = factors.get((game.files, game.ranks, rider, square), (0, 0))
            first += find_magic(block.address, square, rider, first, scratch.address, lo, hi)
