"""Progress of long work: a line every few seconds, with its speed and expected end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


def duration(seconds: float) -> str:
    """Return ``12 s``, ``3 min`` or ``1 h 20 min``."""
    if seconds < 99.5:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


class Progress:
    """Reports ``positions: 120 of 1,000, 60 a second, 15 s left, until 12:30`` now and then."""

    def __init__(
        self,
        things: str,
        report: Callable[[str], None],
        *,
        have: int = 0,
        wanted: float = math.inf,
        seconds: float = math.inf,
        every: float = 10.0,
    ) -> None:
        """Begin the work.

        Parameters
        ----------
        things
            What is counted, in the plural.
        have, wanted
            Their number at the start and at the end.
        seconds
            The time after which the work ends in any case.
        every
            Seconds from a line to the next.
        """
        self._things, self._report = things, report
        self._first, self._wanted, self._seconds, self._every = have, wanted, seconds, every
        self._began = self._last = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the work began."""
        return max(time.monotonic() - self._began, 1e-3)

    def __call__(self, have: int, *more: str, now: bool = False) -> None:
        """Report how many there are, and ``more``, if the time for a line has come, or ``now``."""
        if not now and time.monotonic() - self._last < self._every:
            return
        self._last = time.monotonic()
        rate = (have - self._first) / self.seconds
        of = f" of {self._wanted:,.0f}" if self._wanted < math.inf else ""
        parts = [f"{self._things}: {have:,}{of}", f"{rate:,.{1 if rate < 100 else 0}f} a second"]
        left = self._seconds - self.seconds
        if rate > 0:
            left = min(left, (self._wanted - have) / rate)
        parts += more
        if 0 < left < math.inf:
            at = time.strftime("%H:%M", time.localtime(time.time() + left))
            parts += [f"{duration(left)} left", f"until {at}"]
        self._report(", ".join(parts))
