"""Counting legal turn sequences."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_SIDE, H_STOP
from ryugi_engine.jit import entry, routine
from ryugi_engine.memory import load32, load64, recurse5, shared64
from variants.goryujin import layout as L
from variants.goryujin.makemove import play, take_back
from variants.goryujin.moves import count_legal, list_turns


@routine
def _perft(S, T, depth, bulk, out):
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    if depth == 0:
        return 1
    if shared64(S, H_STOP) != 0:
        return 0
    if depth == 1 and bulk != 0:
        return count_legal(S, T, f, us)
    n = list_turns(S, T, f, us, out)
    total = 0
    for i in range(n):
        play(S, T, load32(S, out + i))
        total += recurse5(S, T, depth - 1, bulk, out + n)
        take_back(S)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Sequences of ``depth`` legal turns from the current frame."""
    return _perft(S, load64(S, L.TABLES), depth, bulk, out)
