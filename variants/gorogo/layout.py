"""Where everything lies in GoRoGo's blocks.

A point is ``rank * 5 + file``; a set of points is one word. What a hand and a move are made of,
:mod:`~variants.gorogo.turns` knows.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import GAME_WORDS, MOVE_ROOM
from ryugi_engine.kernel.views import Layout, i64, u32

POINTS = 25
BOARD = (1 << POINTS) - 1
FILE_A = 0b00001_00001_00001_00001_00001
FILE_E = FILE_A << 4

#: A position, copied forward by every move. Pairs are White's and Black's.
FRAME = Layout(
    "frame",
    stones=i64[2],  # sets of points
    henges=i64,
    hands=i64[2],
    key=i64,
    side=i64,
    number=i64,
)
#: From a frame to the next one.
FRAME_WORDS = FRAME.words
MAX_PLIES = 64
STATE = Layout(
    "state",
    header=i64[GAME_WORDS],  # what every game has, see ryugi_engine.kernel.abi
    frames=FRAME[MAX_PLIES],
    moves=u32[MOVE_ROOM],
)
