"""Counting legal move sequences."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, H_FRAME, H_SIDE, H_STOP
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import load32, load64, recurse7, shared64
from variants.chess_family import layout as L
from variants.chess_family.makemove import make, unmake_mailbox
from variants.chess_family.movegen import generate, list_moves


@kernel
def _bulk_node(S, T, f, out, us):
    """Two plies: make every move for counting only."""
    n = list_moves(S, T, f, us, ALL, out)
    total = 0
    for i in range(n):
        make(S, T, f, load32(S, out + i), us, 0, 0)
        # inlined, not called through its address: a tenth faster
        total += generate(S, T, f + L.FRAME_WORDS, 1 - us, ALL, 0, 0)
    return total


@routine
def _perft(S, T, f, depth, us, out, bulk):
    if depth == 2 and bulk != 0:
        if us == 0:
            return _bulk_node(S, T, f, out, 0)
        return _bulk_node(S, T, f, out, 1)
    if depth >= 4 and shared64(S, H_STOP) != 0:
        return 0
    n = list_moves(S, T, f, us, ALL, out)
    total = 0
    for i in range(n):
        move = load32(S, out + i)
        if us == 0:
            make(S, T, f, move, 0, 0, 1)
        else:
            make(S, T, f, move, 1, 0, 1)
        if depth == 1:
            total += 1
        else:
            total += recurse7(S, T, f + L.FRAME_WORDS, depth - 1, 1 - us, out + n, bulk)
        unmake_mailbox(S, T, f + L.FRAME_WORDS, us)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Sequences of ``depth`` legal moves from the current frame; ``out`` as in ``generate``."""
    T = L.STATE(S).tables
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    if depth == 1 and bulk != 0:
        return list_moves(S, T, f, us, ALL, out)
    return _perft(S, T, f, depth, us, out, bulk)
