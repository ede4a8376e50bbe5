"""Searching many positions: each by one thread, as many at a time as there are cores.

Nothing is kept from one search to the next. So results depend neither on the order of the searches
nor on whether the analysis was interrupted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ryugi_engine.games.position import Position
from ryugi_engine.processes.worker_pool import WorkerPool
from ryugi_engine.records.annotation import Evaluation
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher

#: Moves of a line that are kept: further ones are guesses.
LONGEST_LINE = 10


@dataclass(frozen=True)
class PositionResult:
    """Search result of a position: evaluation from White's side, and principal variation."""

    evaluation: Evaluation
    line: tuple[str, ...]


class SearchPool:
    """Threads that search positions."""

    def __init__(self, limits: Limits, threads: int, megabytes: int) -> None:
        self._limits = limits
        searchers = [Searcher(megabytes) for _ in range(threads)]
        self._pool = WorkerPool(searchers, self._search)

    def search(
        self, positions: Iterable[tuple[str, Position]]
    ) -> Iterator[tuple[str, PositionResult, int]]:
        """Search (key, position) pairs; yield (key, result, nodes) as the searches end.

        The next position is taken when a thread is free. Call :meth:`stop` after leaving early.
        """
        for result in self._pool.results(positions):
            if result is not None:
                yield result

    def _search(
        self, searcher: Searcher, item: tuple[str, Position]
    ) -> tuple[str, PositionResult, int] | None:
        """Search a position; return None if that was stopped."""
        key, position = item
        last: list[Report] = []

        def keep(report: Report) -> None:
            if report.multipv == 1 and not report.score.bound:
                last[:] = [report]

        searcher.clear()
        searcher.prepare(position, self._limits)
        if self._pool.stopping:  # a stop before the preparation is forgotten by it
            return None
        result = searcher.run(position, keep)
        if self._pool.stopping:
            return None
        sign = 1 if position.side == 0 else -1
        score = last[0].score
        if score.mate is None:
            evaluation = Evaluation(sign * score.cp)
        else:
            evaluation = Evaluation(mate=sign * score.mate)
        return key, PositionResult(evaluation, tuple(last[0].pv[:LONGEST_LINE])), result.nodes

    def stop(self) -> None:
        """Stop all searches; they have no result then."""
        self._pool.stop()
