"""Time management: the soft and hard time limit of a move. Pure functions of numbers."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.search import parameters as P
from ryugi_engine.search.lag import NO_LAG, Lag
from ryugi_engine.search.limits import Limits

#: Reserve on the clock, as a multiple of the overhead.
_RESERVE = 8
#: The worst lag of late, this many times, is in reserve; at most this share of the first clock.
_WORST_LAGS, _WORST_SHARE = 3.0, 0.15
#: Share of the first clock that is in reserve at most for the lag of the longest game, and for that
#: of a long one.
_LONGEST_SHARE, _LONG_SHARE = 0.3, 0.45
#: Share of the time that may be used where that reserve is all there is; the same for lag.
_OF_RESERVE, _OF_LAG = 0.04, 0.002
#: Seconds of the shortest search.
_SHORTEST = 0.0001
#: Minimum of the moves to go where no increment is left after the lag (0.5+0, chess, 100 games: +70
#: +- 61 Elo).
_SUDDEN_DEATH = 20
#: Mean moves of a side in a game of chess, for which the parameters are tuned (``lengths.json``).
USUAL_LENGTH = 65
#: Moves of a side in a long game and in the longest, as multiples of the mean length. Then the
#: longest as a multiple of a game's own horizon.
_LONG_GAME, _LONGEST_GAME, _LONGEST_HORIZONS = 3, 7, 10
#: Seconds in addition to the overhead that are kept back from a fixed time per move, at most.
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


class MovesAhead(NamedTuple):
    """Assumed length of a game in moves of a side: to go, played, of the longest game."""

    #: Moves to go, among which the time is shared out; and those where no increment comes.
    expected: float
    without_increment: float
    #: Moves played, and those of the longest game: the lag of the others is reserved.
    played: int
    longest: float


def moves_ahead(horizon: int = 0, played: int = 0, length: float = USUAL_LENGTH) -> MovesAhead:
    """Return the moves to assume, ``played`` moves of the side into a game.

    ``horizon`` is the game's own number of moves to go, which stays. If it is 0, chess's is taken,
    in proportion to the game's mean ``length`` in moves of a side, and less per move played.
    """
    if horizon:
        return MovesAhead(horizon, horizon, played, _LONGEST_HORIZONS * horizon)
    # a shorter game begins with fewer moves to go, and its minimum is chess's
    share = length / USUAL_LENGTH
    scale = max(share, 1.0)
    at_first = max(share, P.TIME_SHORT_GAME / 100) * P.TIME_HORIZON
    fallen = at_first - P.TIME_HORIZON_FALL / 100 * played
    expected = max(fallen, scale * P.TIME_MIN_HORIZON)
    sudden_death = max(expected, scale * _SUDDEN_DEATH)
    return MovesAhead(expected, sudden_death, played, _LONGEST_GAME * scale * USUAL_LENGTH)


def time_budget(
    limits: Limits, side: int, overhead: float, ahead: MovesAhead | None = None, lag: Lag = NO_LAG
) -> Budget | None:
    """Return the time limits of a move in seconds; None without a clock.

    ``overhead`` seconds may be lost in a move; ``lag`` is what is lost in each on average.
    ``ahead`` is the result of :func:`moves_ahead`; None: that of a new game of chess.
    """
    if limits.move_time is not None:
        # a process may wake up late: keep back another fifth of a short time
        late = min(0.2 * limits.move_time, _LATE)
        available = max(limits.move_time - overhead - late, 0.001)
        return Budget(available, available)
    remaining = limits.time[side]
    if remaining is None:
        return None
    ahead = ahead or moves_ahead()
    # what of the increment is left for thinking
    increment = max(limits.increment[side] - lag.seconds, 0.0)
    expected = ahead.expected if increment else ahead.without_increment
    moves = min(limits.moves_to_go, P.TIME_MAX_MOVES_TO_GO) if limits.moves_to_go else expected
    kept = max(_RESERVE * overhead, min(_WORST_LAGS * lag.worst, _WORST_SHARE * lag.base))
    lost = min(_lost_by_lag(limits, side, ahead, lag, kept), (1 - _OF_LAG) * remaining)
    # a reserve of several moves' overhead, if need be by saving the increment: an occasional
    # late wake-up of the process must not lose the game
    usable = max(remaining - max(kept, lost), _OF_RESERVE * (remaining - lost))
    share = usable / moves + min(P.TIME_INCREMENT / 100 * increment, usable / 4)
    if limits.moves_to_go == 1:
        most = 0.9 * usable
    else:
        most = min(P.TIME_MAX_SHARE / 100 * usable + 0.5 * increment, 0.8 * usable)
    hard = max(min(most, P.TIME_HARD / 100 * share), _SHORTEST)
    return Budget(min(P.TIME_SOFT / 100 * share, hard), hard)


def _lost_by_lag(limits: Limits, side: int, ahead: MovesAhead, lag: Lag, kept: float) -> float:
    """Return the seconds to keep for the lag of the moves to come that no increment pays for.

    ``kept`` seconds are in reserve anyway. With 3 ms a move 1+0 runs out at move 333 without any
    search.
    """
    loss = max(lag.seconds - limits.increment[side], 0.0)
    if limits.moves_to_go:
        return loss * limits.moves_to_go + 2 * lag.seconds
    whole = min(loss * ahead.longest, _LONGEST_SHARE * lag.base - kept) - loss * ahead.played
    long = _LONG_GAME / _LONGEST_GAME * ahead.longest
    part = min(loss * max(long - ahead.played, long / 3), _LONG_SHARE * lag.base)
    return max(whole, part) + 2 * lag.seconds


def soft_limit_factor(iteration: Iteration) -> float:
    """Return the factor of the soft limit.

    It is above 1 if the best move changes, takes few of the nodes or has a falling score. It is
    below 1 if the move stays the same, takes most nodes or has a rising score.
    """
    instability = P.TIME_BEST_MOVE_CHANGE / 100 * min(iteration.changes, P.TIME_BEST_MOVE_CHANGES)
    stability = P.TIME_STABILITY / 100 * min(iteration.stable, P.TIME_STABILITY_LIMIT)
    nodes = 1.0 + P.TIME_NODES / 100 * (0.5 - iteration.fraction)
    fall = max(-P.TIME_FALL_LIMIT / 2, min(iteration.fall, P.TIME_FALL_LIMIT))
    trend = 1.0 + P.TIME_FALL / 10_000 * fall
    return (1.0 + instability - stability) * nodes * trend
