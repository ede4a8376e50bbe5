"""Where everything lies in a search thread's block, and the numbers that kernels share."""

from __future__ import annotations

from ryugi_engine.kernel import abi
from ryugi_engine.kernel.abi import MOVE_ROOM, PARTS
from ryugi_engine.kernel.calls import GAME
from ryugi_engine.kernel.views import Layout, i16, i32, i64, shared, u16

MAX_PLY = abi.SEARCH_PLIES
EVAL_LIMIT = abi.EVAL_LIMIT
INFINITE = 32_001
MATE = 32_000
#: Scores beyond this are distances to the end of the game.
MATE_BOUND = MATE - 2 * MAX_PLY
#: In place of a static evaluation, in check.
NO_EVAL = -INFINITE

#: Shared by all threads of a search.
CONTROL = Layout("control", stop=shared)

#: What Python says before a root call; kernels only read it.
GIVEN = Layout(
    "given",
    constant=True,
    block=i64,  # address of the thread's own block
    control=i64,  # address of the control block
    table=i64,  # address of the transposition table
    table_mask=i64,  # buckets - 1
    generation=i64,  # of the table's entries
    node_limit=i64,  # 0: none
    beam=i64,  # moves to look at in a position, 0: all
    root_beam=i64,  # the same at the root, after the first iteration
)

# ---- lists: a pair for each move of the state's lists, at the same index -----------------------
#: A game's ``order`` writes hint and slot as 32-bit words; the slot's upper half is ours.
PAIR = Layout("pair", align=8, score=i32, slot=u16, flags=u16)
#: Flags of a pair: the game called the move tactical; its exchange has been looked at.
TACTICAL_FLAG, SEEN_FLAG = 1, 2
#: Hints from here on mean a tactical move; lower ones are added to its history.
TACTICAL_SCORE = abi.TACTICAL_HINT

#: QUIET_LIMIT at the start of a search; benches stay below a half of it.
QUIET_NODES = 4096
ROOT_LIMIT = abi.MAX_MOVES
HISTORY_SLOTS = abi.HISTORY_SLOTS
#: Late moves and great depths share the last row and column of the reductions.
REDUCTIONS = 64
#: Values learnt for each kind of likeness and side, within +-CORRECTION_LIMIT.
CORRECTIONS = 16_384
CORRECTION_LIMIT = 1024
_LOOK = Layout("look", align=16, move=i64, value=i64)
WORKER = Layout(
    "worker",
    game=GAME.element(),
    given=GIVEN.element(),
    nodes=i64,
    aborted=i64,
    seldepth=i64,
    null_ply=i64,  # ply of the node that a null move has just led to
    excluded=i64,  # move that the node searched next is to leave out, or 0
    quiet_limit=i64,  # nodes that a leaf's quiescence search may have
    quiet_end=i64,  # count of nodes at which the one now running ends
    root_count=i64,
    root_index=i64,  # move now searched at the root, for currmove
    root_score=i64,
    best_changes=i64,
    killers=i64[MAX_PLY, 2],
    evals=i64[MAX_PLY],
    pv=i64[MAX_PLY, MAX_PLY],  # the line from each ply on
    pv_length=i64[MAX_PLY + 1],
    history=i64[2, HISTORY_SLOTS],
    counters=i64[2 * HISTORY_SLOTS],  # reply that refuted what was made
    corrections=i16[PARTS + 1, 2, CORRECTIONS],  # by parts, and by the last two moves
    made=i64[MAX_PLY],  # slot of the move made at each ply, the second side's behind the first's
    reductions=i64[REDUCTIONS, REDUCTIONS],  # by depth and number of the move, hundredths
    root_moves=i64[ROOT_LIMIT],
    first_look=_LOOK[ROOT_LIMIT],  # the first iteration, in the order of its search
    pairs=PAIR[MOVE_ROOM],
)

# ---- transposition table: buckets of BUCKET entries -------------------------------------------
EXACT, LOWER, UPPER = 1, 2, 3
BUCKET_ENTRIES = 4
#: ``lock`` is key ^ data.
ENTRY = Layout("entry", align=16, lock=i64, data=i64)
BUCKET = Layout("bucket", entry=ENTRY[BUCKET_ENTRIES])
