"""Move lists as kernels write them: one move in each 32-bit word of a state.

A generator takes a list and returns a longer one. The same generator counts moves without writing
them when it is given :func:`counting`.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import store32


class MoveList(NamedTuple):
    """A growing list of moves, made by :func:`listing` or :func:`counting`."""

    state: int  # address of the block whose 32-bit words hold the list
    next: int  # index of the next move there
    listed: int  # 0 if moves are only counted


@kernel
def listing(S, first):
    """Return an empty list whose moves go to 32-bit words of S, beginning with word ``first``."""
    return MoveList(S, first, 1)


@kernel
def counting():
    """Return a list that only counts: ``next`` is the number of moves."""
    return MoveList(0, 0, 0)


@kernel
def put(moves, move):
    """Return the list with one more move."""
    if moves.listed != 0:
        store32(moves.state, moves.next, move)
    return MoveList(moves.state, moves.next + 1, moves.listed)
