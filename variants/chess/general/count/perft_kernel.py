"""Perft: the number of sequences of legal moves."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, MAX_MOVES, UNCOUNTED
from ryugi_engine.kernel.jit import routine, template
from ryugi_engine.kernel.memory import load32, recurse6
from variants.chess.general.count.counting import count_legal
from variants.chess.general.legal.legal_moves import list_legal
from variants.chess.general.legal.publish import publish
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.bundles import PERFT
from variants.chess.general.moves.makemove import make


@routine
def _perft(T, S, f, depth, bulk, out):
    t = L.TABLES(T)
    if depth >= 3 and HEADER(S).stop != 0:
        return 0
    us = L.FRAME(S, f).side
    if depth == 1 and bulk != 0:
        n = count_legal(T, S, f, us, out)
        return n if n <= MAX_MOVES else UNCOUNTED
    n = list_legal(T, S, f, us, 0, 0, out)
    if n > MAX_MOVES:
        return UNCOUNTED
    total = 0
    for i in range(n):
        g = make(T, S, f, load32(S, out + i))
        # a leaf's moves depend on a check only if it was the last one
        if t.check_counting and (depth > 2 or bulk == 0 or L.FRAME(S, f).checks[us] == 1):
            publish(T, S, g)
        if depth == 1:
            total += 1
            continue
        count = recurse6(T, S, g, depth - 1, bulk, out + n)
        if count < 0:
            return UNCOUNTED
        total += count
    return total


@template(4, PERFT)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Return the number of sequences of ``depth`` legal moves, or UNCOUNTED."""
    T = L.STATE(S).tables
    f = HEADER(S).frame
    total = _perft(T, S, f, depth, bulk, out)
    frame = L.FRAME(S, f)
    header = HEADER(S)
    header.frame = f
    header.side = frame.side
    header.key = frame.key
    header.check = frame.pressed
    return total
