"""Time limit of a person's turn, in games in which a side that exceeds it loses the turn."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class TurnLost(Exception):
    """Raised when the time of the turn is over."""


def _lose(number: int, frame: FrameType | None) -> None:
    raise TurnLost


class TurnClock:
    """Seconds for each turn, 0 for no limit; checked only while waiting for the person."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self._now = seconds, now
        self._turn: object = None
        self._ends = 0.0

    def begin(self, turn: object) -> None:
        """Start the time of a turn, unless it runs already."""
        if turn != self._turn:
            self._turn, self._ends = turn, self._now() + self.seconds

    @contextmanager
    def running(self) -> Iterator[None]:
        """Context in which the person's input is awaited; raises TurnLost when the time is over.

        A system without interval timers (Windows) notices it only when the person has answered.
        """
        if not self.seconds:
            yield
            return
        if self._now() >= self._ends:
            raise TurnLost
        alarm = hasattr(signal, "setitimer")
        if alarm:
            before = signal.signal(signal.SIGALRM, _lose)
            signal.setitimer(signal.ITIMER_REAL, max(self._ends - self._now(), 1e-3))
        try:
            yield
        finally:
            if alarm:
                signal.setitimer(signal.ITIMER_REAL, 0.0)
                signal.signal(signal.SIGALRM, before)
        if self._now() >= self._ends:
            raise TurnLost
