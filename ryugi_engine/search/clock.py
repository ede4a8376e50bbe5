"""The clock of one search: its start, its deadline, and the threads that wait for it.

Every wait is on one condition, which is notified by everything that can end it: a stop, ponderhit,
new limits, the end of the search. Nothing polls.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ryugi_engine.search.lag import LagMeter
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.time_management import Budget, MovesAhead, time_budget


class Flag(Protocol):
    """The stop flag of a search, which the kernels read."""

    def set(self) -> None:
        """Ask the search to end."""

    def clear(self) -> None:
        """Withdraw the request to end."""

    def is_set(self) -> bool:
        """Return whether the search was asked to end."""


class _Span(NamedTuple):
    """The limits and times in force; replaced as a whole."""

    limits: Limits
    began: float
    budget: Budget | None

    @property
    def deadline(self) -> float:
        return math.inf if self.budget is None else self.began + self.budget.hard


class SearchClock:
    """A search's limits and time. Methods do not block, except :meth:`run_out` and the waits."""

    def __init__(
        self,
        flag: Flag,
        now: Callable[[], float] = time.perf_counter,
        changed: threading.Condition | None = None,
    ) -> None:
        """``now`` returns monotonic seconds; ``changed`` is the condition that is waited on."""
        self._flag = flag
        self._now = now
        self._changed = changed or threading.Condition()
        self._side = 0
        self._overhead = 0.0
        self._ahead: MovesAhead | None = None
        self._lag = LagMeter()
        self._span = _Span(Limits(), now(), None)
        self._began = self._span.began
        self._running = False
        self._told_to_stop = False
        self._watcher: threading.Thread | None = None

    # ---- control, from other threads -------------------------------------------------------------

    def prepare(
        self,
        limits: Limits,
        side: int,
        overhead: float,
        ahead: MovesAhead | None = None,
        began: float | None = None,
    ) -> None:
        """Begin the search of a side. Stops from now on end it.

        ``overhead`` in seconds and ``ahead`` as for :func:`time_budget`. The time runs since
        ``began``, a result of the clock's ``now``; None: from now on.
        """
        with self._changed:
            self._flag.clear()
            self._told_to_stop = False
            self._side, self._overhead, self._ahead = side, overhead, ahead
            self._begin(limits, began)
            self._began = self._span.began

    def start(self, limits: Limits | None = None) -> None:
        """Start the time on ponderhit, with new limits if given."""
        with self._changed:
            self._begin((limits or self.limits)._replace(ponder=False))
            self._watch()
            self._changed.notify_all()

    def stop(self) -> None:
        """Ask the search to end."""
        self._flag.set()  # first: the search needs no lock to see it
        with self._changed:
            self._told_to_stop = True
            self._changed.notify_all()

    def _begin(self, limits: Limits, began: float | None = None) -> None:
        allowed = None
        if not (limits.ponder or limits.infinite):
            self._lag.clock_read(limits, self._side)
            lag = self._lag.lag
            allowed = time_budget(limits, self._side, self._overhead, self._ahead, lag)
        self._span = _Span(limits, self._now() if began is None else began, allowed)

    # ---- queries of the search -------------------------------------------------------------------

    @property
    def stopped(self) -> bool:
        """Whether the search was asked to end or its time is up."""
        return self._flag.is_set()

    @property
    def limits(self) -> Limits:
        """The limits in force; ponderhit may bring new ones."""
        return self._span.limits

    @property
    def budget(self) -> Budget | None:
        """The time limits of the move; None without a clock."""
        return self._span.budget

    @property
    def bounded(self) -> bool:
        """Whether a depth, a number of nodes or a time ends the search."""
        limits, budget, _began = self._span.limits, self._span.budget, self._span.began
        if limits.infinite or limits.ponder:
            return False
        return budget is not None or limits.depth is not None or limits.nodes is not None

    @property
    def seconds(self) -> float:
        """Seconds since the search or, after ponderhit, its clock began."""
        return self._now() - self._span.began

    @property
    def searched(self) -> float:
        """Seconds since the search began, pondering included."""
        return self._now() - self._began

    def soft_limit_passed(self, factor: float) -> bool:
        """Return whether the soft limit, times ``factor``, has passed.

        A fixed time per move has no soft limit.
        """
        span = self._span
        if span.budget is None or span.limits.move_time is not None:
            return False
        return self._now() - span.began > span.budget.soft * factor

    # ---- waiting ---------------------------------------------------------------------------------

    @contextmanager
    def running(self) -> Iterator[None]:
        """Context of a search: watches the deadline, and sets the stop flag at the end."""
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
                span = self._span
                if span.budget is not None:
                    # what a late wake-up took beyond the limit is lag
                    self._lag.searched(min(self.seconds, span.budget.hard))
                watcher, self._watcher = self._watcher, None
            if watcher is not None:
                watcher.join()

    def _watch(self) -> None:
        """Watch the deadline in a thread, if there is one."""
        if self._running and self._watcher is None and self._span.deadline < math.inf:
            self._watcher = threading.Thread(target=self.run_out, daemon=True)
            self._watcher.start()

    def run_out(self) -> None:
        """Wait for the deadline, or the end of the search, and set the flag."""
        with self._changed:
            while self._running and not self.stopped:
                if not self._wait_until(self._span.deadline):
                    self._flag.set()
                    self._changed.notify_all()

    def wait_for_leave(self) -> None:
        """Wait for stop or ponderhit if the search is infinite or pondering.

        The search may have ended before, by itself: that stops it, and is no request to leave.
        """
        with self._changed:
            while (self.limits.infinite or self.limits.ponder) and not self._told_to_stop:
                self._changed.wait()

    def _wait_until(self, end: float) -> bool:
        """Wait for a change until a moment at most; return whether that had not passed yet."""
        left = end - self._now()
        if left > 0:
            self._changed.wait(None if left == math.inf else min(left, threading.TIMEOUT_MAX))
        return left > 0
