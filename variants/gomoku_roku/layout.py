"""Where everything lies in Gomoku Roku's blocks. All offsets count 64-bit words.

A set of cost circles is one word, bit n for ``board.CIRCLES[n]``: the rings lie one behind the
other, the inmost first. A cell is a cost circle's number, or 64 + n for track circle n. A
window is one of the 162 stretches of five; the first 72 lie on cost circles alone, the others
end on a track circle.
"""

from __future__ import annotations

from ryugi_engine.abi import GAME_WORDS, MOVE_ROOM

CIRCLES = (1 << 60) - 1
TRACK_CIRCLES = 30
WINDOWS = 162
PURE_WINDOWS = 72
TRACK_CELL = 64

# ---- moves: circle, or track circle in the setup | kind << 8 | 1 + removal's pair << 12
STONE, TRACK_STONE, PLACED, PASSED = 1, 2, 3, 4

# ---- frame: what a turn changes but the windows' counters, copied forward
STONES = 0  # + side: set of cost circles
TRACK = 2  # + side: track circle, -1 before the setup
HANDS = 4  # + side
REMOVALS = 6  # + side: pairs that the side has removed
SIDE = 8
PHASE = 9  # as in text.py
WINNER = 10  # 0, or 1 + side
KEY = 11
SCORE = 12  # value of the windows, White minus Black
FOURS = 13  # + 2 * side: pure windows that one stone completes, 72 bits in two words
CHECK = 17
MOVE = 18  # the last move
FRAME = 24

# ---- state block
TABLES = GAME_WORDS  # address of the table block
COUNTERS = GAME_WORDS + 8  # 162 bytes: White's stones | Black's stones << 4 on the cost circles
FRAMES = COUNTERS + 24
MAX_PLIES = 512
MOVES = FRAMES + MAX_PLIES * FRAME
STATE_WORDS = MOVES + MOVE_ROOM // 2

# ---- table block
T_NINUKI = 0
T_REMOVALS_TO_WIN = 1
T_VALUES = 8  # 256 words: what a pure window with these counts is worth, White minus Black
T_MASKS = T_VALUES + 256  # + window: its cost circles
T_WINDOWS = T_MASKS + WINDOWS + 6  # + 24 * circle: how many windows, then their numbers
T_TRACK_WINDOWS = T_WINDOWS + 24 * 60  # + 4 * track circle: three windows
T_RINGS = T_TRACK_WINDOWS + 4 * TRACK_CIRCLES  # + cost: its circles
T_COST = T_RINGS + 8  # + circle
T_PAIRS = T_COST + 64  # + 4 * pair: circles between, cell on one side, cell on the other
PAIRS = 222
T_PAIRS_AT = T_PAIRS + 4 * PAIRS + 8  # + 16 * cell: how many pairs it flanks, then their numbers
TABLE_WORDS = T_PAIRS_AT + 16 * (TRACK_CELL + TRACK_CIRCLES)
