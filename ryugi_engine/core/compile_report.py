"""Tells a GUI how far compiling is; watchers of :mod:`ryugi_engine.kernel.compile_progress`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from ryugi_engine.kernel import compile_progress

#: Seconds between two messages.
_PERIOD = 1.0


def progress_text(name: str, done: float, left: float | None) -> str:
    """Return the message about a game's kernels; ``done`` is the compiled share, 0 to 1.

    ``left`` estimates the remaining seconds; None if unknown.
    """
    seconds = "" if left is None else f", {left:.0f} s"
    return f"compiling {name}: {int(100 * done)} %{seconds}"


class Estimate:
    """Estimate of the remaining time, proportional to the remaining work."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._done = self._end = 0.0

    def left(self, done: float) -> float | None:
        """Return the remaining seconds when the share ``done`` of the work is done."""
        now = time.monotonic()
        if done > self._done:
            self._done, self._end = done, now + (now - self._began) * (1 - done) / done
        return max(self._end - now, 1.0) if self._done else None


class CompileReport:
    """Sends a message when compiling begins, and then one a second."""

    def __init__(self, tell: Callable[[str], None], name: Callable[[], str]) -> None:
        """``tell`` gets a message, from a thread of its own; ``name`` returns the game's name."""
        self._tell, self._name = tell, name
        self._lock = threading.Lock()
        self._over = threading.Event()

    def begin(self) -> None:
        """Send messages from now on."""
        self._over = threading.Event()
        threading.Thread(target=self._run, args=(self._over,), daemon=True).start()

    def end(self) -> None:
        """Send no more messages."""
        with self._lock:
            self._over.set()

    def _run(self, over: threading.Event) -> None:
        estimate = Estimate()
        while True:
            now = compile_progress.progress()
            with self._lock:
                if over.is_set():
                    return
                if now is not None:
                    left = estimate.left(now.done)
                    self._tell(progress_text(self._name(), now.done, left))
            over.wait(_PERIOD)
