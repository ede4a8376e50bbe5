"""Lists of moves as kernels write them: 32-bit words of a state, one a move.

A generator takes a list and hands back a longer one; the same generator counts, given a list that
is not written.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import store32


class Moves(NamedTuple):
    """A list of moves while it grows; one that only counts has ``listed`` 0."""

    state: int  # address of the block whose 32-bit words hold the list
    next: int  # index of the next move there
    listed: int


@kernel
def put(moves, move):
    """The list with one more move."""
    if moves.listed != 0:
        store32(moves.state, moves.next, move)
    return Moves(moves.state, moves.next + 1, moves.listed)
