"""The search's numbers that are tuned: name, value, range, what it does.

Kernels take theirs as constants; those of windows and time are read by Python. In a checkout the
environment may give other values for a trial, ``RYUGI_TUNE="futility=90,time_soft=80"``; what it
says is read once, when this module is imported, for which numba is not needed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ryugi_engine.errors import UserError


class Parameter(NamedTuple):
    """A number of the search that may be tuned within a range, both ends included."""

    name: str
    value: int
    low: int
    high: int
    meaning: str
    #: Whether kernels are compiled with it: another value is another kernel then.
    compiled: bool


#: All of them, with the values that hold in this process.
PARAMETERS: list[Parameter] = []


def _tuned() -> dict[str, str]:
    """The values of the environment, for who works on the engine: an installed one has none."""
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
    """Declare a parameter; the value that holds for it."""
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


def _read_late(name: str, value: int, low: int, high: int, meaning: str) -> int:
    """Declare a parameter that no kernel has: another value compiles nothing."""
    return _parameter(name, value, low, high, meaning, compiled=False)


# ---- positions far ahead or behind: depths in plies, margins in centipawns -----------------------
FUTILITY_DEPTH = _parameter("futility_depth", 7, 0, 20, "far ahead: at most this deep")
FUTILITY = _parameter("futility", 93, 0, 1000, "far ahead: margin a ply")
FUTILITY_IMPROVING = _parameter(
    "futility_improving", 53, 0, 1000, "far ahead: less margin where the position improves"
)
RAZOR_DEPTH = _parameter("razor_depth", 2, 0, 20, "far behind: at most this deep")
RAZOR = _parameter("razor", 260, 0, 2000, "far behind: margin a ply")

# ---- null move -----------------------------------------------------------------------------------
NULL_DEPTH = _parameter("null_depth", 3, 1, 20, "null move: from this depth on")
NULL_BASE = _parameter("null_base", 4, 1, 10, "null move: plies less")
NULL_DIVISOR = _parameter("null_divisor", 4, 1, 100, "null move: so much depth is one ply less")
NULL_MARGIN = _parameter("null_margin", 6, -200, 200, "null move: from so much above beta on")
NULL_GAIN = _parameter("null_gain", 180, 1, 2000, "null move: so much above beta is one ply less")
NULL_GAIN_LIMIT = _parameter("null_gain_limit", 3, 0, 10, "null move: plies less by that at most")

# ---- without a move from the table ---------------------------------------------------------------
UNKNOWN_DEPTH = _parameter("unknown_depth", 5, 1, 20, "no move in the table: from this depth on")

# ---- singular moves ------------------------------------------------------------------------------
SINGULAR_DEPTH = _parameter("singular_depth", 5, 4, 100, "singular moves: from this depth on")
SINGULAR = _parameter(
    "singular", 1, 0, 50, "singular moves: so much better than the others a ply, centipawns"
)

# ---- moves that are left out ---------------------------------------------------------------------
LATE_DEPTH = _parameter("late_depth", 7, 0, 20, "late quiet moves: at most this deep")
LATE_BASE = _parameter("late_base", 4, 0, 100, "late quiet moves: so many remain at least")
LATE_SQUARE = _parameter(
    "late_square", 114, 0, 1000, "late quiet moves: more for a squared ply, in hundredths"
)
HOPELESS_DEPTH = _parameter("hopeless_depth", 6, 0, 20, "hopeless quiet moves: at most this deep")
HOPELESS_BASE = _parameter("hopeless_base", 94, 0, 1000, "hopeless quiet moves: margin")
HOPELESS = _parameter("hopeless", 109, 0, 1000, "hopeless quiet moves: margin a ply")
DISPROVED_DEPTH = _parameter(
    "disproved_depth", 4, 0, 20, "moves of a bad history: at most this deep"
)
DISPROVED = _parameter("disproved", 4000, 0, 65_536, "moves of a bad history: so bad, a ply")
LOSING_DEPTH = _parameter("losing_depth", 6, 0, 20, "losing exchanges: at most this deep")
LOSING_QUIET = _parameter("losing_quiet", 50, 0, 1000, "losing exchanges: a quiet one's loss a ply")
LOSING_TACTICAL = _parameter(
    "losing_tactical", 115, 0, 1000, "losing exchanges: a tactical one's loss a ply"
)

# ---- reductions ----------------------------------------------------------------------------------
REDUCED_DEPTH = _parameter("reduced_depth", 3, 2, 20, "reductions: from this depth on")
REDUCED_AFTER = _parameter("reduced_after", 2, 1, 100, "reductions: after so many moves")
REDUCTION_BASE = _read_late("reduction_base", 48, -500, 500, "reductions: hundredths, of any")
REDUCTION = _read_late(  # the worker's table is made of these two
    "reduction", 225, 50, 1000, "reductions: log depth * log move / this, in hundredths"
)
REDUCTION_PV = _parameter("reduction_pv", 103, -500, 500, "reductions: less in a line's node")
REDUCTION_WORSE = _parameter(
    "reduction_worse", 94, -500, 500, "reductions: more where the position does not improve"
)
REDUCTION_CHECK = _parameter("reduction_check", 113, -500, 500, "reductions: less of a check")
REDUCTION_EVASION = _parameter(
    "reduction_evasion", 88, -500, 500, "reductions: less of a check's evasion"
)
REDUCTION_TACTICAL = _parameter(
    "reduction_tactical", 159, -500, 10_000, "reductions: less of an exchange that does not lose"
)
REDUCTION_HISTORY = _parameter(
    "reduction_history", 5800, 500, 100_000, "reductions: so much history is one ply less"
)
ROOT_REDUCED_DEPTH = _parameter("root_reduced_depth", 4, 2, 20, "the same at the root: depth")
ROOT_REDUCED_AFTER = _parameter("root_reduced_after", 4, 1, 100, "the same at the root: moves")

# ---- histories -----------------------------------------------------------------------------------
BONUS_SQUARE = _parameter("bonus_square", 8, 0, 100, "history: bonus a squared ply")
BONUS = _parameter("bonus", 48, 0, 1000, "history: bonus a ply")
BONUS_LIMIT = _parameter("bonus_limit", 1470, 1, 16_384, "history: the largest bonus")
HISTORY_LIMIT = _parameter("history_limit", 16_384, 2048, 65_536, "history: values are within")

# ---- corrections of the evaluation ---------------------------------------------------------------
CORRECTION_PART = _parameter(
    "correction_part", 125, 0, 1000, "corrections: by each part of the position at most, centipawns"
)
CORRECTION_LINE = _parameter(
    "correction_line", 156, 0, 1000, "corrections: by the last two moves at most, centipawns"
)
CORRECTION_DIVISOR = _parameter(
    "correction_divisor", 4, 1, 64, "corrections: learn error * depth / this"
)
CORRECTION_STEP = _parameter(
    "correction_step", 256, 1, 512, "corrections: of 1024, learnt at once at most"
)

# ---- quiescence ----------------------------------------------------------------------------------
EVASIONS = _parameter("evasions", 4, 1, 100, "quiescence: first evasions of a check, quiet or not")
CROWDED_NODES = _parameter(
    "crowded_nodes", 64, 16, 4096, "quiescence: a leaf's nodes on the most crowded boards"
)

# ---- windows of an iteration ---------------------------------------------------------------------
WINDOW = _read_late("window", 18, 1, 1000, "window: first half-width, centipawns")
WINDOW_DEPTH = _read_late("window_depth", 5, 2, 20, "window: from this depth on")
WINDOW_GROWTH = _read_late("window_growth", 3, 2, 20, "window: so many times as wide at each miss")
WINDOW_LIMIT = _read_late("window_limit", 600, 1, 30_000, "window: a wider one is a full one")

# ---- time: shares are hundredths -----------------------------------------------------------------
TIME_HORIZON = _read_late(
    "time_horizon", 30, 5, 200, "time: moves that a game is expected to last without a number"
)
TIME_FARTHEST = _read_late("time_farthest", 50, 5, 500, "time: moves to go that are provided for")
TIME_INCREMENT = _read_late("time_increment", 75, 0, 100, "time: a move's share of the increment")
TIME_SOFT = _read_late(
    "time_soft", 65, 5, 400, "time: of a move's share, after which no iteration begins"
)
TIME_HARD = _read_late("time_hard", 400, 100, 2000, "time: of a move's share at most")
TIME_MOST = _read_late("time_most", 35, 5, 80, "time: of the whole clock at most")
TIME_CHANGE = _read_late(
    "time_change", 35, 0, 200, "time: more for each change of the best move in an iteration"
)
TIME_CHANGES = _read_late("time_changes", 4, 0, 20, "time: changes that count at most")
TIME_STABLE = _read_late(
    "time_stable", 7, 0, 20, "time: less for each iteration with the same best move"
)
TIME_STABLE_LIMIT = _read_late("time_stable_limit", 6, 0, 20, "time: such iterations at most")

if _wanted:
    raise UserError(f'RYUGI_TUNE: there is no parameter "{min(_wanted)}"')
