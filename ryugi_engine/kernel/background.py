"""What is done in the background for the next start: compiling games' own machine code first.

A game is played at once by the machine code of all games, see :mod:`ryugi_engine.kernel.bundle`.
Its own is made by a process of lowest priority, which ends with this one. Nothing of what is loaded
changes: a game is played by the same kernels as long as a process lives.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ryugi_engine.kernel import cache as files
from ryugi_engine.kernel import helpers, targets

if TYPE_CHECKING:
    import subprocess

#: Seconds from loading a game to compiling: shorter runs compile nothing.
_DELAY = 2.0
_LOWEST_PRIORITY = 19
#: Starts a process that ends with this one; None if it could not.
Start = Callable[[], "subprocess.Popen[bytes] | None"]


def compile_later(missing: Sequence[helpers.Missing]) -> None:
    """Compile bundles in a process of their own, after a moment.

    Nothing happens where nothing would be kept. Failures are ignored: whoever asks for the bundles
    compiles them, and is told.
    """
    folder, objection = files.place()
    if missing and folder is not None and not objection:
        names = [targets.target()]
        run_later(partial(helpers.start, missing, names, folder, nice=_LOWEST_PRIORITY))


def run_later(start: Start) -> None:
    """Run a process after a moment, and after those that were asked for before."""
    _queue().put(start)


@cache
def _queue() -> queue.SimpleQueue[Start]:
    """Return what waits to be run; a thread takes it from now on."""
    waiting: queue.SimpleQueue[Start] = queue.SimpleQueue()
    threading.Thread(target=_run_all, args=(waiting,), name="background", daemon=True).start()
    return waiting


def _run_all(waiting: queue.SimpleQueue[Start]) -> None:
    never = threading.Event()
    while True:
        start = waiting.get()
        never.wait(_DELAY)
        process = start()
        if process is not None:
            process.wait()
