"""The runner of a match: plays its games with engine processes of this machine, or elsewhere."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Sequence
from typing import Protocol

from ryugi_engine.match.engine import Engine, EngineFailure
from ryugi_engine.match.engine_pool import EnginePool, NoStart
from ryugi_engine.match.game import OnMove, PlayedGame, forfeited, play_game
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.schedule import GameTask

#: A game that is over, and White's and Black's transcripts if it ended by a fault.
Played = tuple[PlayedGame, list[str]]
#: Called for each move with its game, see ``OnMove``.
OnMoves = Callable[..., None]


class StartedEngine(Protocol):
    """An engine that has been started once."""

    @property
    def name(self) -> str:
        """What the engine is called, or calls itself."""

    @property
    def takes_positions(self) -> bool:
        """Whether a game for this engine can begin at another position than the start."""


class Runner(Protocol):
    """Plays the games of a match: :class:`LocalRunner`, or a cluster."""

    #: Pairs of games with one opening that are played together, one after the other; 0: a game is
    #: played by itself.
    pairs: int

    @property
    def concurrency(self) -> int:
        """Calls of :meth:`play` at a time."""

    async def open(self) -> None:
        """Prepare to play; called first. MatchError if that is impossible."""

    @property
    def capacity(self) -> int:
        """Calls of :meth:`play` that can be made at a time now."""

    @property
    def poll_interval(self) -> float | None:
        """Seconds after which ``capacity`` may have changed; None: it never changes."""

    async def start_engine(self, player: int) -> StartedEngine:
        """Start an engine by its index in the plan; NoStart if it fails."""

    async def play(self, tasks: Sequence[GameTask], on_moves: OnMoves) -> list[Played]:
        """Play games of the schedule one after the other; the coroutine can be cancelled."""

    def reap(self) -> None:
        """Release what ended processes hold; called between games."""

    def kill(self) -> None:
        """End all engines at once."""

    async def close(self) -> None:
        """End all engines."""


class LocalRunner:
    """Plays games with engine processes of this machine."""

    poll_interval = None
    capacity = 1000
    pairs = 0

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self._pool = EnginePool(plan)

    @property
    def concurrency(self) -> int:
        """The plan's concurrency."""
        return self.plan.concurrency

    async def open(self) -> None:
        """Do nothing: there is nothing to prepare."""

    async def start_engine(self, player: int) -> StartedEngine:
        """Start an engine, and keep it for its first game."""
        engine = await self._pool.take(player)
        self._pool.give(player, engine, broken=False)
        return engine

    async def play(self, tasks: Sequence[GameTask], on_moves: OnMoves) -> list[Played]:
        """Play games of the schedule one after the other."""
        return [await self._play(task, functools.partial(on_moves, task)) for task in tasks]

    async def _play(self, task: GameTask, on_move: OnMove) -> Played:
        plan, pool = self.plan, self._pool
        players = (task.white, task.black)
        taken = await asyncio.gather(*map(pool.take, players), return_exceptions=True)
        engines: list[Engine] = []
        failures: list[EngineFailure | None] = []
        for one in taken:
            if isinstance(one, Engine):
                engines.append(one)
                failures.append(None)
            elif isinstance(one, NoStart):
                failures.append(one)
            else:
                raise one
        if len(engines) < 2:
            played = forfeited(task.opening, failures)
            messages = [one.transcript if isinstance(one, NoStart) else "" for one in taken]
            for player, one in zip(players, taken, strict=True):
                if isinstance(one, Engine):
                    pool.give(player, one, broken=False)
            return played, messages
        controls = [plan.control_of(player) for player in players]
        played = await play_game(
            plan.game, engines, controls, task.opening, plan.max_plies, on_move, plan.adjudication
        )
        faulty = played.outcome.reason in FAULTS
        messages = [engine.transcript() for engine in engines] if faulty else ["", ""]
        for side, (player, engine) in enumerate(zip(players, engines, strict=True)):
            pool.give(player, engine, side in played.broken)
        return played, messages

    def reap(self) -> None:
        """Release processes that have ended."""
        self._pool.reap()

    def kill(self) -> None:
        """End all processes at once."""
        self._pool.kill()

    async def close(self) -> None:
        """End all processes."""
        await self._pool.close()
