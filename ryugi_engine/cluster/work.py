"""What runs in Dask's workers: a match's games, counts, games of self-play.

A worker's threads each play a game of a match at a time. The game itself runs in a slot, a process
of its own (see ``slot``): the worker does not disturb its clocks.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import Any

from ryugi_engine import __version__
from ryugi_engine.cluster.tasks import Definitions, MatchOrder
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine_process import kill_marked
from ryugi_engine.perft.count import Perft

_MARK = "RYUGI_CLUSTER_SLOT"
#: Seconds between checks whether a game is still wanted.
_LOOK = 0.2
#: Seconds that a slot may take to end its engines; more than an engine may take to leave.
_LEAVING = 15.0
_START = "import sys; sys.path.insert(0, sys.argv[1]); from ryugi_engine.cluster import slot;"


class SlotLost(Exception):
    """Raised when a slot was killed; its game has to be played again."""


class NotHere(Exception):
    """Raised when a task fails on one worker but may work on another; address and reason."""


class _Unwanted(Exception):
    """Nobody waits for the game any more."""


def on_worker(version: str, work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on a worker; its errors become NotHere, which names the worker."""
    from distributed import get_worker

    try:
        if version != __version__:
            raise UserError(f"the worker has version {__version__}, this is {version}")
        return work(*arguments)
    except SlotLost:
        raise
    except Exception as error:
        message = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
        raise NotHere(get_worker().address, message + str(error)) from error


class _Slot:
    """A slot's process, seen from the worker."""

    def __init__(self, folder: str) -> None:
        self._mark = secrets.token_hex(8)
        root = Path(__file__).parents[2]
        self._pipe, theirs = Pipe()
        with theirs:
            pipe = theirs.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"{_START} slot.main()", str(root), str(pipe)],
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=[pipe],
                cwd=folder if os.path.isdir(folder) else None,
                env={**os.environ, _MARK: self._mark},
                start_new_session=True,
            )

    def ask(self, order: MatchOrder) -> Any:
        """Return the slot's answer; SlotLost if it was killed, _Unwanted if no one waits for it."""
        wanted = _wanted()
        try:
            self._pipe.send(order)
            while not self._pipe.poll(_LOOK):
                if not wanted():
                    raise _Unwanted
            fault, value = self._pipe.recv()
        except (EOFError, OSError):
            code = self._process.wait(_LEAVING)
            if code > 0:  # by itself, as it would the next time
                raise RuntimeError(f"the slot ended with exit code {code}") from None
            reason = f"its slot was ended by signal {-code}" if code else "its slot has ended"
            raise SlotLost(reason) from None
        if fault:
            raise UserError(fault)
        return value

    @property
    def alive(self) -> bool:
        """Whether the slot can take another order."""
        return self._process.poll() is None

    def end(self) -> None:
        """End the slot's process, and all processes that it has started."""
        self._pipe.close()
        try:
            self._process.wait(_LEAVING)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        finally:
            kill_marked(f"{_MARK}={self._mark}")


def _wanted() -> Callable[[], bool]:
    """Return a function: whether somebody still waits for this thread's task."""
    from distributed import get_worker

    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()
    return lambda: key in tasks and tasks[key].state != "cancelled"


#: Slots by match and the worker's thread.
_slots: dict[tuple[str, int], _Slot] = {}


def play(order: MatchOrder) -> Any:
    """Play a match's game in this thread's slot; UserError if that is impossible here."""
    place = order.run, threading.get_ident()
    if place in _slots and not _slots[place].alive:  # it has had nothing to do
        _slots.pop(place).end()
    slot = _slots.get(place) or _slots.setdefault(place, _Slot(order.folder))
    try:
        return slot.ask(order)
    except BaseException as error:
        _slots.pop(place, None)
        slot.end()
        if isinstance(error, _Unwanted):
            return None
        raise


async def release(run: str) -> None:
    """End a match's slots of this worker."""
    ours = [_slots.pop(place) for place in list(_slots) if place[0] == run]
    with ThreadPoolExecutor() as threads:
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(threads, slot.end) for slot in ours))


_loading = threading.Lock()


@functools.lru_cache(16)
def game_of(definitions: Definitions) -> Game:
    """Return the game of some definitions, the same object each time: its rules are loaded once."""
    with definitions.file() as (game, _path):
        return game


def count(
    definitions: Definitions,
    root: str,
    moves: tuple[str, ...],
    line: list[int],
    depth: int,
    bulk: bool,
    hash_megabytes: int,
) -> int:
    """Return the perft after a position text, the moves played since, and a line of codes."""
    with _loading:
        position = Position(game_of(definitions), root)
    for move in moves:
        position.push(move, refereed=True)
    for code in line:
        position.push(code)
    return Perft(position, depth, bulk=bulk, hash_megabytes=hash_megabytes).run().nodes
