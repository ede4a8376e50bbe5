"""A fixed set of positions searched to a fixed depth: the node count is the signature of play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.position import Position
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Result
from ryugi_engine.search.searcher import Searcher

HASH_MEGABYTES = 16


class Bench:
    """One run over the games' positions, which can be stopped from another thread."""

    def __init__(
        self,
        games: Sequence[Game],
        depth: int | None,
        write: Callable[[str], None],
        threads: int = 1,
        hash_megabytes: int = HASH_MEGABYTES,
    ) -> None:
        """``depth`` in plies, None for each game's own; ``write`` gets the lines to show."""
        self._games = games
        self._depth = depth
        self._write = write
        self._threads = threads
        self._megabytes = hash_megabytes
        self._searcher: Searcher | None = None
        self._stop = threading.Event()

    @property
    def stopped(self) -> bool:
        """Whether the end has been asked for."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the run, without its sum."""
        self._stop.set()
        if self._searcher is not None:
            self._searcher.stop()

    def run(self) -> int:
        """Search every position; returns the sum of the nodes.

        The number is the same on every machine with one thread, the default hash and one depth.
        """
        total, seconds = 0, 0.0
        for game in self._games:
            self._searcher = searcher = Searcher(self._megabytes, self._threads)
            texts = game.positions("bench") or (game.start,)
            for number, text in enumerate(texts, start=1):
                position = Position(game, text)
                searcher.clear()
                searcher.prepare(position, Limits(depth=self._depth or game.bench_depth))
                began = time.perf_counter()
                # asked here: what is said before the preparation would be forgotten by it
                result = Result() if self.stopped else searcher.run(position, lambda report: None)
                if self.stopped:
                    return total
                seconds += time.perf_counter() - began
                total += result.nodes
                nodes, best = counted(result.nodes, "node"), result.best or "-"
                self._write(f"{game.name} {number}/{len(texts)}: {nodes}, {best}")
        self._write("===========================")
        self._write(f"Total time (ms) : {round(1000 * seconds)}")
        self._write(f"Nodes searched  : {total}")
        self._write(f"Nodes/second    : {round(total / max(seconds, 1e-9))}")
        return total


def run_bench(games: Sequence[Game], depth: int | None, write: Callable[[str], None]) -> int:
    """A :class:`Bench` that nobody stops."""
    return Bench(games, depth, write).run()
