"""The time of one search: when it began, when it has to end, and who waits for that.

Every wait is for one condition, which is notified by whatever can end it: a stop, the move pondered
on, other limits, the end of the search. Nobody wakes up to look.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from ryugi_engine.search.budget import Budget, budget
from ryugi_engine.search.limits import Limits


class Flag(Protocol):
    """What ends a search when it is set; kernels read it."""

    def set(self) -> None:
        """From now on the end is asked for."""

    def clear(self) -> None:
        """It is not any more."""

    def is_set(self) -> bool:
        """Whether it is."""


@dataclass(frozen=True)
class _Span:
    """The time that holds at a moment; it is replaced as a whole."""

    limits: Limits
    began: float
    budget: Budget | None

    @property
    def deadline(self) -> float:
        return math.inf if self.budget is None else self.began + self.budget.hard


class Clock:
    """A search's limits and time. All but :meth:`run_out` and the waits return at once."""

    def __init__(
        self,
        flag: Flag,
        now: Callable[[], float] = time.perf_counter,
        changed: threading.Condition | None = None,
    ) -> None:
        """``now`` are seconds from any moment; ``changed`` is what is waited for."""
        self._flag = flag
        self._now = now
        self._changed = changed or threading.Condition()
        self._side = 0
        self._overhead = 0.0
        self._span = _Span(Limits(), now(), None)
        self._began = self._span.began
        self._running = False
        self._watcher: threading.Thread | None = None

    # ---- what others say ---------------------------------------------------------------------

    def prepare(self, limits: Limits, side: int, overhead: float) -> None:
        """A search is going to begin; ``overhead`` in seconds. Stops from here on are meant."""
        with self._changed:
            self._flag.clear()
            self._side, self._overhead = side, overhead
            self._begin(limits)
            self._began = self._span.began

    def start(self, limits: Limits | None = None) -> None:
        """The move pondered on was played: the time runs from now on, by other limits if given."""
        with self._changed:
            self._begin(replace(limits or self.limits, ponder=False))
            self._watch()
            self._changed.notify_all()

    def stop(self) -> None:
        """Ask for the end."""
        self._flag.set()  # first: the search needs no lock to see it
        with self._changed:
            self._changed.notify_all()

    def wake(self) -> None:
        """Something has come that :meth:`wait_for` may be waiting for."""
        with self._changed:
            self._changed.notify_all()

    def _begin(self, limits: Limits) -> None:
        allowed = None if limits.ponder else budget(limits, self._side, self._overhead)
        self._span = _Span(limits, self._now(), allowed)

    # ---- what the search asks ------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        """Whether the end has been asked for, or the time is up."""
        return self._flag.is_set()

    @property
    def limits(self) -> Limits:
        """As they are now: a pondered move that was played brings others."""
        return self._span.limits

    @property
    def budget(self) -> Budget | None:
        """The seconds of the move; None while no clock runs."""
        return self._span.budget

    @property
    def seconds(self) -> float:
        """Since the search or its clock began."""
        return self._now() - self._span.began

    @property
    def searched(self) -> float:
        """Seconds since the search began, those before the pondered move was played too."""
        return self._now() - self._began

    def spent(self, factor: float) -> bool:
        """Whether the soft limit, so many times as long, has passed; a time for one move has none.

        Nor has a search that waits for a stop.
        """
        span = self._span
        if span.budget is None or span.limits.move_time is not None or span.limits.infinite:
            return False
        return self._now() - span.began > span.budget.soft * factor

    # ---- waiting -------------------------------------------------------------------------------

    @contextmanager
    def running(self) -> Iterator[None]:
        """Inside, the search runs and its deadline is watched; the flag is set at the end."""
        with self._changed:
            self._running = True
            self._watch()
        try:
            yield
        finally:
            with self._changed:
                self._running = False
                self._flag.set()
                self._changed.notify_all()
                watcher, self._watcher = self._watcher, None
            if watcher is not None:
                watcher.join()

    def _watch(self) -> None:
        """Have the deadline watched, where there is one: most searches by depth need no thread."""
        if self._running and self._watcher is None and self._span.deadline < math.inf:
            self._watcher = threading.Thread(target=self.run_out, daemon=True)
            self._watcher.start()

    def run_out(self) -> None:
        """Wait for the deadline and set the flag then; the end of the search ends it too."""
        with self._changed:
            while self._running and not self.stopped:
                if not self._wait_until(self._span.deadline):
                    self._flag.set()
                    self._changed.notify_all()

    def wait_for_leave(self) -> None:
        """With ``infinite`` or while pondering the answer has to wait for stop or ponderhit."""
        with self._changed:
            while (self.limits.infinite or self.limits.ponder) and not self.stopped:
                self._changed.wait()

    def wait_for(self, come: Callable[[], bool], part: float) -> bool:
        """Whether something has come, of which :meth:`wake` tells, before the end is asked for.

        And before so large a ``part`` of the move's time is over.
        """
        with self._changed:
            while not self.stopped:
                if come():
                    return True
                span = self._span
                seconds = math.inf if span.budget is None else part * span.budget.hard
                if not self._wait_until(span.began + seconds):
                    return False
        return False

    def _wait_until(self, end: float) -> bool:
        """Wait for a change, or for a moment at most: whether there was time left for it."""
        left = end - self._now()
        if left > 0:
            # the system has a limit of its own for a wait
            self._changed.wait(None if left == math.inf else min(left, threading.TIMEOUT_MAX))
        return left > 0
