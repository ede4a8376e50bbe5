"""Layouts of Gomoku Roku's blocks: frame, state and tables.

A set of cost circles is one word, bit n for ``board.CIRCLES[n]``, ring after ring from the inside.
A cell is a cost circle's number, or 64 + n for track circle n. A window is one of the 162 stretches
of five; the first 72 lie on cost circles only, the others end on a track circle.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, MOVE_CAPACITY
from ryugi_engine.kernel.views import Layout, bitboard, i16, i64, u8, u32

COST_CIRCLES = 60
CIRCLES = (1 << COST_CIRCLES) - 1
COSTS = 4
TRACK_CIRCLES = 30
WINDOWS = 162
PURE_WINDOWS = 72
TRACK_WINDOWS = 3  # that end on one track circle
TRACK_CELL = 64
CELLS = TRACK_CELL + TRACK_CIRCLES
PAIRS = 222

#: A position without the windows' counters; copied forward by every turn. Pairs are (White, Black).
FRAME = Layout(
    "frame",
    stones=i64[2],  # sets of cost circles
    track=i64[2],  # track circle, -1 before the setup
    hands=i64[2],
    removals=i64[2],  # pairs that the side has removed
    side=i64,
    phase=i64,  # as in text.py
    winner=i64,  # 0, or 1 + side
    key=i64,
    score=i64,  # value of the windows, White minus Black
    fours=bitboard[2],  # pure windows that one stone completes
    check=i64,
    move=i64,  # the last move
)
#: Distance from a frame to the next one.
FRAME_WORDS = FRAME.words
MAX_PLIES = 512
STATE = Layout(
    "state",
    header=HEADER.element(),
    tables=i64,  # address of the table block
    counters=u8[WINDOWS],  # the stones on each window's cost circles, see windows.own_count
    frames=FRAME[MAX_PLIES],
    moves=u32[MOVE_CAPACITY],
)

_FLANK = Layout(
    "flank",
    align=8,
    between=i64,  # set of the pair's two circles
    other=u8,  # the cell at its other end
    pair=u8,  # its number
)
_WINDOWS_AT = Layout("windows at", align=8, count=u8, window=u8[23])
TABLES = Layout(
    "tables",
    constant=True,
    ninuki=i64,
    removals_to_win=i64,
    values=i16[256],  # by counter: centipawns of a pure window, White minus Black
    masks=i64[WINDOWS],  # cost circles
    windows_at=_WINDOWS_AT[COST_CIRCLES],
    track_windows=u8[TRACK_CIRCLES, TRACK_WINDOWS],
    rings=i64[COSTS + 1],  # by cost: the circles
    cost=u8[COST_CIRCLES],
    between=i64[PAIRS],  # the circles of each pair
    ends=bitboard[PAIRS],  # the two cells that flank it
    first_flank=i64[CELLS + 1],  # where a cell's begin among the flanks, and after the last
    flank=_FLANK[2 * PAIRS],  # what each cell flanks, cell after cell
)
