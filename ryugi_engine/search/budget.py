"""How much of the clock a move may have: numbers in, numbers out, no clock is read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ryugi_engine.search import parameters as P
from ryugi_engine.search.limits import Limits

#: Overheads that stay on the clock.
_RESERVE = 5
#: Seconds beside the overhead that stay free of a time for one move.
_LATE = 0.02


@dataclass(frozen=True)
class Budget:
    """Seconds for a move: no new iteration after ``soft``, an end in any case at ``hard``."""

    soft: float
    hard: float


class Iteration(NamedTuple):
    """What an iteration has shown: what its successor's worth is judged by."""

    #: In plies.
    depth: int
    #: The best move's score, in the search's numbers.
    value: int
    #: Iterations before it running with the same best move.
    stable: int
    #: Changes of the best move during the iteration.
    changes: int


def budget(limits: Limits, side: int, overhead: float) -> Budget | None:
    """The time for this move, ``overhead`` seconds kept back; None if no clock runs."""
    if limits.move_time is not None:
        # a process may wake up late: short times keep a fifth more back, long ones hardly feel it
        late = min(0.2 * limits.move_time, _LATE)
        available = max(limits.move_time - overhead - late, 0.001)
        return Budget(available, available)
    remaining = limits.time[side]
    if remaining is None:
        return None
    increment = limits.increment[side]
    moves = min(limits.moves_to_go or P.TIME_HORIZON, P.TIME_FARTHEST)
    # a reserve of several moves' overhead is kept: a late wake-up of the process now and then
    # must not cost the game, so near it even the increment is saved
    usable = max(remaining - _RESERVE * overhead, 0.04 * remaining)
    share = usable / moves + min(P.TIME_INCREMENT / 100 * increment, usable / 4)
    if limits.moves_to_go == 1:
        most = 0.9 * usable
    else:
        most = min(P.TIME_MOST / 100 * usable + 0.5 * increment, 0.8 * usable)
    hard = max(0.001, min(most, P.TIME_HARD / 100 * share))
    return Budget(min(P.TIME_SOFT / 100 * share, hard), hard)


def factor(iteration: Iteration) -> float:
    """What the soft limit is multiplied with: a doubtful move has more time, a clear one less."""
    doubt = P.TIME_CHANGE / 100 * min(iteration.changes, P.TIME_CHANGES)
    trust = P.TIME_STABLE / 100 * min(iteration.stable, P.TIME_STABLE_LIMIT)
    return 1.0 + doubt - trust
