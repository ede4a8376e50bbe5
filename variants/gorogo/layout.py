"""Layouts of GoRoGo's blocks: frame and state.

A point is ``rank * 5 + file``; a set of points is one word. :mod:`~variants.gorogo.turns` has the
codes of hands and moves.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, MOVE_CAPACITY
from ryugi_engine.kernel.views import Layout, i64, u32

POINTS = 25
BOARD = (1 << POINTS) - 1
FILE_A = 0b00001_00001_00001_00001_00001
FILE_E = FILE_A << 4

#: A position, copied forward by every move. Pairs are (White, Black).
FRAME = Layout(
    "frame",
    stones=i64[2],  # sets of points
    henges=i64,
    hands=i64[2],
    key=i64,
    side=i64,
    number=i64,
)
#: Distance from a frame to the next one.
FRAME_WORDS = FRAME.words
MAX_PLIES = 64
STATE = Layout("state", header=HEADER.element(), frames=FRAME[MAX_PLIES], moves=u32[MOVE_CAPACITY])
