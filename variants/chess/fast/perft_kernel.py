"""Perft: counting legal move sequences."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, HEADER
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import load32, recurse7
from ryugi_engine.kernel.move_list import counting
from variants.chess.fast import layout as L
from variants.chess.fast.makemove import make_for_count, make_untracked, unmake_mailbox
from variants.chess.fast.movegen import generate, list_moves


@kernel
def _bulk_node(S, T, f, out, us):
    """Return the number of sequences of two moves, the second ply counted in bulk."""
    n = list_moves(S, T, f, us, ALL, out)
    total = 0
    for i in range(n):
        make_for_count(S, T, f, load32(S, out + i), us)
        # inlined instead of called through its address: a tenth faster
        total += generate(S, T, f + L.FRAME_WORDS, 1 - us, ALL, counting()).next
    return total


@routine
def _perft(S, T, f, depth, us, out, bulk):
    if depth == 2 and bulk != 0:
        if us == 0:
            return _bulk_node(S, T, f, out, 0)
        return _bulk_node(S, T, f, out, 1)
    if depth >= 4 and HEADER(S).stop != 0:
        return 0
    n = list_moves(S, T, f, us, ALL, out)
    total = 0
    for i in range(n):
        move = load32(S, out + i)
        if us == 0:
            make_untracked(S, T, f, move, 0)
        else:
            make_untracked(S, T, f, move, 1)
        if depth == 1:
            total += 1
        else:
            total += recurse7(S, T, f + L.FRAME_WORDS, depth - 1, 1 - us, out + n, bulk)
        unmake_mailbox(S, T, f + L.FRAME_WORDS, us)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Return the number of sequences of ``depth`` legal moves; ``out`` as in ``generate``."""
    T = L.STATE(S).tables
    f = HEADER(S).frame
    us = HEADER(S).side
    if depth == 1 and bulk != 0:
        return list_moves(S, T, f, us, ALL, out)
    return _perft(S, T, f, depth, us, out, bulk)
