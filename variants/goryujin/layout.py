"""Layouts of Goryujin's blocks: frame, state and tables.

A row of the board is a word, file f in bit ``PAD + f``. There are ``PAD`` empty rows below and
above, so that windows need no test for the edge: rank r is row ``PAD + r``. A *placement* is
shape | file << 6 | rank << 12, its square the lower left corner of the bounding box.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, MOVE_CAPACITY
from ryugi_engine.kernel.vectors import WORDS
from ryugi_engine.kernel.views import Layout, i8, i16, i32, i64, u8, u32
from variants.goryujin import text

FILES, RANKS = 60, 30
PAD = 4
ROWS = RANKS + 2 * PAD
FULL_ROW = -1 << PAD  # as int64: bits 4 to 63
SHAPES = 63
P = 4  # number of the letter
P_SHAPES = 8
LETTERS = 12
DRAGONS = 5
DIRECTIONS = 4  # up, right, down, left
MAX_ENDS = 4
MAX_HEIGHT = 5

# ---- moves: placement | dragon << 17 | kind << 20 | end of the new piece that joins << 22
PLACEMENT = (1 << 17) - 1
DRAGON_AT, KIND_AT, END_AT = 17, 20, 22
NEW, GROWTH, TOUCHDOWN, PASSED = range(4)
PASS_MOVE = PASSED << KIND_AT
assert PASS_MOVE == text.PASS_MOVE

# ---- frame: a position, copied forward by every move -------------------------------------------
NO_END = 7  # used end of a P that nothing has joined
_DRAGON = Layout(
    "dragon",
    align=8,
    tip=i32,  # placements: of its last piece,
    root=i32,  # of the P that it began with; 0, which is an F, if none is known
    used=u8,  # the tip's end that joins the piece before it, or NO_END
    second=u8,  # 1 if the tip is the second piece: its used end is free once the P is lifted
    finished=u8,  # 1 if it has touched down
)
NO_DISTANCE = 31
NO_TOUCHDOWN = (1 << 25) - 1
FRAME = Layout(
    "frame",
    covered=i64[2, ROWS],  # rows of the squares that a side covers
    free=i64[2, ROWS],  # rows of the empty squares without a neighbour of that side's
    hand=u8[2, LETTERS],  # pieces left
    dragon=_DRAGON[2, DRAGONS],
    begun=i64[2],  # how many dragons
    touched=i64[2],  # distances of touchdowns, the nearest in the highest 5 of 25 bits
    pieces_key=i64,
    key=i64,
    side=i64,
    passes=i64,
    number=i64,
    logged=i64,  # placements in the log
)
#: Distance from a frame to the next one.
FRAME_WORDS = FRAME.words

# ---- scratch of the race's search, for one side, see race.py -----------------------------------
#: The window: the squares within four steps of the joint, 41 bits, row by row from below.
WINDOW_HALF = 4
WINDOW_ROWS = 2 * WINDOW_HALF + 1
WINDOW = WINDOW_HALF**2 + (WINDOW_HALF + 1) ** 2
WINDOW_MIDDLE = 1 << (WINDOW // 2)
MAX_LAYERS = 12
#: The race works on bands of rows; rank r is its row ``RACE_PAD + r``.
BAND = WORDS
RACE_PAD = 8
RACE_ROWS = RANKS + 2 * RACE_PAD
#: A set of ends: rows of joints, by direction.
_ENDS = i64[DIRECTIONS, RACE_ROWS]
RACE = Layout(
    "race",
    stamp=i64,  # names the position that the result and the layers belong to
    distance=i64,  # the result, see race.Reach
    turns=i64,
    ways=i64,
    hint=i64,  # first bound of the next search
    traced=i64,  # stamp of the position that ``first`` and ``cells`` belong to
    available=i64[DIRECTIONS],  # growths with a piece left, as bits
    free=i64[RACE_ROWS],  # squares
    shifted=i64[WINDOW_ROWS * RACE_ROWS],  # the same moved 4 files to the right .. 4 to the left
    seen=_ENDS,
    layer=i64[MAX_LAYERS + 1, *_ENDS.shape],  # by turns
    rows=i64[MAX_LAYERS + 1, DIRECTIONS],  # rows of a layer that are not empty, as bits
    critical=i64[2, *_ENDS.shape],  # ends on fastest ways, after even and after odd turns
    first=_ENDS,  # ends that the first turn of a fastest way leads to
    cells=i64[RACE_ROWS],  # squares of the next two turns of all fastest ways
)

# ---- state block -------------------------------------------------------------------------------
#: 130 placements with at most four passes between two of them, and the plies of a search.
MAX_PLIES = 5 * 130 + 140
MAX_LOGGED = 136  # 120 pieces and ten touchdowns
_LOGGED = Layout("logged", align=8, placement=i32, side=u8, dragon=u8, kind=u8)
#: Maximum number of landings that win at once.
MAX_LANDINGS = 40  # two on each end of five dragons, four ends at most
LANDING_ROWS = 3  # from the far edge, that a landed P can cover
STATE = Layout(
    "state",
    header=HEADER.element(),
    tables=i64,  # address of the table block
    log=_LOGGED[MAX_LOGGED],  # moves that placed something
    frames=FRAME[MAX_PLIES],
    moves=u32[MOVE_CAPACITY],
    race=RACE[2],
    landings=i64[MAX_LANDINGS, LANDING_ROWS],
)

# ---- table block -------------------------------------------------------------------------------
#: An end of a shape: its joint, relative to the corner, and the direction to it.
_END = Layout("end", align=8, files=i8, ranks=i8, direction=i8)
_SHAPE = Layout(
    "shape",
    align=8,
    letter=u8,
    height=u8,
    ends=u8,  # how many
    rows=u8[MAX_HEIGHT],
    end=_END[MAX_ENDS],
)
#: A piece that can join: its corner relative to the joint, and the window that must be free.
_JOIN = Layout("join", align=8, window=i64, shape=u8, end=u8, letter=u8, files=i8, ranks=i8)
#: A joint that a joined piece leads to, relative to its own; one of the shifts is 0.
_OUT = Layout("out", align=8, right=u8, left=u8, ranks=i8, direction=u8)
#: A join for whole rows at once: the offsets of the other four squares.
_PATH = Layout(
    "path",
    align=8,
    letter=u8,
    outs=u8,  # how many
    up=i8,  # ranks that the piece reaches upward and downward
    down=i8,
    files=i8[4],
    ranks=i8[4],
    shifted=i16[4],  # where the race's ``shifted`` has them, from the joint's row on
    out=_OUT[MAX_ENDS - 1],
)
GROWTHS = 33  # pieces other than P that can join an end, orientations told apart
LANDINGS = 2  # ways in which a P can
#: The table block, writable, for the builder.
DRAFT = Layout(
    "tables",
    shape=_SHAPE[SHAPES],
    growth=_JOIN[DIRECTIONS, GROWTHS],  # by the direction of the tip's end, here and below
    landing=_JOIN[DIRECTIONS, LANDINGS],
    growth_path=_PATH[DIRECTIONS, GROWTHS],
    landing_path=_PATH[DIRECTIONS, LANDINGS],
    letter_growths=i64[DIRECTIONS, LETTERS],  # growths by a letter, as bits
    # turns to a landing on the far edge, by side, of an end on a board without other pieces
    least=u8[2, DIRECTIONS, RACE_ROWS],
    # growths, as bits, with an end from which so many turns can be enough
    useful=i64[2, DIRECTIONS, RACE_ROWS, MAX_LAYERS + 1],
    window_row=i64[WINDOW_ROWS],  # a row's bits in the window
    first_p=i64,  # number of the first P shape
    turn_cost=i64[MAX_LAYERS + 2],  # by turns, see evaluate.py
)
#: The same, constant, for all kernels.
TABLES = DRAFT.as_constant()
