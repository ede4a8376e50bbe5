"""Games of self-play on a cluster: the players of ``train generate --cluster``."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Generator

from ryugi_engine.cluster.connection import LOOK, Connection
from ryugi_engine.cluster.tasks import Definitions
from ryugi_engine.cluster.work import game_of
from ryugi_engine.nnue.file_format import net_of, to_bytes
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.datagen import Ended
from ryugi_engine.train.player import Player
from ryugi_engine.train.settings import SelfPlaySettings

#: Games of an order, a second's work, and orders for each that plays: none waits for the next one.
_GAMES, _AHEAD = 16, 2
_mine = threading.local()


class Players:
    """Self-play on a cluster; a :class:`ryugi_engine.train.datagen.Source`."""

    def __init__(
        self,
        where: str,
        definitions: Definitions,
        settings: SelfPlaySettings,
        seed: int,
        net: Net | None,
    ) -> None:
        """Prepare for a cluster, which is joined when the first game is asked for."""
        self._connection = Connection(where)
        packed = None if net is None else to_bytes(net)
        self._player = secrets.token_hex(8), definitions, settings, seed, packed

    def games(self, first: int) -> Generator[Ended]:
        """Yield games as they end, numbered from ``first`` on, without end."""
        asked: set[asyncio.Task[list[Ended]]] = set()

        async def some() -> list[Ended]:
            nonlocal asked, first
            while len(asked) < _AHEAD * self._connection.capacity:
                numbers = range(first, first + _GAMES)
                what = f"games {numbers[0]} to {numbers[-1]}"
                ask = self._connection.ask(what, play_games, numbers, *self._player)
                asked.add(asyncio.ensure_future(ask))
                first += _GAMES
            # a cluster that has grown is asked for more
            done, asked = await asyncio.wait(
                asked, timeout=LOOK, return_when=asyncio.FIRST_COMPLETED
            )
            return [ended for task in done for ended in task.result()]

        async def leave() -> None:
            for task in asked:
                task.cancel()
            if asked:
                await asyncio.wait(asked)
            await self._connection.close()

        with asyncio.Runner() as runner:
            try:
                runner.run(self._connection.open())
                while True:
                    yield from runner.run(some())
            finally:
                runner.run(leave())

    def stop(self) -> None:
        """Do nothing: the cluster is left when the iteration ends."""


def play_games(
    numbers: range,
    run: str,
    definitions: Definitions,
    settings: SelfPlaySettings,
    seed: int,
    net: bytes | None,
) -> list[Ended]:
    """Play games in a worker's thread, which keeps its player for the same run's next ones."""
    if getattr(_mine, "run", None) != run:
        player_net = None if net is None else net_of(net, "the net that was sent")
        _mine.player = Player(game_of(definitions), settings, seed, player_net)
        _mine.run = run
    results = []
    for number in numbers:
        records = _mine.player.play(number)
        if records is not None:
            results.append(Ended(records, int(_mine.player.seen["nodes"])))
    return results
