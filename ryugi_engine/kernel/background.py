"""Compile games' own machine code in the background, for the next start.

A game is played at once by the machine code of all games, see :mod:`ryugi_engine.kernel.bundle`.
Its own is made by a process of lowest priority, which ends with this one. Nothing of what is loaded
changes: a game is played by the same kernels as long as a process lives.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from functools import cache

from ryugi_engine.kernel import cache as files
from ryugi_engine.kernel import helpers, targets

#: Seconds from loading a game to compiling: shorter runs compile nothing.
_DELAY = 2.0
_LOWEST_PRIORITY = 19
_Bundles = Sequence[helpers.Missing]


def compile_later(missing: _Bundles) -> None:
    """Compile bundles in a process of their own, after a moment.

    Nothing happens where nothing would be kept. Failures are ignored: whoever asks for the bundles
    compiles them, and is told.
    """
    if missing and not files.place().objection:
        _queue().put(missing)


@cache
def _queue() -> queue.SimpleQueue[_Bundles]:
    """Return what waits to be compiled; a thread takes it from now on."""
    waiting: queue.SimpleQueue[_Bundles] = queue.SimpleQueue()
    threading.Thread(target=_compile_all, args=(waiting,), name="background", daemon=True).start()
    return waiting


def _compile_all(waiting: queue.SimpleQueue[_Bundles]) -> None:
    never = threading.Event()
    while True:
        missing = waiting.get()
        never.wait(_DELAY)
        folder = files.place().folder
        assert folder is not None
        process = helpers.start(missing, [targets.target()], folder, nice=_LOWEST_PRIORITY)
        if process is not None:
            process.wait()
