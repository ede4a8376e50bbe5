"""Progress of an analysis: a line every few seconds, with the expected end."""

from __future__ import annotations

import time
from collections.abc import Callable

_SECONDS_A_LINE = 5.0


def duration(seconds: float) -> str:
    """Return ``12 s``, ``3 min`` or ``1 h 20 min``."""
    if seconds < 99.5:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


class AnalysisProgress:
    """Counts searched positions, and prints a line every few seconds."""

    def __init__(self, have: int, wanted: int, tell: Callable[[str], None]) -> None:
        """``have`` of the ``wanted`` positions have been searched before."""
        self._first = self._have = have
        self._wanted, self._tell = wanted, tell
        self._began = self._last = time.monotonic()
        self._nodes = 0
        if have:
            tell(f"positions: {have:,} of {wanted:,} are known already")

    def add(self, nodes: int) -> None:
        """Count one more position, searched with ``nodes`` nodes."""
        self._have += 1
        self._nodes += nodes
        if time.monotonic() - self._last >= _SECONDS_A_LINE:
            self.say()

    def say(self) -> None:
        """Print the progress now."""
        now = self._last = time.monotonic()
        seconds = max(now - self._began, 1e-3)
        rate = (self._have - self._first) / seconds
        line = f"positions: {self._have:,} of {self._wanted:,}, {rate:,.1f} a second"
        line += f", {self._nodes / seconds / 1e6:.2f} Mn/s"
        left = self._wanted - self._have
        if left and rate:
            at = time.strftime("%H:%M", time.localtime(time.time() + left / rate))
            line += f", {duration(left / rate)} left, until {at}"
        self._tell(line)
