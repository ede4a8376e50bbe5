"""The pool of engine processes: started on demand, kept for later games, ended with the match."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from ryugi_engine.games.game import Game
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.engine import (
    CommandNotFound,
    Engine,
    EngineFailure,
    GameUnknown,
    Unsupported,
)
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.match.uci import UciEngine

_KINDS = {"uci": UciEngine, "xboard": CecpEngine}
#: How often running an engine may fail to start before it is given up.
_ATTEMPTS = 3
#: Processes that are kept besides those that play, where there are more engines than two.
_SPARE = 8


class NoStart(EngineFailure):
    """An engine could not be started; ``reason`` is its fault's."""

    def __init__(self, failure: EngineFailure) -> None:
        super().__init__(f"did not start: {failure}")
        self.failure, self.reason = failure, failure.reason
        #: Whether there is no such command at all.
        self.missing = isinstance(failure, CommandNotFound)
        #: Whether it would fail so in every game, and whether because it lacks the game.
        self.hopeless = self.missing or isinstance(failure, Unsupported)
        self.game_unknown = isinstance(failure, GameUnknown)

    def __reduce__(self) -> tuple[Any, ...]:
        return NoStart, (self.failure,), {"transcript": self.transcript}


def new_engine(spec: EngineSpec, game: Game, variants_file: str, timeouts: Timeouts) -> Engine:
    """Return an engine that has not been started."""
    return _KINDS[spec.proto](spec, game, variants_file, timeouts)


class EnginePool:
    """All engine processes of a match."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self._alive: set[Engine] = set()
        self._idle: list[tuple[int, Engine]] = []  # the longest idle first
        self._failed: Counter[int] = Counter()
        self._given_up: dict[int, NoStart] = {}
        self._closing: dict[Engine, asyncio.Task[None]] = {}

    async def take(self, player: int) -> Engine:
        """Return an engine that is ready for a game; raise NoStart if there is none."""
        for place in range(len(self._idle) - 1, -1, -1):
            if self._idle[place][0] == player:
                engine = self._idle.pop(place)[1]
                if engine.reusable:
                    return engine
                self._dismiss(engine, 0.0)
        if player in self._given_up:
            raise self._given_up[player]
        plan = self.plan
        engine = new_engine(plan.engines[player], plan.game, plan.variants_file, plan.timeouts)
        self._alive.add(engine)
        try:
            await engine.start()
            engine.check_control(self.plan.control_of(player))
        except EngineFailure as error:
            failure = NoStart(error)
            failure.transcript = engine.transcript()
            self._dismiss(engine, 0.0)
            self._failed[player] += 1
            if self._failed[player] >= _ATTEMPTS:
                self._given_up[player] = failure
            raise failure from None
        self._failed[player] = 0
        return engine

    def give(self, player: int, engine: Engine, broken: bool) -> None:
        """Take an engine back after its game; ``broken``: it cannot play another one."""
        if broken or not engine.reusable:
            self._dismiss(engine, 0.0)
        elif self.plan.engines[player].restart == "on":
            self._dismiss(engine)
        else:
            self._idle.append((player, engine))
            players = len(self.plan.engines)
            most = min(players, max(2, _SPARE // self.plan.concurrency))
            while len(self._idle) > most * self.plan.concurrency:
                self._dismiss(self._idle.pop(0)[1])

    def _dismiss(self, engine: Engine, timeout: float | None = None) -> None:
        if engine in self._closing:
            return
        closing = engine.close() if timeout is None else engine.close(timeout)
        self._closing[engine] = asyncio.ensure_future(closing)

    def kill(self) -> None:
        """End all processes at once."""
        for engine in self._alive:
            engine.kill()

    def reap(self) -> None:
        """Reap ended processes; raise an error that occurred while ending them."""
        for engine, task in list(self._closing.items()):
            if task.done():
                del self._closing[engine]
                self._alive.discard(engine)
                task.result()

    async def close(self) -> None:
        """End all processes."""
        for engine in list(self._alive):
            self._dismiss(engine)
        while self._closing:
            await asyncio.wait(self._closing.values())
            self.reap()
