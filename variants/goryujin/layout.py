"""Where everything lies in Goryujin's blocks. All offsets count 64-bit words.

A row of the board is a word, file f in bit 4 + f; four empty rows lie below and above, so that a
window around any square can be read without asking for the edge. A *placement* is shape | file <<
6 | rank << 12, its square the lower left corner of the bounding box.
"""

from __future__ import annotations

from ryugi_engine.abi import GAME_WORDS, MOVE_ROOM
from variants.goryujin import text

FILES, RANKS = 60, 30
PAD = 4
ROWS = RANKS + 2 * PAD
FULL_ROW = -1 << PAD  # as int64: bits 4 to 63
SHAPES = 63
P = 4  # number of the letter
LETTERS = 12
DRAGONS = 5

# ---- moves: placement | dragon << 17 | kind << 20 | end of the new piece that joins << 22
PLACEMENT = (1 << 17) - 1
DRAGON_AT, KIND_AT, END_AT = 17, 20, 22
NEW, GROWTH, TOUCHDOWN, PASSED = range(4)
PASS_MOVE = PASSED << KIND_AT
assert PASS_MOVE == text.PASS_MOVE

# ---- a dragon's word: tip's placement | used end << 17 | first P's placement << 20 | flags
USED_AT, ROOT_AT = 17, 20
NO_END = 7  # used end of a P that nothing has joined
EXISTS, FINISHED = 1 << 37, 1 << 38
SECOND = 1 << 39  # the tip is the second piece: its used end is free once the P is lifted

# ---- frame: a position, copied forward by every move
OWN = 0  # + side * ROWS: squares that a side covers
FREE = OWN + 2 * ROWS  # + side * ROWS: empty squares without a neighbour of that side's
HANDS = FREE + 2 * ROWS  # + side: pieces left, 4 bits a letter
BODIES = HANDS + 2  # + side * DRAGONS + number: the dragons' words
COUNTS = BODIES + 2 * DRAGONS  # + side: dragons begun
TOUCHED = COUNTS + 2  # + side: distances of touchdowns, the nearest in the highest 5 of 25 bits
PIECES_KEY = TOUCHED + 2
KEY = PIECES_KEY + 1
SIDE = KEY + 1
PASSES = SIDE + 1
NUMBER = PASSES + 1
LOGGED = NUMBER + 1  # placements in the log
FRAME = LOGGED + 1

NO_DISTANCE = 31
NO_TOUCHDOWN = (1 << 25) - 1

# ---- state block
TABLES = GAME_WORDS  # address of the table block
FRAMES = GAME_WORDS + 8
#: 130 placements, and between them four passes at most; then the plies of a search.
MAX_PLIES = 5 * 130 + 140
LOG = FRAMES + MAX_PLIES * FRAME  # moves that placed something, with side << 24
LOG_WORDS = 136  # 120 pieces and ten touchdowns
LOG_SIDE = 24
MOVES = LOG + LOG_WORDS
#: Scratch of the race's search, a part for each side, see race.py.
RACE = MOVES + MOVE_ROOM // 2
MAX_LAYERS = 12
LAYER = 4 * ROWS  # a set of ends: direction * ROWS + row, in files of the square to join on
R_SHIFTED = 0  # + (files + 4) * ROWS + row: free squares so many files to the right
R_SEEN = R_SHIFTED + 9 * ROWS
R_CRITICAL = R_SEEN + LAYER  # two layers of ends on fastest ways, taken in turn
R_FIRST = R_CRITICAL + 2 * LAYER  # ends that the first turn of a fastest way leads to
R_CELLS = R_FIRST + LAYER  # + row: squares of the next two turns of all fastest ways
R_HAND = R_CELLS + ROWS  # the side's hand
R_LAYERS = R_HAND + 1  # + turns * LAYER
RACE_WORDS = R_LAYERS + (MAX_LAYERS + 1) * LAYER
#: Landings that would win at once, three rows each from the far edge.
MAX_LANDINGS = 40  # two on each end of five dragons, four ends at most
LANDINGS = RACE + 2 * RACE_WORDS
STATE_WORDS = LANDINGS + 3 * MAX_LANDINGS

# ---- table block
#: A shape: letter, width, height, number of ends, five rows,
#: four ends as file | rank << 4 | direction << 8.
T_SHAPES = 0
SHAPE_WORDS = 16
S_LETTER, S_WIDTH, S_HEIGHT, S_ENDS, S_ROWS, S_END = 0, 1, 2, 3, 4, 9
#: By the direction of the tip's end, the pieces that can join: letter * 4, move code (shape and
#: end), the corner's offset from the joint in files and ranks, the window that must be free.
T_JOINS = T_SHAPES + SHAPES * SHAPE_WORDS
JOIN_WORDS = 6
J_HAND, J_CODE, J_FILES, J_RANKS, J_WINDOW = range(5)
GROWTHS = 33  # growths of a direction; two touchdowns follow them
JOINS = GROWTHS + 2
#: The window: squares within four steps of the one that a joining piece begins on, 41 bits,
#: row by row.
WINDOW_HALF = 4
T_ROW_OF_WINDOW = T_JOINS + 4 * JOINS * JOIN_WORDS  # + row + 4: its bits in the window
T_FIRST_P = T_ROW_OF_WINDOW + 9  # number of the first P shape
P_SHAPES = 8
#: The same joins for whole rows: where the four other squares lie in R_SHIFTED, relative to the
#: joint's row; how many other ends, and for each the shifts left and right and the place in a
#: layer; the ranks that the piece reaches upward and downward.
T_PATHS = T_FIRST_P + 1
PATH_WORDS = 18
W_HAND, W_SQUARES, W_OUTS, W_OUT, W_UP, W_DOWN = 0, 1, 5, 6, 15, 16
T_TURN_COSTS = T_PATHS + 4 * JOINS * PATH_WORDS  # + turns, see evaluate.py
TABLE_WORDS = T_TURN_COSTS + MAX_LAYERS + 2
