"""What runs in Dask's workers: slots for a match's games, and counting.

A worker's threads each play a game at a time. The game itself runs in a slot, a process of its own
(see ``slot``): the worker does not disturb its clocks, and it outlives neither order nor worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ryugi_engine.cluster.pickle_pipe import framed, unframed
from ryugi_engine.cluster.tasks import CountOrder, Definitions, MatchOrder, check_version
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.match.engine_process import kill_marked

_MARK = "RYUGI_CLUSTER_SLOT"
#: Seconds between looks whether a game is still wanted.
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


class _Slot:
    """A slot's process, seen from the worker."""

    def __init__(self, order: MatchOrder) -> None:
        self.run = order.run
        self._mark = secrets.token_hex(8)
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"{_START} slot.main()", str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=order.folder if os.path.isdir(order.folder) else None,
            env={**os.environ, _MARK: self._mark},
            start_new_session=True,
        )

    def ask(self, order: MatchOrder, wanted: Callable[[], bool]) -> tuple[str, Any]:
        """Return the slot's answer; SlotLost if it was killed, _Unwanted if no one waits for it."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(framed(order))
            process.stdin.flush()
        except BrokenPipeError:
            raise self._lost() from None
        received = bytearray()
        poll = select.poll()
        poll.register(process.stdout, select.POLLIN)
        while True:
            if poll.poll(_LOOK * 1000):
                chunk = os.read(process.stdout.fileno(), 1 << 20)
                if not chunk:
                    raise self._lost()
                received += chunk
                answer: tuple[str, Any] | None = unframed(bytes(received))
                if answer is not None:
                    return answer
            elif not wanted():
                raise _Unwanted

    def _lost(self) -> SlotLost:
        code = self._process.wait(_LEAVING)
        if code > 0:
            # by itself, as it would the next time
            raise RuntimeError(f"the slot ended with exit code {code}")
        return SlotLost(f"its slot was ended by signal {-code}" if code else "its slot has ended")

    @property
    def alive(self) -> bool:
        """Whether the slot can take another order."""
        return self._process.poll() is None

    def end(self) -> None:
        """End the slot's process, and all processes that it has started."""
        process = self._process
        try:
            with contextlib.suppress(BrokenPipeError):
                assert process.stdin is not None
                process.stdin.close()
            process.wait(_LEAVING)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        finally:
            kill_marked(f"{_MARK}={self._mark}")
            assert process.stdout is not None
            process.stdout.close()


class _Slots:
    """The slots of a worker: idle ones are kept for their match's next game."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Slot] = []
        self._busy: list[_Slot] = []

    def take(self, order: MatchOrder) -> _Slot:
        with self._lock:
            dead = [slot for slot in self._idle if not slot.alive]
            self._idle = [slot for slot in self._idle if slot.alive]
            slot = next((slot for slot in self._idle if slot.run == order.run), None)
            if slot is not None:
                self._idle.remove(slot)
            else:
                slot = _Slot(order)
            self._busy.append(slot)
        for one in dead:
            one.end()
        return slot

    def give(self, slot: _Slot, keep: bool) -> None:
        if not keep:
            slot.end()
        with self._lock:
            self._busy.remove(slot)
            if keep:
                self._idle.append(slot)

    def release(self, run: str) -> None:
        """End a match's slots; those that still play are ended by who waits for them."""
        with self._lock:
            over = [slot for slot in self._idle if slot.run == run]
            self._idle = [slot for slot in self._idle if slot.run != run]
        ending = [threading.Thread(target=slot.end) for slot in over]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join()
        end = time.monotonic() + _LEAVING
        while any(slot.run == run for slot in list(self._busy)) and time.monotonic() < end:
            time.sleep(_LOOK / 4)


_slots = _Slots()


def here(work: Callable[..., Any], *arguments: Any) -> Any:
    """Wrap a function for workers: its errors become NotHere, which names the worker."""
    from distributed import get_worker

    try:
        return work(*arguments)
    except SlotLost:
        raise
    except Exception as error:
        message = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
        raise NotHere(get_worker().address, message + str(error)) from error


def play(order: MatchOrder, key: str) -> Any:
    """Play a match's game in a slot of this worker; UserError if that is impossible."""
    check_version(order.version)
    slot = _slots.take(order)
    keep = False
    try:
        kind, value = slot.ask(order, _wanted(key))
        keep = kind == "done"
        if not keep:
            raise UserError(value.strip().splitlines()[-1])
        return value
    except _Unwanted:
        return None
    finally:
        _slots.give(slot, keep)


def _wanted(key: str) -> Callable[[], bool]:
    """Return whether somebody still waits for a task of this worker."""
    from distributed import get_worker

    tasks = get_worker().state.tasks

    def wanted() -> bool:
        task = tasks.get(key)
        return task is not None and task.state != "cancelled"

    return wanted


async def release(run: str) -> None:
    """End a match's slots of this worker."""
    await asyncio.get_running_loop().run_in_executor(None, _slots.release, run)


_loading = threading.Lock()


@functools.lru_cache(16)
def game_of(definitions: Definitions) -> Game:
    """Return the game of some definitions, the same object each time: its rules are loaded once."""
    with definitions.here() as (game, _path):
        return game


async def prepare(definitions: Definitions) -> None:
    """Load or compile the kernels for counting; an error is raised again when counting."""
    with contextlib.suppress(UserError):
        await asyncio.get_running_loop().run_in_executor(None, _prepare, definitions)


def _prepare(definitions: Definitions) -> None:
    from ryugi_engine.games.position import Position
    from ryugi_engine.perft.count import Perft

    with _loading:
        Perft(Position(game_of(definitions)), 2).run()


def count(order: CountOrder) -> int:
    """Return the perft of the position after a line of moves."""
    check_version(order.version)
    from ryugi_engine.games.position import Position
    from ryugi_engine.perft.count import Perft

    with _loading:
        position = Position(game_of(order.definitions), order.root)
    for move in order.moves:
        position.push(move, refereed=True)
    for code in order.line:
        position.push(code)
    return (
        Perft(position, order.depth, bulk=order.bulk, hash_megabytes=order.hash_megabytes)
        .run()
        .nodes
    )
