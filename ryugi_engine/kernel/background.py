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
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.kernel import cache as files
from ryugi_engine.kernel import helpers, targets
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
    place = files.place()
    return None if place.objection or os.environ.get(NAME) == "0" else place.folder


def compile_later(missing: Sequence[Bundle]) -> None:
    """Compile bundles in a process of their own.

    Failures are ignored: whoever asks for the bundles compiles them, and is told.
    """
    kernels = folder()
    if missing and kernels is not None:
        run_later(partial(_compile, missing, kernels))


def _compile(missing: Sequence[Bundle], kernels: Path) -> subprocess.Popen[bytes] | None:
    """Start a process that compiles those that are still missing; None if none is."""
    left = [item for item in missing if not item.is_ready()]
    nice = helpers.LOWEST_PRIORITY
    return helpers.start(left, [targets.target()], kernels, nice=nice) if left else None


_waiting: queue.SimpleQueue[Start] = queue.SimpleQueue()
_beginning = threading.Lock()


def run_later(start: Start) -> None:
    """Run a process after a moment, and after those that were asked for before.

    ``start`` is called then, and returns None if nothing is left to be done.
    """
    _waiting.put(start)
    with _beginning:
        _begin()


@cache
def _begin() -> None:
    threading.Thread(target=_run_all, name="background", daemon=True).start()


def _run_all() -> None:
    never = threading.Event()
    while True:
        start = _waiting.get()
        never.wait(_DELAY)
        try:
            process = start()
            if process is not None:
                process.wait()
        except Exception as error:  # others are still to be run
            log.warning("in the background: %s", error)
