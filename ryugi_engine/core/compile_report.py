"""Tells a GUI how far compiling is; watchers of :mod:`ryugi_engine.kernel.compile_progress`."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ryugi_engine.kernel import compile_progress

#: Seconds between two messages.
_PERIOD = 1.0


def progress_text(name: str, now: compile_progress.Progress) -> str:
    """Return the message about a game's kernels."""
    left = "" if now.remaining is None else f", about {now.remaining:.0f} s left"
    return f"compiling {name}: {int(100 * now.done)} %{left}"


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
        while True:
            now = compile_progress.progress()
            with self._lock:
                if over.is_set():
                    return
                if now is not None:
                    self._tell(progress_text(self._name(), now))
            over.wait(_PERIOD)
