"""A match's games on a cluster: the runner of ``match --cluster``."""

from __future__ import annotations

import functools
import json
import secrets
from dataclasses import dataclass, replace
from pathlib import Path

from ryugi_engine.cluster.connection import LOOK, Connection
from ryugi_engine.cluster.work import Definitions, MatchOrder, play, release
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.game import OnMove
from ryugi_engine.match.openings import Openings, PositionTexts
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.runner import Played, StartedEngine
from ryugi_engine.match.schedule import GameTask


@dataclass(frozen=True)
class _StartedElsewhere:
    """An engine that a worker has started."""

    name: str
    takes_positions: bool


class ClusterRunner:
    """The workers of a cluster."""

    poll_interval = LOOK

    def __init__(self, where: str, concurrency: int, plan: MatchPlan) -> None:
        """At most ``concurrency`` games at a time on the cluster of ``--cluster``."""
        self._plan = plan
        self.concurrency = concurrency
        self._connection = Connection(where)
        self._run = secrets.token_hex(8)
        self._definitions = Definitions.of(plan.game.name, plan.variants_file)
        self._opened = False

    async def open(self) -> None:
        """Join the cluster."""
        await self._connection.open()
        self._opened = True

    @property
    def capacity(self) -> int:
        """Games that the workers play at a time."""
        return self._connection.capacity

    async def start_engine(self, player: int) -> StartedEngine:
        """Start an engine on one of the workers."""
        order = replace(self._order, player=player)
        label = self._plan.engines[player].label
        result = await self._connection.ask(f"'{label}'", play, order)
        if isinstance(result, NoStart):
            raise result
        return _StartedElsewhere(*result)

    async def play(self, task: GameTask, on_move: OnMove) -> Played:
        """Play a game on a worker, and again on another one if the worker is lost."""
        order = replace(self._order, task=task)
        played: Played = await self._connection.ask(f"game {task.number}", play, order)
        return played

    @functools.cached_property
    def _order(self) -> MatchOrder:
        """What all orders have; a game's opening is in its task."""
        none = Openings(PositionTexts(self._plan.game, [self._plan.game.start]))
        plan = json.dumps(replace(self._plan, openings=none).to_json())
        return MatchOrder(self._run, self._definitions, plan, str(Path.cwd()))

    def reap(self) -> None:
        """Do nothing: workers reap their own processes."""

    def kill(self) -> None:
        """End our own workers at once."""
        self._connection.kill()

    async def close(self) -> None:
        """End the engines, and leave the cluster."""
        if self._opened:
            await self._connection.everywhere(release, self._run)
        await self._connection.close()
