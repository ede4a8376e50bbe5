"""Layouts of Breakthrough's frame and state.

A square is ``rank * 16 + file``: files beyond the eighth stay empty, so that a step to the side
cannot come out on another rank of the board. A move is ``from | to << 7``.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, MOVE_CAPACITY
from ryugi_engine.kernel.views import Layout, bitboard, i64, u32

#: Half of the board's squares, in each word of a bitboard; a rank of it.
HALF = 0x00FF_00FF_00FF_00FF
RANK = 0xFF
#: What each side wants to reach: rank 8 in the high word, rank 1 in the low one.
LAST_RANK = RANK << 48

FRAME = Layout(
    "frame",
    by_color=bitboard[2],  # by side
    key=i64,
    side=i64,
    number=i64,
)
#: Distance from a frame to the next one.
FRAME_WORDS = FRAME.words
#: A game has 224 plies at most, and a search goes abi.SEARCH_PLIES beyond.
MAX_PLIES = 512
STATE = Layout("state", header=HEADER.element(), frames=FRAME[MAX_PLIES], moves=u32[MOVE_CAPACITY])
