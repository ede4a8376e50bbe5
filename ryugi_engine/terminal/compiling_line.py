"""A line on standard error that moves while kernels are compiled.

On a terminal it is overwritten again and again, and cleared at the end. Elsewhere a line is written
now and then, unless RYUGI_QUIET is set.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

from ryugi_engine.games.game import counted
from ryugi_engine.kernel import compile_progress
from ryugi_engine.processes import process

#: Environment variable: if it is set, nothing is written where standard error is no terminal.
QUIET = "RYUGI_QUIET"
#: Seconds between two looks on a terminal, and between two lines elsewhere.
_MOVES, _LINES = 0.2, 10.0
_CLEAR = "\r\x1b[K"


def progress_text(now: compile_progress.Progress) -> str:
    """Return the progress line: kernel at work, kernels done, seconds so far and left."""
    seconds = f"{now.seconds:.0f} s so far"
    if not now.left:
        return f"loading the kernels, {seconds}"
    if not now.total:
        return f"compiling {now.kernel}: at most {counted(now.left, 'kernel')} left, {seconds}"
    left = "" if now.remaining is None else f", about {now.remaining:.0f} s left"
    done = f"{now.total - now.left} of {counted(now.total, 'kernel')} done"
    return f"compiling {now.kernel}: {done}, {seconds}{left}"


def _columns() -> int:
    """Return the width of the terminal that standard error is; 0 if it is none."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return 0
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (AttributeError, OSError, ValueError):  # closed, no terminal, or not a file at all
        return 0


class CompilingLine:
    """The progress line, a watcher of :mod:`ryugi_engine.kernel.compile_progress`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        #: When a line was written last.
        self._wrote = 0.0

    def tell(self, text: str) -> None:
        """Print a message above the progress line."""
        with self._lock:
            self._clear()
            self._write(f"{text}\n")

    def begin(self) -> None:
        """Begin to show progress."""
        self._wrote = self._wrote or time.monotonic()
        self._over = threading.Event()
        threading.Thread(target=self._run, args=(self._over,), daemon=True).start()

    def end(self) -> None:
        """Clear the line."""
        with self._lock:
            self._over.set()
            self._clear()

    def _run(self, over: threading.Event) -> None:
        while not over.wait(_MOVES):
            now, columns = compile_progress.progress(), _columns()
            with self._lock:
                if over.is_set() or now is None:
                    continue
                text = progress_text(now)
                if columns:
                    process.on_interrupt_write(_CLEAR)
                    self._write(f"{_CLEAR}{text[: columns - 1]}")
                elif time.monotonic() - self._wrote >= _LINES and not os.environ.get(QUIET):
                    self._wrote = time.monotonic()
                    self._write(f"{text}\n")

    def _clear(self) -> None:
        if process.on_interrupt_write(""):
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        # standard error as it is now: perhaps unread or closed
        with contextlib.suppress(AttributeError, OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()
