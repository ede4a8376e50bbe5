"""Perft with a hash table, for any game."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, MAX_MOVES, UNCOUNTED, Kernels, slots_within
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.calls import (
    GAME,
    bind_game,
    bulk_perft,
    generate,
    header,
    make,
    move_buffer,
    unmake,
)
from ryugi_engine.kernel.hashing import GOLDEN_RATIO
from ryugi_engine.kernel.jit import entry, routine
from ryugi_engine.kernel.memory import mul, recurse3, shr
from ryugi_engine.kernel.views import Layout, i64

_CALLED = ("generate", "make", "unmake", "perft")
_COUNTER = Layout("counter", constant=True, game=GAME.element(), table=i64, mask=i64)
#: ``lock`` is key ^ nodes: a slot torn by another thread's write does not match any key.
#: Source: R. Hyatt and T. Mann, "A lock-less transposition table implementation", 2002.
_SLOT = Layout("slot", align=16, lock=i64, nodes=i64)
_SLOT_WORDS = _SLOT.words


@routine
def _count(C, depth, first):
    c = _COUNTER(C)
    position = header(c)
    if depth <= 2:  # counting is faster than probing the table
        return bulk_perft(c, depth, first)
    if depth >= 4 and position.stop != 0:
        return 0
    key = position.key ^ mul(depth, GOLDEN_RATIO)
    slot = _SLOT(c.table, _SLOT_WORDS * (shr(key, 20) & c.mask))
    nodes = slot.nodes
    if nodes != 0 and (slot.lock ^ nodes) == key:
        return nodes
    n = generate(c, ALL, first)
    if n > MAX_MOVES:
        return UNCOUNTED
    total = 0
    for i in range(first, first + n):
        make(c, move_buffer(c).move[i])
        count = recurse3(C, depth - 1, first + n)
        unmake(c)
        if count < 0:
            return UNCOUNTED
        total += count
    if position.stop == 0:
        slot.lock = key ^ total
        slot.nodes = total
    return total


@entry(3)
def _hash_perft(C: int, depth: int, first: int) -> int:
    return _count(C, depth, first)


class CountTable:
    """The hash table of counts by position and depth; threads may share it."""

    def __init__(self, megabytes: int) -> None:
        """Allocate at most so many MiB."""
        self.slots = slots_within(megabytes, _SLOT.bytes)
        self.block = Block(self.slots * _SLOT.words)


def hash_perft(kernels: Kernels, state: Block, table: CountTable, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal moves, at least 1, from a state.

    UNCOUNTED if a position on the way has more moves than a list holds.
    """
    block = Block(_COUNTER.words)
    counter = _COUNTER.of(block)
    bind_game(counter["game"], state, kernels, _CALLED)
    counter["table"] = table.block.address
    counter["mask"] = table.slots - 1
    return _hash_perft(block.address, depth, 0)
