"""``bench``: fixed positions searched to a fixed depth; the node count is the signature of play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from ryugi_engine.games.game import Game, Rules, counted
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import load_kernels
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Result
from ryugi_engine.search.searcher import Searcher

HASH_MEGABYTES = 16


class Bench:
    """One run over the games' bench positions; another thread may stop it."""

    bounded = True

    def __init__(
        self,
        games: Sequence[Game],
        depth: int | None,
        write: Callable[[str], None],
        threads: int = 1,
        hash_megabytes: int = HASH_MEGABYTES,
        rules: Rules | None = None,
    ) -> None:
        """``depth`` in plies, None for each game's default; ``write`` receives the output lines.

        ``rules`` are those of the one game, with another evaluation.
        """
        self._games = games
        self._depth = depth
        self._write = write
        self._threads = threads
        self._megabytes = hash_megabytes
        self._rules = rules
        self._searcher: Searcher | None = None
        self._stop = threading.Event()

    @property
    def stopped(self) -> bool:
        """Whether :meth:`stop` was called."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Stop the run; it prints no totals then."""
        self._stop.set()
        if self._searcher is not None:
            self._searcher.stop()

    def run(self) -> int:
        """Search every position; return the total number of nodes.

        With one thread and the default hash size it is the same on every machine.
        """
        total, seconds = 0, 0.0
        for game in self._games:
            load_kernels(game)  # compiling is not part of the time
            self._searcher = searcher = Searcher(self._megabytes, self._threads)
            texts = game.positions("bench") or (game.start,)
            for number, text in enumerate(texts, start=1):
                position = Position(game, text, self._rules)
                searcher.clear()
                searcher.prepare(position, Limits(depth=self._depth or game.bench_depth))
                began = time.perf_counter()
                # checked after prepare(), which clears an earlier stop
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
    """Run a :class:`Bench` to its end; return the total number of nodes."""
    return Bench(games, depth, write).run()
