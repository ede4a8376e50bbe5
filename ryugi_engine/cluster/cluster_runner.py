"""A match's games on a cluster: the runner of ``match --cluster``."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, replace
from typing import Any

from ryugi_engine.cluster.connection import LOOK, Connection, folder
from ryugi_engine.cluster.tasks import Definitions, MatchOrder
from ryugi_engine.cluster.work import play, release
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.game import OnMove
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.runner import Played, StartedEngine
from ryugi_engine.match.schedule import GameTask


@dataclass(frozen=True)
class _Guest:
    """An engine that a worker has started."""

    name: str
    refused: frozenset[str]

    def accepts_position(self, text: str) -> bool:
        return text not in self.refused


class ClusterRunner:
    """The workers of a cluster."""

    poll_interval = LOOK

    def __init__(self, where: str, concurrency: int, plan: MatchPlan) -> None:
        """At most ``concurrency`` games at a time on the cluster of ``--cluster``."""
        self._plan = plan
        self.concurrency = concurrency
        self._joined = Connection(where)
        self._run = secrets.token_hex(8)
        self._definitions = Definitions.of(plan.game.name, plan.variants_file)
        self._opened = False

    async def open(self) -> None:
        """Join the cluster."""
        await self._joined.open()
        self._opened = True

    @property
    def capacity(self) -> int:
        """Games that the workers play at a time."""
        return self._joined.capacity

    async def start_engine(self, player: int) -> StartedEngine:
        """Start an engine on one of the workers."""
        label = self._plan.engines[player].label
        order = self._order(f"'{label}'", self._plan.openings[0])
        order = replace(order, player=player, openings=tuple(self._plan.openings))
        result = await self._ask(order, f"engine-{player + 1}-{self._run}")
        if isinstance(result, NoStart):
            raise result
        name, refused = result
        return _Guest(name, frozenset(refused))

    async def play(self, task: GameTask, on_move: OnMove) -> Played:
        """Play a game on a worker, and again on another one if the worker is lost."""
        order = replace(self._order(f"game {task.number}", task.opening), task=task)
        played: Played = await self._ask(order, f"{self._identity(task)}-{self._run}")
        return played

    def _order(self, what: str, opening: str) -> MatchOrder:
        # other openings need not travel with every game
        plan = json.dumps(replace(self._plan, openings=[opening]).to_json())
        return MatchOrder(self._run, what, self._definitions, plan, folder())

    def _identity(self, task: GameTask) -> str:
        """Return a name of a game that is the same when it is played again."""
        players = [self._plan.engines[player].to_json() for player in (task.white, task.black)]
        fields = [task.pair, task.round, task.white, task.black, task.opening, task.seed, players]
        text = json.dumps(fields, sort_keys=True)
        return f"game-{task.number}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    async def _ask(self, order: MatchOrder, name: str) -> Any:
        return await self._joined.ask(play, order, name, with_key=True)

    def reap(self) -> None:
        """Do nothing: workers reap their own processes."""

    def kill(self) -> None:
        """End our own workers at once."""
        self._joined.kill()

    async def close(self) -> None:
        """End the engines, and leave the cluster."""
        if self._opened:
            await self._joined.everywhere(release, self._run)
        await self._joined.close()
