"""The layout of a search thread's memory, and the constants that kernels share."""

from __future__ import annotations

from ryugi_engine.kernel import abi
from ryugi_engine.kernel.abi import CORRECTION_KEYS, MOVE_CAPACITY
from ryugi_engine.kernel.calls import GAME
from ryugi_engine.kernel.views import Layout, i16, i32, i64, shared, u16

MAX_PLY = abi.SEARCH_PLIES
EVAL_LIMIT = abi.EVAL_LIMIT
INFINITE = 32_001
MATE = 32_000
#: Scores beyond this are distances to the end of the game.
MATE_BOUND = MATE - 2 * MAX_PLY
#: Static evaluation of a node in check.
NO_EVAL = -INFINITE

#: Shared by all threads of a search.
CONTROL = Layout("control", stop=shared)

#: The arguments of a root search, written by Python; kernels only read them.
ROOT_ARGS = Layout(
    "root_args",
    constant=True,
    block=i64,  # address of the thread's own block
    control=i64,  # address of the control block
    table=i64,  # address of the transposition table
    table_mask=i64,  # buckets - 1
    generation=i64,  # of the table's entries
    node_limit=i64,  # 0: none
    saturation=i64,  # centipawns beyond which evaluations count less, 0: none
    beam=i64,  # moves to search in a position, 0: all
    root_beam=i64,  # the same at the root, after the first iteration
    seed=i64,  # of what a weaker player does not see (``handicap``)
    noise=i64,  # standard deviation of the root moves' noise in centipawns, 0: none
    overlooked=i64,  # replies that are overlooked, of ``handicap.ALL_REPLIES``, 0: none
)

# ---- move ordering: a score for each move of the state's move lists, at the same index ----------
#: A game's ``order`` writes score and history slot as 32-bit words. The search uses the slot's
#: upper half for its flags.
MOVE_SCORE = Layout("move_score", align=8, score=i32, slot=u16, flags=u16)
#: Flags: the game marked the move as tactical; its SEE has been evaluated; a quiet move's history
#: is not in its score yet.
TACTICAL_FLAG, SEE_FLAG, UNSCORED_FLAG = 1, 2, 4
#: A game's scores from here on mark a tactical move; lower ones are added to its history.
TACTICAL_SCORE = abi.TACTICAL_SCORE

#: Node limit of a leaf's quiescence search at the start; benches stay below half of it.
QSEARCH_NODES = 4096
#: Nodes of an iteration in which each check is extended: so many, times 4 to the power of its
#: depth, or of this depth. Benches stay below, except that of giveaway.
EXTENSION_NODES, EXTENSION_DEPTHS = 1024, 20
ROOT_LIMIT = abi.MAX_MOVES
HISTORY_SLOTS = abi.HISTORY_SLOTS
#: Entries of the continuation history.
CONTINUATIONS = 1 << 21
#: Size of the LMR table; larger depths and move numbers use its last row and column.
REDUCTIONS = 64
#: Entries per table and side of the correction history, each within +-CORRECTION_LIMIT.
CORRECTIONS = 16_384
CORRECTION_LIMIT = 1024
_ROOT_SCORE = Layout("root_score", align=16, move=i64, value=i64)
WORKER = Layout(
    "worker",
    game=GAME.element(),
    root_args=ROOT_ARGS.element(),
    nodes=i64,
    aborted=i64,
    seldepth=i64,
    null_ply=i64,  # ply of a node directly after a null move
    excluded=i64,  # move that the next node must not search (singular extension test), or 0
    cut_node=i64,  # 1 if the next node is expected to fail high, else 0
    overlooked=i64,  # the replies to the root move that is being searched that are overlooked
    extension_end=i64,  # value of ``nodes`` up to which each check is extended
    qsearch_limit=i64,  # node limit of a leaf's quiescence search
    qsearch_ply=i64,  # ply of the leaf at which the running one began
    qsearch_end=i64,  # value of ``nodes`` at which the running one ends
    root_depth=i64,  # depth of the search from the root
    root_count=i64,
    root_index=i64,  # root move that is being searched, for currmove
    root_score=i64,
    best_changes=i64,
    best_nodes=i64,  # of the best root move in the last root search
    searched_nodes=i64,  # of all root moves in it
    cutoffs=i64[MAX_PLY + 1],  # beta cutoffs among the children of the node a ply above
    killers=i64[MAX_PLY, 2],
    static_evals=i64[MAX_PLY],
    pv=i64[MAX_PLY, MAX_PLY],  # triangular PV table
    pv_length=i64[MAX_PLY + 1],
    history=i64[2, HISTORY_SLOTS],
    continuation_history=i16[CONTINUATIONS],  # by an earlier move's slot and a move's, hashed
    counter_moves=i64[2 * HISTORY_SLOTS],  # by the previous move's slot
    correction_history=i16[
        CORRECTION_KEYS + 1, 2, CORRECTIONS
    ],  # by keys, and by the last two moves
    move_slots=i64[MAX_PLY],  # history slot of the move at each ply, + HISTORY_SLOTS for side 1
    reductions=i64[REDUCTIONS, REDUCTIONS],  # LMR by depth and move number, hundredths of a ply
    root_moves=i64[ROOT_LIMIT],
    root_scores=_ROOT_SCORE[ROOT_LIMIT],  # of the first iteration, in the order of its search
    move_scores=MOVE_SCORE[MOVE_CAPACITY],
)

# ---- transposition table: buckets of BUCKET entries -------------------------------------------
EXACT, LOWER, UPPER = 1, 2, 3
BUCKET_ENTRIES = 4
#: ``lock`` is key ^ data.
ENTRY = Layout("entry", align=16, lock=i64, data=i64)
BUCKET = Layout("bucket", entry=ENTRY[BUCKET_ENTRIES])
