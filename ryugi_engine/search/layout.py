"""Where everything lies in a search thread's block, and the numbers that kernels share."""

from __future__ import annotations

from ryugi_engine import abi
from ryugi_engine.abi import MOVE_ROOM

MAX_PLY = abi.SEARCH_PLIES
EVAL_LIMIT = abi.EVAL_LIMIT
INFINITE = 32_001
MATE = 32_000
#: Scores beyond this are distances to the end of the game.
MATE_BOUND = MATE - 2 * MAX_PLY

# ---- header: addresses of the game's entries in the order of abi.Kernels, then the thread's words
(GENERATE, MAKE, UNMAKE, MAKE_NULL, UNMAKE_NULL, EVALUATE, STATUS, NO_MOVES, ORDER, EXCHANGE) = (
    range(10)
)
KERNELS = 10  # of abi.Kernels: perft, the last, is not the search's
STATE = 16
TABLE = 17  # address of the transposition table
TABLE_MASK = 18  # buckets - 1
CONTROL = 19  # address of the control block, shared by all threads of a search
NODES = 20
NODE_LIMIT = 21  # 0: none
SELDEPTH = 22
ABORTED = 23
GENERATION = 24
ROOT_COUNT = 25
ROOT_SCORE = 26
ROOT_INDEX = 27  # move now searched at the root, for currmove
BEST_CHANGES = 28
LIST_SHIFT = 30  # add to a list index of the state for the index of its pair here
NULL_PLY = 29  # ply of the node that a null move has just led to
BEAM = 31  # moves to look at in a position, 0: all
ROOT_BEAM = 32  # the same at the root, after the first iteration
QUIET_LIMIT = 33  # nodes that a leaf's quiescence search may have
QUIET_END = 34  # count of nodes at which the one now running ends
HEADER = 64

# ---- control block
STOP = 0
CONTROL_WORDS = 8

#: QUIET_LIMIT at the start of a search; benches stay below a half of it.
QUIET_NODES = 4096
ROOT_LIMIT = abi.MAX_MOVES
HISTORY_SLOTS = abi.HISTORY_SLOTS
KILLERS = HEADER  # 2 a ply
EVALS = KILLERS + 2 * MAX_PLY
PV = EVALS + MAX_PLY + 8  # triangular: row of MAX_PLY words a ply
PV_LENGTH = PV + (MAX_PLY + 2) * MAX_PLY
HISTORY = PV_LENGTH + MAX_PLY + 2  # + side * HISTORY_SLOTS + slot
COUNTERS = HISTORY + 2 * HISTORY_SLOTS  # reply that refuted a slot
SLOTS = COUNTERS + 2 * HISTORY_SLOTS  # slot of the move made at each ply
REDUCTIONS = SLOTS + MAX_PLY + 2  # 64 x 64, in plies
ROOT_MOVES = REDUCTIONS + 64 * 64
#: Moves and scores of the first iteration, in the order of their search.
FIRST_LOOK = ROOT_MOVES + ROOT_LIMIT
LIST = FIRST_LOOK + 2 * ROOT_LIMIT  # pairs of 32-bit words beside the state's move list
WORDS = LIST + MOVE_ROOM

# ---- transposition table: buckets of BUCKET entries; an entry is (key ^ data, data)
BUCKET = 4
ENTRY_WORDS = 2
EXACT, LOWER, UPPER = 1, 2, 3
