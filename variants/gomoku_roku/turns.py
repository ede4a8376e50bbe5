"""Positions as kernels see them, and move codes: ``circle | kind << 8 | (1 + pair) << 12``.

In the setup the circle may be a track circle; ``pair`` is the removed pair, -1 for none.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.jit import kernel
from variants.gomoku_roku import layout as L

STONE, TRACK_STONE, PLACED, PASSED = 1, 2, 3, 4
#: In Python ``removal, rest = divmod(turn, ONE_PAIR)`` and ``divmod(rest, ONE_KIND)``.
ONE_KIND, ONE_PAIR = 1 << 8, 1 << 12


class Position(NamedTuple):
    """A frame, with tables and counters."""

    t: object  # the game's tables
    counters: object  # of the current position's windows
    frame: object


@kernel
def position_of(S, f):
    """Return the position of a frame of S; the state's counters must be the frame's."""
    state = L.STATE(S)
    return Position(L.TABLES(state.tables), state.counters, L.FRAME(S, f))


@kernel
def empty_circles(frame):
    """Return the cost circles without a stone."""
    return L.CIRCLES & ~(frame.stones[0] | frame.stones[1])


# ---- turns


@kernel
def turn_of(circle, kind):
    return circle | kind << 8


@kernel
def removing(circle, pair):
    """Return the code of placing a stone and removing a pair."""
    return turn_of(circle, STONE) | (pair + 1) << 12


@kernel
def circle_of(turn):
    return turn & (ONE_KIND - 1)


@kernel
def kind_of(turn):
    return (turn >> 8) & 15


@kernel
def pair_of(turn):
    """Return the pair that a turn removes, or -1."""
    return (turn >> 12) - 1
