"""Generate positions: games of self-play on all cores, appended to a file as they end."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Protocol

from ryugi_engine.files import naming
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.training import RECORD
from ryugi_engine.nnue.net import Net
from ryugi_engine.output import POSITIONS
from ryugi_engine.progress import Progress
from ryugi_engine.train.player import Player
from ryugi_engine.train.positions import Writer, facts_of, last_game, read_facts
from ryugi_engine.train.settings import SelfPlaySettings
from ryugi_engine.train.trainable_game import training_of
from ryugi_engine.worker_pool import WorkerPool

#: Share of the positions that may be of drawn games.
_MOST_DRAWN = 0.5


@dataclass(frozen=True)
class Ended:
    """A finished game: its number and records."""

    records: bytes
    nodes: int


class Source(Protocol):
    """Source of self-play games: threads of this process, or a cluster."""

    def games(self, first: int) -> Generator[Ended]:
        """Yield games as they end, numbered from ``first`` on, without end."""

    def stop(self) -> None:
        """End all games, which leave no records."""


class Maker:
    """Threads that play games in kernels without the interpreter lock."""

    def __init__(
        self, game: Game, settings: SelfPlaySettings, threads: int, seed: int, net: Net | None
    ) -> None:
        self._pool = WorkerPool(
            [Player(game, settings, seed, net) for _ in range(threads)], _played
        )

    def games(self, first: int) -> Generator[Ended]:
        """Yield games as they end, numbered from ``first`` on, without end."""
        for ended in self._pool.results(count(first)):
            if ended is not None:
                yield ended

    def stop(self) -> None:
        """End all games, which leave no records."""
        self._pool.stop()


def _played(player: Player, number: int) -> Ended | None:
    records = player.play(number)
    return None if records is None else Ended(records, int(player.seen["nodes"]))


class _Draws:
    """Which drawn games are left out, so that they are not the bulk of the positions."""

    def __init__(self, itemsize: int) -> None:
        self._result, self._itemsize = RECORD.offsets["result"], itemsize
        self._positions = self._drawn = 0

    def keeps(self, game: bytes) -> bool:
        """Return whether to keep a game's records; one without any is kept."""
        count = len(game) // self._itemsize
        drawn = count if count and game[self._result] == 0 else 0
        if drawn and self._drawn + drawn > _MOST_DRAWN * (self._positions + count):
            return False
        self._positions += count
        self._drawn += drawn
        return True


def generate(
    game: Game,
    out: Path,
    positions: int,
    settings: SelfPlaySettings,
    *,
    threads: int,
    seed: int | None,
    net: Net | None = None,
    seconds: float = math.inf,
    report: Callable[[str], None],
    source: Callable[[int], Source] | None = None,
) -> int:
    """Play until a file has ``positions`` positions, or for ``seconds``; return their number.

    ``source`` makes from the file's seed who plays, if it is not threads of this process.

    An existing file is resumed, after any end of its writer. KeyboardInterrupt ends it tidily:
    games that have ended are in the file.
    """
    facts = facts_of(game, training_of(game))
    made = {**asdict(settings), "teacher": "" if net is None else net.digest}
    with naming(out):
        resumed = POSITIONS.check(out)
    if resumed:
        made["seed"] = read_facts(out).get("seed") if seed is None else seed
    else:
        made["seed"] = random.randrange(1 << 31) if seed is None else seed
    with Writer(out, facts, made) as writer:
        if writer.count >= positions:
            report(f"{out}: {counted(writer.count, 'position')} already")
            return writer.count
        first = last_game(out) + 1
        number = int(made["seed"])
        maker = source(number) if source else Maker(game, settings, threads, number, net)
        wanted = positions if seconds == math.inf else math.inf
        progress = Progress("positions", report, have=writer.count, wanted=wanted, seconds=seconds)
        played = nodes = 0
        games, draws = maker.games(first), _Draws(writer.itemsize)
        end = time.monotonic() + seconds
        try:
            for ended in games:
                # at once: what ends the process costs no game that has ended
                if draws.keeps(ended.records):
                    writer.add(ended.records)
                played += 1
                nodes += ended.nodes
                enough = writer.count >= positions or time.monotonic() > end
                speed = f"{nodes / progress.seconds / 1e6:.2f} Mn/s"
                progress(writer.count, counted(played, "game"), speed, now=enough)
                if enough:
                    break
        finally:
            maker.stop()
            games.close()
        return writer.count
