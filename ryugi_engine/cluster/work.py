"""What runs in Dask's workers: games of a match, between engines of the worker's machine.

A worker plays as many games at a time as it has threads, all in one event loop, as a match without
a cluster does.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ryugi_engine import __version__
from ryugi_engine.errors import UserError
from ryugi_engine.files import reading
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.runner import LocalRunner, StartedEngine
from ryugi_engine.match.schedule import GameTask

#: Seconds between checks whether a game is still wanted.
_LOOK = 0.2
#: Seconds after which engines without a game are ended: their runner may have been killed.
_IDLE = 20.0


class NotHere(Exception):
    """Raised when a task fails on one worker but may work on another; address and reason."""


@dataclass(frozen=True)
class Definitions:
    """A game's name, and for a user's game the text of its definition file."""

    game: str
    name: str = ""
    text: str = ""

    @classmethod
    def of(cls, game: str, path: str) -> Definitions:
        """Return a game's definitions, by its name and the file of ``--variants`` ("": none)."""
        if not path:
            return cls(game)
        with reading.naming(Path(path)):
            return cls(
                game, Path(path).name, reading.read_text(Path(path), reading.MAX_DEFINITIONS)
            )

    @contextlib.contextmanager
    def file(self) -> Iterator[tuple[Game, str]]:
        """Return the game and the path of a local file that defines it, "" if none is needed."""
        if not self.name:
            yield registry().game(self.game), ""
            return
        with tempfile.TemporaryDirectory(prefix="ryugi-") as folder:
            path = Path(folder) / self.name
            path.write_text(self.text, encoding="utf-8")
            games = registry()
            games.load_file(str(path))
            yield games.game(self.game), str(path)


@dataclass(frozen=True)
class MatchOrder:
    """A game of a match to be played, or an engine to be started."""

    #: The match, as this run of it is known to workers.
    run: str
    definitions: Definitions
    #: Of ``MatchPlan.to_json``, as text.
    plan: str
    #: The runner's working directory, in which engines start on a worker that has it.
    folder: str
    #: The game, or the engine's place in the plan.
    task: GameTask | None = None
    player: int = 0


def on_worker(version: str, work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on a worker; its errors become NotHere, which names the worker."""
    from distributed import get_worker

    try:
        if version != __version__:
            raise UserError(f"the worker has version {__version__}, this is {version}")
        return work(*arguments)
    except Exception as error:
        message = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
        raise NotHere(get_worker().address, message + str(error)) from error


class _Match:
    """A match that this worker plays games of, with the engines that it keeps between them."""

    def __init__(self, order: MatchOrder) -> None:
        self._files = contextlib.ExitStack()
        game, path = self._files.enter_context(order.definitions.file())
        plan = MatchPlan.from_json({**json.loads(order.plan), "variants_file": path}, game)
        folder = order.folder if os.path.isdir(order.folder) else ""
        engines = [replace(spec, dir=os.path.join(folder, spec.dir)) for spec in plan.engines]
        self._runner = LocalRunner(replace(plan, engines=engines, concurrency=os.cpu_count() or 1))
        self._known: set[int] = set()
        self._orders = 0
        self._end: asyncio.TimerHandle | None = None

    async def answer(self, order: MatchOrder) -> Any:
        """Play a game, or start an engine and return its name and whether it takes positions."""
        self._orders += 1
        if self._end is not None:
            self._end.cancel()
        try:
            return await self._answer(order)
        finally:
            self._orders -= 1
            if not self._orders:
                loop = asyncio.get_running_loop()
                self._end = loop.call_later(_IDLE, lambda: loop.create_task(_release(order.run)))

    async def _answer(self, order: MatchOrder) -> Any:
        if order.task is None:
            try:
                engine = await self._start(order.player)
            except NoStart as failure:
                return failure
            return engine.name, engine.takes_positions
        for player in {order.task.white, order.task.black} - self._known:
            with contextlib.suppress(NoStart):  # the game tries it again
                await self._start(player)
        played = await self._runner.play(order.task, lambda *move: None)
        self._runner.reap()
        return played

    async def _start(self, player: int) -> StartedEngine:
        """Start an engine; NoStart if that fails, UserError if this machine does not have it."""
        try:
            engine = await self._runner.start_engine(player)
        except NoStart as failure:
            if failure.missing:
                label = self._runner.plan.engines[player].label
                raise UserError(f"'{label}' {failure}") from None
            self._known.add(player)
            raise
        self._known.add(player)
        return engine

    async def close(self) -> None:
        """End the engines."""
        if self._end is not None:
            self._end.cancel()
        await self._runner.close()
        self._files.close()


_starting = threading.Lock()
#: The matches of this worker; used in its event loop.
_matches: dict[str, _Match] = {}


async def _answer(order: MatchOrder) -> Any:
    if order.run not in _matches:
        _matches[order.run] = _Match(order)
    return await _matches[order.run].answer(order)


async def _release(run: str) -> None:
    match = _matches.pop(run, None)
    if match is not None:
        await match.close()


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop in which this worker plays, in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


def play(order: MatchOrder) -> Any:
    """Carry out an order; UserError if that is impossible here. None if nobody waits for it."""
    from distributed import get_worker

    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()
    with _starting:
        loop = _loop()
    game: Future[Any] = asyncio.run_coroutine_threadsafe(_answer(order), loop)
    while not wait([game], _LOOK).done:
        if key not in tasks or tasks[key].state == "cancelled":
            game.cancel()
            asyncio.run_coroutine_threadsafe(_release(order.run), loop)
            return None
    return game.result()


async def release(run: str) -> None:
    """End a match's engines on this worker."""
    await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_release(run), _loop()))
