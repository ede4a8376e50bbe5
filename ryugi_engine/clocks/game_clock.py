"""The two clocks of a game, and the limits of a search on one of them."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable

from ryugi_engine.clocks.time_control import PlayerClock, TimeControl
from ryugi_engine.search.limits import Limits

#: Seconds that an engine has for a move though its clock has run out, and for one without clocks.
_LEAST, _UNTIMED = 0.1, 2.0


class GameClock:
    """Both sides' clocks, of which one runs at a time."""

    def __init__(self, control: TimeControl, now: Callable[[], float] = time.monotonic) -> None:
        """``now`` returns seconds."""
        self.control = control
        self._now = now
        self._clocks = (PlayerClock(control), PlayerClock(control))
        #: The side whose clock runs; None if none does.
        self.running: int | None = None
        self._since = 0.0

    def copy(self) -> GameClock:
        """Return an independent copy in the same state."""
        other = copy.copy(self)
        other._clocks = (copy.copy(self._clocks[0]), copy.copy(self._clocks[1]))
        return other

    @property
    def timed(self) -> bool:
        """Whether there are clocks at all."""
        return not self.control.endless

    def left(self, side: int) -> float:
        """Return a side's remaining seconds; negative if its time is over."""
        spent = self._now() - self._since if self.running == side else 0.0
        return self._clocks[side].left - spent

    def moves_to_go(self, side: int) -> int:
        """Return a side's moves until the next time control; 0 if there is none."""
        return self._clocks[side].to_go

    def start(self, side: int) -> None:
        """Start a side's clock."""
        self.stop()
        if self.timed:
            self.running, self._since = side, self._now()

    def stop(self) -> None:
        """Stop both clocks."""
        if self.running is not None:
            self._clocks[self.running].run(self._now() - self._since)
        self.running = None

    def moved(self, side: int) -> float:
        """Count a side's move after its clock was stopped; return its new remaining seconds.

        A side that has lost a turn on time gets the time of the next one.
        """
        self._clocks[side].moved()
        return self._clocks[side].left

    def set(self, side: int, seconds: float) -> None:
        """Set a side's remaining seconds, as read from a record."""
        self._clocks[side].left = seconds


def limits_of(clock: GameClock, side: int) -> Limits:
    """Return the limits of a search for a side's move on its clock."""
    control = clock.control
    if not control.bounded:
        return Limits(move_time=_UNTIMED)
    limits = Limits(nodes=control.nodes or None, depth=control.depth or None)
    if control.per_move:
        return limits._replace(move_time=control.per_move)
    if control.endless:
        return limits
    left = max(clock.left(side), _LEAST)
    times = (left, max(clock.left(1 - side), _LEAST))
    return limits._replace(
        time=times if side == 0 else (times[1], times[0]),
        increment=(control.increment, control.increment),
        moves_to_go=clock.moves_to_go(side) or None,
    )
