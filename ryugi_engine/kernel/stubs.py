"""Entries that a game may leave out of its :class:`~ryugi_engine.kernel.abi.Kernels`, made once.

They know of a state what every game's header says.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import (
    ALL,
    H_GENERATE,
    H_MAKE,
    H_STOP,
    H_UNMAKE,
    HISTORY_SLOTS,
    LOST,
    Kernels,
)
from ryugi_engine.kernel.jit import Entry, entry, routine
from ryugi_engine.kernel.memory import (
    call1,
    call2,
    call3,
    const64,
    load32,
    mix,
    recurse4,
    shared64,
    shr,
    store32,
)


@entry(1)
def never_passes(S: int) -> int:
    """``make_null``: 0, nobody passes, not even for a look."""
    return 0


@entry(1)
def nothing_to_unmake(S: int) -> int:
    """``unmake_null`` beside :func:`never_passes`: never called."""
    return 0


@entry(1)
def who_cannot_move_has_lost(S: int) -> int:
    """``no_moves``: LOST."""
    return LOST


@entry(3)
def no_loss(S: int, move: int, threshold: int) -> int:
    """``exchange``: 1, no tactical move is put behind the quiet ones for what it may lose."""
    return 1


@entry(5)
def no_hints(S: int, moves: int, n: int, W: int, out: int) -> int:
    """``order``: no hints; what the search learns of a move it learns of its code."""
    for i in range(n):
        store32(W, 2 * (out + i), 0)
        slot = shr(mix(load32(S, moves + i)), 32) & (HISTORY_SLOTS - 1)
        store32(W, 2 * (out + i) + 1, slot)
    return 0


@routine
def _count(S, depth, bulk, out):
    if depth >= 3 and shared64(S, H_STOP) != 0:
        return 0
    if depth == 0:
        return 1
    n = call3(const64(S, H_GENERATE), S, ALL, out)
    if depth == 1 and bulk != 0:
        return n
    total = 0
    for i in range(n):
        call2(const64(S, H_MAKE), S, load32(S, out + i))
        total += recurse4(S, depth - 1, bulk, out + n)
        call1(const64(S, H_UNMAKE), S)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """``perft`` by the game's own entries, whose addresses the state's header holds.

    See :meth:`ryugi_engine.games.rules.BaseRules.new_block`.
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
    order: Entry = no_hints,
    exchange: Entry = no_loss,
    perft: Entry = perft,
) -> Kernels:
    """A game's entries; those that are not given are the ones of this module."""
    return Kernels(
        generate=generate,
        make=make,
        unmake=unmake,
        make_null=make_null,
        unmake_null=unmake_null,
        evaluate=evaluate,
        status=status,
        no_moves=no_moves,
        order=order,
        exchange=exchange,
        perft=perft,
    )
