"""Perft on a cluster: counts below the root's descendants, summed up."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any

from ryugi_engine.cluster.connection import Connection
from ryugi_engine.cluster.tasks import CountOrder, Definitions
from ryugi_engine.cluster.work import count, prepare
from ryugi_engine.games.position import Position
from ryugi_engine.perft.count import Count, lines_to_count

#: Parts for each that counts: the last ones to end then wait for little.
_PARTS = 10


class Counters:
    """Perft on a cluster; a context manager that keeps the connection."""

    def __init__(self, where: str, variants_file: str) -> None:
        """Prepare for a cluster, to which the games of ``--variants`` are sent."""
        self._joined = Connection(where)
        self._variants_file = variants_file
        self._runner = asyncio.Runner()
        self._prepared: Definitions | None = None
        self._name = f"perft-{secrets.token_hex(8)}"

    def __enter__(self) -> Counters:
        self._runner.__enter__()
        try:
            self._runner.run(self._joined.open())
        except BaseException:
            self._runner.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._runner.run(self._joined.close())
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
        result = Count(depth)
        definitions = Definitions.of(position.game.name, self._variants_file)
        if definitions != self._prepared:
            self._runner.run(self._joined.everywhere(prepare, definitions))
            self._prepared = definitions
        began = time.perf_counter()
        roots = {code: position.move_text(code) for code in position.legal_codes()}
        if depth < 2:
            result.nodes = len(roots) if depth else 1
            result.divide = dict.fromkeys(roots.values(), 1) if depth else {}
        else:
            result.divide = dict.fromkeys(roots.values(), 0)

            def order(line: list[int], left: int) -> CountOrder:
                moves = tuple(position.moves)
                code_line = tuple(map(int, line))
                return CountOrder(
                    definitions,
                    position.root_text,
                    moves,
                    code_line,
                    left,
                    bulk,
                    int(hash_megabytes),
                )

            lines = lines_to_count(position.copy(), depth, _PARTS * self._joined.capacity)
            parts = [(roots[line[0]], self._part(order(line, left))) for line, left in lines]
            self._runner.run(_summed(result, parts, progress))
        result.seconds = time.perf_counter() - began
        return result

    async def _part(self, order: CountOrder) -> int:
        nodes: int = await self._joined.ask(count, order, self._name, with_key=False)
        return nodes


async def _summed(
    result: Count,
    parts: list[tuple[str, Coroutine[Any, Any, int]]],
    progress: Callable[[int, int, int], None] | None,
) -> None:
    """Wait for all parts, each of a root move, and add them up."""
    tasks = {asyncio.ensure_future(part): root for root, part in parts}
    reported = time.perf_counter()
    waiting = set(tasks)
    try:
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                result.divide[tasks[task]] += task.result()
                result.nodes += task.result()
            now = time.perf_counter()
            if progress is not None and now - reported > 1.0 and waiting:
                reported = now
                progress(len(tasks) - len(waiting), len(tasks), result.nodes)
    finally:
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting)
