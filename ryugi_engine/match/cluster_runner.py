"""A match's games on a cluster: the runner of ``match --cluster``, and its units of work."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from ryugi_engine.cluster import LOOK, Cluster, unit_size, while_wanted
from ryugi_engine.games.registry import load_kernels
from ryugi_engine.games.sent_game import LocalGame, NotHere, SentGame
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.openings import Openings, PositionTexts
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.runner import LocalRunner, OnMoves, Played, StartedEngine
from ryugi_engine.match.schedule import GameTask

T = TypeVar("T")
#: Seconds that a unit should take: its engines are started for it.
_UNIT_SECONDS = 30.0


@dataclass(frozen=True)
class _SentPlan:
    """A match's plan without openings, as JSON, and the folder in which its engines start."""

    plan: str
    folder: str


@dataclass(frozen=True)
class _StartedElsewhere:
    """An engine that a worker has started."""

    name: str
    takes_positions: bool


def _carry_out(game: LocalGame, sent: _SentPlan, work: Callable[[LocalRunner], Awaitable[T]]) -> T:
    """Do some work of a match with engines of this worker, which end with it."""
    load_kernels(game.game, own=True)
    plan = MatchPlan.from_json({**json.loads(sent.plan), "variants_file": game.file}, game.game)
    folder = sent.folder if os.path.isdir(sent.folder) else ""
    engines = [replace(spec, dir=os.path.join(folder, spec.dir)) for spec in plan.engines]

    async def carry_out() -> T:
        runner = LocalRunner(replace(plan, engines=engines, concurrency=1))
        task = asyncio.ensure_future(work(runner))
        loop = asyncio.get_running_loop()
        with while_wanted(lambda: loop.call_soon_threadsafe(task.cancel)):
            try:
                return await task
            finally:
                await runner.close()

    try:
        return asyncio.run(carry_out())
    except asyncio.CancelledError:
        raise NotHere("nobody waits for it") from None


async def _start(runner: LocalRunner, player: int) -> StartedEngine | NoStart:
    """Start an engine; NotHere if this machine does not have it."""
    try:
        return await runner.start_engine(player)
    except NoStart as failure:
        if failure.missing:
            raise NotHere(f"'{runner.plan.engines[player].label}' {failure}") from None
        return failure


def start_engine(game: LocalGame, sent: _SentPlan, player: int) -> StartedEngine | NoStart:
    """A unit: start an engine, and end it."""

    async def start(runner: LocalRunner) -> StartedEngine | NoStart:
        engine = await _start(runner, player)
        if isinstance(engine, NoStart):
            return engine
        return _StartedElsewhere(engine.name, engine.takes_positions)

    return _carry_out(game, sent, start)


def play_games(game: LocalGame, sent: _SentPlan, tasks: Sequence[GameTask]) -> list[Played]:
    """A unit: play games one after the other."""

    async def play(runner: LocalRunner) -> list[Played]:
        for player in {player for task in tasks for player in (task.white, task.black)}:
            await _start(runner, player)  # games try again what has failed
        return await runner.play(tasks, lambda *move: None)

    return _carry_out(game, sent, play)


class ClusterRunner:
    """The workers of a cluster."""

    poll_interval = LOOK

    def __init__(self, where: str, concurrency: int, plan: MatchPlan) -> None:
        """At most ``concurrency`` units at a time on the cluster of ``--cluster``."""
        self._plan, self.concurrency = plan, concurrency
        self._cluster = Cluster(where, SentGame.of(plan.game.name, plan.variants_file))
        self._threads, self._stop = ThreadPoolExecutor(2 * concurrency), threading.Event()
        #: Pairs of games of a unit.
        self.pairs = 1

    async def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, *arguments)

    async def open(self) -> None:
        """Join the cluster."""
        await self._in_thread(self._cluster.open)

    @property
    def capacity(self) -> int:
        """Units that the workers do at a time."""
        return self._cluster.slots

    @functools.cached_property
    def _sent(self) -> _SentPlan:
        """What all units have; a game's opening is in its task."""
        none = Openings(PositionTexts(self._plan.game, [self._plan.game.start]))
        return _SentPlan(json.dumps(replace(self._plan, openings=none).to_json()), str(Path.cwd()))

    async def start_engine(self, player: int) -> StartedEngine:
        """Start an engine on one of the workers."""
        ask = self._cluster.ask
        _, engine = await self._in_thread(ask, self._stop, start_engine, self._sent, player)
        if isinstance(engine, NoStart):
            raise engine
        started: StartedEngine = engine
        return started

    async def play(self, tasks: Sequence[GameTask], on_moves: OnMoves) -> list[Played]:
        """Play games on a worker, and again on another one if the worker is lost."""
        ask = self._cluster.ask
        seconds, played = await self._in_thread(ask, self._stop, play_games, self._sent, tasks)
        self.pairs = unit_size(len({task.pair for task in tasks}), seconds, _UNIT_SECONDS)
        games: list[Played] = played
        return games

    def reap(self) -> None:
        """Do nothing: workers reap their own processes."""

    def kill(self) -> None:
        """Do nothing: workers end what nobody waits for."""

    async def close(self) -> None:
        """End the engines, and leave the cluster."""
        self._stop.set()
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._cluster.close)
