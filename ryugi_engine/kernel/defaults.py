"""Default entries for what a game leaves out of its :class:`~ryugi_engine.kernel.abi.Kernels`.

They read nothing of a state but its header.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, HEADER, HISTORY_SLOTS, LOST, MAX_MOVES, UNCOUNTED, Kernels
from ryugi_engine.kernel.hashing import mix
from ryugi_engine.kernel.jit import Entry, entry, routine
from ryugi_engine.kernel.memory import call1, call2, call3, load32, recurse4, shr, store32


@entry(1)
def never_passes(S: int) -> int:
    """``make_null``: 0, the game has no null move."""
    return 0


@entry(1)
def nothing_to_unmake(S: int) -> int:
    """``unmake_null`` to go with :func:`never_passes`: never called."""
    return 0


@entry(1)
def who_cannot_move_has_lost(S: int) -> int:
    """``no_moves``: LOST, who cannot move has lost."""
    return LOST


@entry(3)
def no_loss(S: int, move: int, threshold: int) -> int:
    """``exchange``: 1, no capture loses material."""
    return 1


@entry(2)
def any_may_check(S: int, move: int) -> int:
    """``may_check``: 1, every move is made to know it."""
    return 1


@entry(5)
def zero_scores(S: int, moves: int, n: int, W: int, out: int) -> int:
    """``order``: score 0, and the history slot is a hash of the move code."""
    for i in range(n):
        store32(W, 2 * (out + i), 0)
        slot = shr(mix(load32(S, moves + i)), 32) & (HISTORY_SLOTS - 1)
        store32(W, 2 * (out + i) + 1, slot)
    return 0


@routine
def _count(S, depth, bulk, out):
    if depth >= 3 and HEADER(S).stop != 0:
        return 0
    if depth == 0:
        return 1
    n = call3(HEADER(S).generate, S, ALL, out)
    if n > MAX_MOVES:
        return UNCOUNTED
    if depth == 1 and bulk != 0:
        return n
    total = 0
    for i in range(n):
        call2(HEADER(S).make, S, load32(S, out + i))
        count = recurse4(S, depth - 1, bulk, out + n)
        call1(HEADER(S).unmake, S)
        if count < 0:
            return UNCOUNTED
        total += count
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """``perft`` by the game's own entries, whose addresses stand in the state's header.

    :meth:`ryugi_engine.games.rules.BaseRules.new_block` writes them.
    """
    return _count(S, depth, bulk, out)


def kernels(
    *,
    generate: Entry,
    make: Entry,
    unmake: Entry,
    evaluate: Entry,
    status: Entry,
    make_null: Entry = never_passes,
    unmake_null: Entry = nothing_to_unmake,
    no_moves: Entry = who_cannot_move_has_lost,
    order: Entry = zero_scores,
    exchange: Entry = no_loss,
    may_check: Entry = any_may_check,
    perft: Entry = perft,
) -> Kernels:
    """Return a game's entries; this module supplies those that are not given."""
    entries = (generate, make, unmake, make_null, unmake_null, evaluate, status, no_moves)
    return Kernels(*entries, order, exchange, may_check, perft)
