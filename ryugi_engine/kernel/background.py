"""What is done in the background for the next start: compiling games' own machine code first.

A game is played at once by the machine code of all games, see :mod:`ryugi_engine.kernel.bundle`.
Its own is made by a process of lowest priority, which ends with this one. Nothing of what is loaded
changes: a game is played by the same kernels as long as a process lives. With RYUGI_BACKGROUND=0
nothing is done, as in engines of a match.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.kernel import cache, helpers, targets
from ryugi_engine.kernel.bundle import log

if TYPE_CHECKING:
    import subprocess

    from ryugi_engine.kernel.bundle import Bundle

#: The variable that switches it off.
NAME = "RYUGI_BACKGROUND"
#: Seconds from loading a game to compiling: shorter runs compile nothing.
_DELAY = 2.0
#: Starts a process that ends with this one; None if it could not.
Start = Callable[[], "subprocess.Popen[bytes] | None"]


def folder() -> Path | None:
    """Return the folder of kernels; None where nothing is to be done, or would not be kept."""
    place = cache.place()
    return None if place.objection or os.environ.get(NAME) == "0" else place.folder


def compile_later(missing: Sequence[Bundle]) -> None:
    """Compile bundles in a process of their own.

    Failures are ignored: whoever asks for the bundles compiles them, and is told.
    """
    kernels = folder()
    if missing and kernels is not None:
        names, nice = [targets.target()], helpers.LOWEST_PRIORITY
        run_later((*missing,), partial(helpers.start, missing, names, kernels, nice=nice))


class _Background(threading.Thread):
    """Runs one process after another."""

    def __init__(self) -> None:
        super().__init__(name="background", daemon=True)
        self._known: set[Hashable] = set()
        self._waiting: queue.SimpleQueue[Start] = queue.SimpleQueue()

    def put(self, key: Hashable, start: Start) -> None:
        """Run a process, once for each key."""
        if key not in self._known:
            self._known.add(key)
            self._waiting.put(start)

    def run(self) -> None:
        """Wait for what is to be run."""
        never = threading.Event()
        while True:
            start = self._waiting.get()
            never.wait(_DELAY)
            try:
                process = start()
                if process is not None:
                    process.wait()
            except Exception as error:  # others are still to be run
                log.warning("in the background: %s", error)


_lock = threading.Lock()
_threads: list[_Background] = []


def run_later(key: Hashable, start: Start) -> None:
    """Run a process after a moment, and after those that were asked for before; once for a key."""
    with _lock:
        if not _threads:
            _threads.append(_Background())
            _threads[0].start()
        _threads[0].put(key, start)
