"""Searching many positions: each by one thread, as many at a time as there are cores.

Nothing is kept from one search to the next, so that what is found does not depend on who searches
when, nor on whether the analysis was interrupted.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from ryugi_engine.games.position import Position
from ryugi_engine.records.annotation import Evaluation
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher

#: Moves of a line that are kept: further ones are guesses.
LONGEST_LINE = 10


@dataclass(frozen=True)
class Found:
    """What the engine finds in a position: how White stands, and the moves that it would play."""

    evaluation: Evaluation
    line: tuple[str, ...]


@dataclass
class _Ended:
    """What a thread tells of a position, or why it can go on no longer; no key: it has no more."""

    key: str = ""
    found: Found | None = None
    nodes: int = 0
    error: BaseException | None = None


class SearchPool:
    """Threads that search, in kernels that leave the interpreter alone."""

    def __init__(self, limits: Limits, threads: int, megabytes: int) -> None:
        self._limits = limits
        self._searchers = [Searcher(megabytes) for _ in range(threads)]
        for searcher in self._searchers:
            searcher.overhead = 0.0  # nobody waits for an answer
        self._ended: queue.SimpleQueue[_Ended] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._next = threading.Lock()

    def search(self, positions: Iterator[tuple[str, Position]]) -> Iterator[tuple[str, Found, int]]:
        """(key, what was found, nodes) of positions by their keys, in the order of their ends.

        A position is asked for when somebody has time for it. Whoever leaves the loop early has
        to call :meth:`stop`.
        """

        def work(searcher: Searcher) -> None:
            try:
                while not self._stopping.is_set():
                    with self._next:
                        key, position = next(positions, ("", None))
                    if position is None:
                        break
                    ended = self._one(searcher, key, position)
                    if ended is not None:
                        self._ended.put(ended)
                self._ended.put(_Ended())
            except BaseException as error:
                self._ended.put(_Ended(error=error))

        for searcher in self._searchers:
            threading.Thread(target=work, args=(searcher,), daemon=True).start()
        working = len(self._searchers)
        while working:
            try:
                ended = self._ended.get(timeout=1.0)
            except queue.Empty:
                continue
            if ended.error is not None:
                raise ended.error
            if ended.found is None:
                working -= 1
            else:
                yield ended.key, ended.found, ended.nodes

    def _one(self, searcher: Searcher, key: str, position: Position) -> _Ended | None:
        """Search a position; None if that was stopped."""
        last: list[Report] = []

        def keep(report: Report) -> None:
            if report.multipv == 1 and not report.score.bound:
                last[:] = [report]

        searcher.clear()
        searcher.prepare(position, self._limits)
        if self._stopping.is_set():  # a stop before the preparation is forgotten by it
            return None
        result = searcher.run(position, keep)
        if self._stopping.is_set():
            return None
        sign = 1 if position.side == 0 else -1
        score = last[0].score
        if score.mate is None:
            evaluation = Evaluation(sign * score.cp)
        else:
            evaluation = Evaluation(mate=sign * score.mate)
        return _Ended(key, Found(evaluation, tuple(last[0].pv[:LONGEST_LINE])), result.nodes)

    def stop(self) -> None:
        """End all searches, which have found nothing then."""
        self._stopping.set()
        for searcher in self._searchers:
            searcher.stop()
