"""Lag: what a move costs on the clock besides its search."""

from __future__ import annotations

import math
from typing import NamedTuple

from ryugi_engine.search.limits import Limits

#: Seconds of lag that are assumed at first, and the moves that they count for.
_ASSUMED, _WEIGHT = 0.001, 2
#: Moves after which what was measured counts by half.
_MEMORY = 60
#: What remains of the worst lag after each move.
_FADING = 0.98
#: Safety factor, since the clock may not run out by an error of the mean; and the least lag.
_SAFETY, _MINIMUM = 1.1, 0.0002
#: Seconds between two clocks that are lag: a clock may be rounded up, or set by a person.
_LEAST, _MOST = -0.05, 1.0


class Lag(NamedTuple):
    """Lag of a move, the side's clock at the start of the game, and the worst lag of late.

    All in seconds.
    """

    seconds: float
    base: float
    worst: float = 0.0


NO_LAG = Lag(0.0, 0.0)


class LagMeter:
    """The mean lag of the moves so far: of the GUI, the connection and the system.

    It is the difference of a side's successive clocks, without the increment and the search.
    Roundings of the clocks cancel out.
    """

    def __init__(self) -> None:
        self._base = self._worst = 0.0
        self._total = _WEIGHT * _ASSUMED
        self._moves = _WEIGHT
        #: A side and its next clock in seconds, if there were no lag.
        self._expected: tuple[int, float] | None = None
        self._read: tuple[int, float] | None = None

    def clock_read(self, limits: Limits, side: int) -> None:
        """Record a side's remaining time at the start of its search."""
        remaining, expected = limits.time[side], self._expected
        self._read = self._expected = None
        if remaining is None or limits.move_time is not None:
            return
        self._read = side, remaining + limits.increment[side]
        lost = expected[1] - remaining if expected and expected[0] == side else math.inf
        if not _LEAST <= lost <= _MOST:  # another game or time control
            self._base = remaining
            return
        self._worst = max(lost, _FADING * self._worst)
        self._total += lost
        self._moves += 1
        if self._moves == _MEMORY:
            self._total, self._moves = self._total / 2, self._moves // 2

    def searched(self, seconds: float) -> None:
        """Record how long the search took, in seconds."""
        if self._read is not None:
            side, clock = self._read
            self._expected = side, clock - seconds

    @property
    def lag(self) -> Lag:
        """The measured lag, and the clock with which the game began."""
        mean = self._total / self._moves
        return Lag(max(_SAFETY * mean, _MINIMUM), self._base, self._worst)
