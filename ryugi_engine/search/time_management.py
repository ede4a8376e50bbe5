"""Time management: the soft and hard time limit of a move. Pure functions of numbers."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.search import parameters as P
from ryugi_engine.search.limits import Limits

#: Reserve on the clock, as a multiple of the overhead.
_RESERVE = 8
#: Seconds beside the overhead that are kept back from a fixed time per move, at most.
_LATE = 0.02


class Budget(NamedTuple):
    """Seconds for a move: no new iteration begins after ``soft``, the search ends at ``hard``."""

    soft: float
    hard: float


class Iteration(NamedTuple):
    """The result of an iteration, as far as time management uses it."""

    #: Depth in plies.
    depth: int
    #: The best move's score, as the search returns it.
    score: int
    #: Number of directly preceding iterations with the same best move.
    stable: int
    #: Changes of the best move within the iteration.
    changes: int
    #: Share of the iteration's nodes that its best move took.
    fraction: float = 0.5
    #: Centipawns by which the score is below the mean of the iterations before.
    fall: float = 0.0


def assumed_moves(horizon: int, played: int) -> float:
    """Return the number of moves to go to assume in sudden death, ``played`` moves into a game.

    ``horizon`` is the game's own number, which stays; 0: that of chess, less per move played.
    """
    fallen = P.TIME_HORIZON - P.TIME_HORIZON_FALL / 100 * played
    return horizon or max(fallen, P.TIME_MIN_HORIZON)


def time_budget(limits: Limits, side: int, overhead: float, horizon: float = 0) -> Budget | None:
    """Return the time limits of a move, ``overhead`` seconds kept back; None without a clock.

    ``horizon`` is the number of moves to go of :func:`assumed_moves`; 0: that of a new game of
    chess.
    """
    if limits.move_time is not None:
        # a process may wake up late: keep back another fifth of a short time
        late = min(0.2 * limits.move_time, _LATE)
        available = max(limits.move_time - overhead - late, 0.001)
        return Budget(available, available)
    remaining = limits.time[side]
    if remaining is None:
        return None
    increment = limits.increment[side]
    moves = min(limits.moves_to_go or horizon or P.TIME_HORIZON, P.TIME_MAX_MOVES_TO_GO)
    # keep a reserve of several moves' overhead, if need be by saving the increment: an occasional
    # late wake-up of the process must not lose the game
    usable = max(remaining - _RESERVE * overhead, 0.04 * remaining)
    share = usable / moves + min(P.TIME_INCREMENT / 100 * increment, usable / 4)
    if limits.moves_to_go == 1:
        most = 0.9 * usable
    else:
        most = min(P.TIME_MAX_SHARE / 100 * usable + 0.5 * increment, 0.8 * usable)
    hard = max(0.001, min(most, P.TIME_HARD / 100 * share))
    return Budget(min(P.TIME_SOFT / 100 * share, hard), hard)


def soft_limit_factor(iteration: Iteration) -> float:
    """Return the factor of the soft limit.

    It is above 1 if the best move changes, takes few of the nodes or has a falling score, below 1
    if it stays the same, takes most nodes or has a rising score.
    """
    instability = P.TIME_BEST_MOVE_CHANGE / 100 * min(iteration.changes, P.TIME_BEST_MOVE_CHANGES)
    stability = P.TIME_STABILITY / 100 * min(iteration.stable, P.TIME_STABILITY_LIMIT)
    nodes = 1.0 + P.TIME_NODES / 100 * (0.5 - iteration.fraction)
    fall = max(-P.TIME_FALL_LIMIT / 2, min(iteration.fall, P.TIME_FALL_LIMIT))
    trend = 1.0 + P.TIME_FALL / 10_000 * fall
    return (1.0 + instability - stability) * nodes * trend
