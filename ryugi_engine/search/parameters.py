"""The search's numbers that are tuned: name, value, range, what it does.

Kernels take theirs as constants; those of windows and time are read by Python. In a checkout the
environment may give other values for a trial: ``RYUGI_TUNE="rfp_margin=90,time_soft=80"``. It is
read once, when this module is imported. The import does not need numba.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ryugi_engine.errors import UserError


class Parameter(NamedTuple):
    """A tunable search parameter; ``low`` and ``high`` are both allowed values."""

    name: str
    value: int
    low: int
    high: int
    meaning: str
    #: Whether kernels are compiled with it, so that another value means another kernel.
    compiled: bool


#: All parameters with their values in this process.
PARAMETERS: list[Parameter] = []


def _tuned() -> dict[str, str]:
    """Return the values set by RYUGI_TUNE; an installed engine ignores the variable."""
    text = os.environ.get("RYUGI_TUNE", "")
    if not text or not (Path(__file__).parents[2] / "pyproject.toml").is_file():
        return {}
    wanted = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals:
            raise UserError(f'RYUGI_TUNE: "{part.strip()}" is not "name=value"')
        if name in wanted:
            raise UserError(f"RYUGI_TUNE: {name} is given twice")
        wanted[name] = value
    return wanted


_wanted = _tuned()


def _parameter(
    name: str, value: int, low: int, high: int, meaning: str, *, compiled: bool = True
) -> int:
    """Declare a parameter and return its value: the default or that of RYUGI_TUNE."""
    text = _wanted.pop(name, None)
    if text is not None:
        try:
            value = int(text)
        except ValueError:
            raise UserError(f'RYUGI_TUNE: {name} is a whole number, not "{text}"') from None
        if not low <= value <= high:
            raise UserError(f"RYUGI_TUNE: {name} is {low} to {high}, not {value}")
    PARAMETERS.append(Parameter(name, value, low, high, meaning, compiled))
    return value


def _not_compiled(name: str, value: int, low: int, high: int, meaning: str) -> int:
    """Declare a parameter that Python reads: another value compiles nothing."""
    return _parameter(name, value, low, high, meaning, compiled=False)


# ---- whole-node pruning: depths in plies, margins in centipawns ----------------------------------
RFP_DEPTH = _parameter("rfp_depth", 7, 0, 20, "reverse futility pruning: maximum depth")
RFP_MARGIN = _parameter("rfp_margin", 93, 0, 1000, "reverse futility pruning: margin per ply")
RFP_IMPROVING = _parameter(
    "rfp_improving", 53, 0, 1000, "reverse futility pruning: smaller margin when improving"
)
RAZORING_DEPTH = _parameter("razoring_depth", 2, 0, 20, "razoring: maximum depth")
RAZORING_MARGIN = _parameter("razoring_margin", 260, 0, 2000, "razoring: margin per ply")

# ---- null move -----------------------------------------------------------------------------------
NULL_DEPTH = _parameter("null_depth", 3, 1, 20, "null move: minimum depth")
NULL_BASE = _parameter("null_base", 4, 1, 10, "null move: base reduction, plies")
NULL_DIVISOR = _parameter("null_divisor", 4, 1, 100, "null move: one more ply per this depth")
NULL_MARGIN = _parameter("null_margin", 6, -200, 200, "null move: evaluation above beta, at least")
NULL_EVAL_DIVISOR = _parameter(
    "null_eval_divisor", 180, 1, 2000, "null move: one more ply per this much above beta"
)
NULL_EVAL_LIMIT = _parameter("null_eval_limit", 3, 0, 10, "null move: maximum of those plies")

# ---- check extension -----------------------------------------------------------------------------
CHECK_EXTENSION_PLIES = _parameter(
    "check_extension_plies", 4, 1, 128, "check extension: plies per ply of depth, in any case"
)

# ---- internal iterative reduction ----------------------------------------------------------------
IIR_DEPTH = _parameter("iir_depth", 5, 1, 20, "internal iterative reduction: minimum depth")

# ---- singular extensions -------------------------------------------------------------------------
SINGULAR_DEPTH = _parameter("singular_depth", 5, 4, 100, "singular extension: minimum depth")
SINGULAR_MARGIN = _parameter("singular_margin", 1, 0, 50, "singular extension: margin per ply")
SINGULAR_DOUBLE = _parameter(
    "singular_double", 15, 0, 1000, "singular extension: two plies if below the window by more"
)

# ---- move pruning --------------------------------------------------------------------------------
LMP_DEPTH = _parameter("lmp_depth", 7, 0, 20, "late move pruning: maximum depth")
LMP_BASE = _parameter("lmp_base", 4, 0, 100, "late move pruning: quiet moves searched at least")
LMP_SQUARE = _parameter(
    "lmp_square", 114, 0, 1000, "late move pruning: more per squared depth, in hundredths"
)
FUTILITY_DEPTH = _parameter("futility_depth", 6, 0, 20, "futility pruning: maximum depth")
FUTILITY_BASE = _parameter("futility_base", 94, 0, 1000, "futility pruning: base margin")
FUTILITY_MARGIN = _parameter("futility_margin", 109, 0, 1000, "futility pruning: margin per ply")
HISTORY_PRUNING_DEPTH = _parameter(
    "history_pruning_depth", 4, 0, 20, "history pruning: maximum depth"
)
HISTORY_PRUNING_MARGIN = _parameter(
    "history_pruning_margin", 4000, 0, 65_536, "history pruning: threshold per ply"
)
SEE_PRUNING_DEPTH = _parameter("see_pruning_depth", 6, 0, 20, "SEE pruning: maximum depth")
SEE_QUIET_MARGIN = _parameter(
    "see_quiet_margin", 50, 0, 1000, "SEE pruning: loss per ply of a quiet move"
)
SEE_TACTICAL_MARGIN = _parameter(
    "see_tactical_margin", 115, 0, 1000, "SEE pruning: loss per ply of a tactical move"
)

# ---- late move reductions: in hundredths of a ply ------------------------------------------------
LMR_DEPTH = _parameter("lmr_depth", 3, 2, 20, "LMR: minimum depth")
LMR_MOVES = _parameter("lmr_moves", 2, 1, 100, "LMR: moves searched at full depth")
LMR_BASE = _not_compiled("lmr_base", 8, -500, 500, "LMR: constant part")
LMR_DIVISOR = _not_compiled(  # the worker's table is made of these two
    "lmr_divisor", 225, 50, 1000, "LMR: log(depth) * log(move number) / this, this in hundredths"
)
LMR_PV = _parameter("lmr_pv", 103, -500, 500, "LMR: less in a PV node")
LMR_NOT_IMPROVING = _parameter("lmr_not_improving", 94, -500, 500, "LMR: more when not improving")
LMR_GIVES_CHECK = _parameter("lmr_gives_check", 113, -500, 500, "LMR: less for a checking move")
LMR_IN_CHECK = _parameter("lmr_in_check", 88, -500, 500, "LMR: less when evading a check")
LMR_TACTICAL = _parameter(
    "lmr_tactical", 159, -500, 10_000, "LMR: less for a tactical move that loses no material"
)
LMR_CUT_NODE = _parameter("lmr_cut_node", 100, -500, 500, "LMR: more in a cut node")
LMR_CUTOFFS = _parameter(
    "lmr_cutoffs", 3, 0, 100, "LMR: a ply more after more cutoffs among a node's children"
)
LMR_HISTORY = _parameter("lmr_history", 5800, 500, 100_000, "LMR: history worth one ply")
LMR_DEEPER = _parameter(
    "lmr_deeper", 8, 0, 200, "LMR: re-search a ply deeper if better by this per reduced ply"
)
LMR_ROOT_DEPTH = _parameter("lmr_root_depth", 4, 2, 20, "LMR at the root: minimum depth")
LMR_ROOT_MOVES = _parameter("lmr_root_moves", 4, 1, 100, "LMR at the root: moves at full depth")

# ---- history -------------------------------------------------------------------------------------
HISTORY_BONUS_SQUARE = _parameter(
    "history_bonus_square", 8, 0, 100, "history: bonus per squared depth"
)
HISTORY_BONUS = _parameter("history_bonus", 48, 0, 1000, "history: bonus per ply of depth")
HISTORY_BONUS_LIMIT = _parameter("history_bonus_limit", 1470, 1, 16_384, "history: maximum bonus")
HISTORY_LIMIT = _parameter("history_limit", 16_384, 2048, 32_000, "history: limit of its values")
CONTINUATION_WEIGHT = _parameter(
    "continuation_weight", 38, 0, 64, "continuation history: share added to the history, in 64ths"
)

# ---- correction history --------------------------------------------------------------------------
CORRECTION_KEY_WEIGHT = _parameter(
    "correction_key_weight", 125, 0, 1000, "correction history: maximum per key, centipawns"
)
CORRECTION_CONTINUATION_WEIGHT = _parameter(
    "correction_continuation_weight",
    156,
    0,
    1000,
    "correction history: maximum of the last two moves, centipawns",
)
CORRECTION_DIVISOR = _parameter(
    "correction_divisor", 4, 1, 64, "correction history: bonus is error * depth / this"
)
CORRECTION_BONUS_LIMIT = _parameter(
    "correction_bonus_limit", 256, 1, 512, "correction history: maximum bonus, of 1024"
)

# ---- quiescence search ---------------------------------------------------------------------------
QSEARCH_FUTILITY = _parameter(
    "qsearch_futility", 250, 0, 3000, "qsearch: margin of what a capture may win at most"
)
QSEARCH_EVASIONS = _parameter(
    "qsearch_evasions", 4, 1, 100, "qsearch: first evasions of a check, quiet or not"
)
QSEARCH_MIN_NODES = _parameter(
    "qsearch_min_nodes", 64, 16, 4096, "qsearch: smallest node limit, on crowded boards"
)

# ---- transposition table -------------------------------------------------------------------------
TABLE_KEEP = _parameter(
    "table_keep", 4, 1, 255, "table: an entry is kept from a bound that is less deep by so much"
)

# ---- aspiration windows --------------------------------------------------------------------------
ASPIRATION_DELTA = _not_compiled(
    "aspiration_delta", 18, 1, 1000, "aspiration window: first half-width, centipawns"
)
ASPIRATION_DEPTH = _not_compiled("aspiration_depth", 5, 2, 20, "aspiration window: minimum depth")
ASPIRATION_GROWTH = _not_compiled(
    "aspiration_growth", 3, 2, 20, "aspiration window: growth factor after a fail high or low"
)
ASPIRATION_LIMIT = _not_compiled(
    "aspiration_limit", 600, 1, 30_000, "aspiration window: half-width beyond which it is full"
)

# ---- time management: shares are hundredths ------------------------------------------------------
TIME_HORIZON = _not_compiled(
    "time_horizon", 30, 5, 200, "time: moves to go that are assumed at the start, in sudden death"
)
TIME_HORIZON_FALL = _not_compiled(
    "time_horizon_fall", 50, 0, 100, "time: less of these per move played, in hundredths"
)
TIME_MIN_HORIZON = _not_compiled(
    "time_min_horizon", 7, 3, 50, "time: minimum of the moves that are assumed"
)
TIME_SHORT_GAME = _not_compiled(
    "time_short_game",
    40,
    10,
    100,
    "time: minimum of a short game's horizon, in hundredths of chess's",
)
TIME_MAX_MOVES_TO_GO = _not_compiled(
    "time_max_moves_to_go", 50, 5, 500, "time: maximum of moves to go"
)
TIME_INCREMENT = _not_compiled(
    "time_increment", 120, 0, 300, "time: share of the increment per move"
)
TIME_SOFT = _not_compiled("time_soft", 85, 5, 400, "time: soft limit, of a move's share")
TIME_HARD = _not_compiled("time_hard", 400, 100, 2000, "time: hard limit, of a move's share")
TIME_MAX_SHARE = _not_compiled(
    "time_max_share", 35, 5, 80, "time: maximum share of the remaining clock"
)
TIME_BEST_MOVE_CHANGE = _not_compiled(
    "time_best_move_change", 35, 0, 200, "time: more per change of the best move in an iteration"
)
TIME_BEST_MOVE_CHANGES = _not_compiled(
    "time_best_move_changes", 4, 0, 20, "time: maximum of such changes"
)
TIME_STABILITY = _not_compiled(
    "time_stability", 7, 0, 20, "time: less per iteration with the same best move"
)
TIME_STABILITY_LIMIT = _not_compiled(
    "time_stability_limit", 6, 0, 20, "time: maximum of such iterations"
)
TIME_NODES = _not_compiled(
    "time_nodes", 100, 0, 150, "time: less the larger the best move's share of the nodes"
)
TIME_FALL = _not_compiled("time_fall", 60, 0, 100, "time: more per centipawn of a falling score")
TIME_FALL_LIMIT = _not_compiled("time_fall_limit", 80, 0, 150, "time: maximum of such centipawns")

if _wanted:
    raise UserError(f'RYUGI_TUNE: there is no parameter "{min(_wanted)}"')
