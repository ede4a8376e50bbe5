"""Perft with a table of counts, for any game."""

from __future__ import annotations

from ryugi_engine.abi import ALL, H_KEY, H_MOVES, H_STOP, Block, Kernels, slots_within
from ryugi_engine.jit import entry, routine
from ryugi_engine.memory import (
    call1,
    call2,
    call3,
    call4,
    const64,
    load32,
    load64,
    mul,
    recurse4,
    shared64,
    shr,
    store64,
)

_GENERATE, _MAKE, _UNMAKE, _PERFT, _TABLE, _MASK = range(6)
#: Odd number that spreads depth over the key (2**64 divided by the golden ratio).
_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)


@routine
def _count(C, S, depth, out):
    if depth <= 2:  # counted faster than looked up
        return call4(const64(C, _PERFT), S, depth, 1, out)
    if depth >= 4 and shared64(S, H_STOP) != 0:
        return 0
    key = load64(S, H_KEY) ^ mul(depth, _SPREAD)
    table = const64(C, _TABLE)
    slot = 2 * (shr(key, 20) & const64(C, _MASK))
    nodes = load64(table, slot + 1)
    if nodes != 0 and (load64(table, slot) ^ nodes) == key:
        return nodes
    n = call3(const64(C, _GENERATE), S, ALL, out)
    total = 0
    for i in range(n):
        call2(const64(C, _MAKE), S, load32(S, out + i))
        total += recurse4(C, S, depth - 1, out + n)
        call1(const64(C, _UNMAKE), S)
    if shared64(S, H_STOP) == 0:
        store64(table, slot, key ^ total)
        store64(table, slot + 1, total)
    return total


@entry(3)
def _hash_perft(C: int, S: int, depth: int) -> int:
    return _count(C, S, depth, load64(S, H_MOVES))


class CountTable:
    """Counts by position and depth; two threads may use it at once."""

    def __init__(self, megabytes: int) -> None:
        """A table of at most ``megabytes``."""
        self.slots = slots_within(megabytes, 16)
        self.block = Block(2 * self.slots)


def hash_perft(kernels: Kernels, state: Block, table: CountTable, depth: int) -> int:
    """Sequences of ``depth`` >= 1 moves below the state's position."""
    control = Block(8)
    control.words[:6] = (
        kernels.generate.address,
        kernels.make.address,
        kernels.unmake.address,
        kernels.perft.address,
        table.block.address,
        table.slots - 1,
    )
    return _hash_perft(control.address, state.address, depth)
