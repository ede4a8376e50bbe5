"""Perft on a cluster: counts below the root's descendants, summed up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from ryugi_engine.cluster.connection import Connection
from ryugi_engine.cluster.tasks import Definitions
from ryugi_engine.cluster.work import count
from ryugi_engine.games.position import Position
from ryugi_engine.perft.count import Count, lines_to_count

#: Parts for each that counts: the last ones to end then wait for little.
_PARTS = 10


class Counters:
    """Perft on a cluster; a context manager that keeps the connection."""

    def __init__(self, where: str, variants_file: str) -> None:
        """Prepare for a cluster, to which the games of ``--variants`` are sent."""
        self._connection = Connection(where)
        self._variants_file = variants_file
        self._runner = asyncio.Runner()

    def __enter__(self) -> Counters:
        self._runner.__enter__()
        try:
            self._runner.run(self._connection.open())
        except BaseException:
            self._runner.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._runner.run(self._connection.close())
        finally:
            self._runner.close()

    def count(
        self,
        position: Position,
        depth: int,
        *,
        bulk: bool = True,
        hash_megabytes: int = 0,
        progress: Callable[[int, int, int], None] | None = None,
    ) -> Count:
        """Count as ``perft.count.Perft`` does; each part has a count table of its own."""
        began = time.perf_counter()
        roots = {code: position.move_text(code) for code in position.legal_codes()}
        result = Count(depth, nodes=1)
        if depth:
            result.nodes = len(roots) if depth == 1 else 0
            result.divide = dict.fromkeys(roots.values(), int(depth == 1))
        if depth > 1:
            definitions = Definitions.of(position.game.name, self._variants_file)
            start = definitions, position.root_text, tuple(position.moves)

            async def part(line: list[int], left: int) -> tuple[str, int]:
                root = roots[line[0]]
                work = count, *start, [int(code) for code in line], left, bulk, hash_megabytes
                return root, await self._connection.ask(f"a count after {root}", *work)

            lines = lines_to_count(position.copy(), depth, _PARTS * self._connection.capacity)
            self._runner.run(_sum(result, [part(*line) for line in lines], progress))
        result.seconds = time.perf_counter() - began
        return result


async def _sum(
    result: Count,
    parts: list[Coroutine[Any, Any, tuple[str, int]]],
    progress: Callable[[int, int, int], None] | None,
) -> None:
    """Wait for all parts, each a root move's name and a count, and add them up."""
    reported = time.perf_counter()
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        for done, task in enumerate(asyncio.as_completed(tasks), 1):
            root, nodes = await task
            result.divide[root] += nodes
            result.nodes += nodes
            if progress is not None and time.perf_counter() - reported > 1.0:
                reported = time.perf_counter()
                progress(done, len(tasks), result.nodes)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
