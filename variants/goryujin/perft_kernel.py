"""Perft: counting legal turn sequences."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.jit import entry, routine
from ryugi_engine.kernel.memory import load32, recurse4
from ryugi_engine.kernel.move_list import counting, listing
from variants.goryujin.board import position_of
from variants.goryujin.makemove import play, take_back
from variants.goryujin.moves import turns


@routine
def _perft(S, depth, bulk, out):
    if depth == 0:
        return 1
    if HEADER(S).stop != 0:
        return 0
    position = position_of(S)
    us = position.frame.side
    if depth == 1 and bulk != 0:
        return turns(position, us, counting()).next
    last = turns(position, us, listing(S, out)).next
    total = 0
    for i in range(out, last):
        play(S, load32(S, i))
        total += recurse4(S, depth - 1, bulk, last)
        take_back(S)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Return the number of sequences of ``depth`` legal turns."""
    return _perft(S, depth, bulk, out)
