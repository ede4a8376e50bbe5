"""Where everything lies in GoRoGo's blocks. All offsets count 64-bit words.

A point is ``rank * 5 + file``; a set of points is one word. A hand is ``stones | henges << 8``;
a move is ``point | kind << 6``.
"""

from __future__ import annotations

from ryugi_engine.abi import GAME_WORDS, MOVE_ROOM

BOARD = (1 << 25) - 1
FILE_A = 0b00001_00001_00001_00001_00001
FILE_E = FILE_A << 4
STONE, HENGE = 1, 2
FULL_HAND = 10 | 3 << 8  # White's before the setup

# ---- frame: a position, copied forward by every move
STONES = 0  # + side
HENGES = 2
HANDS = 3  # + side
KEY = 5
SIDE = 6
NUMBER = 7
FRAME = 8

# ---- state block
FRAMES = GAME_WORDS
MAX_PLIES = 64
MOVES = FRAMES + MAX_PLIES * FRAME
STATE_WORDS = MOVES + MOVE_ROOM // 2
