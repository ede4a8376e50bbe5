"""A fixed set of positions searched to a fixed depth: the node count is the signature of play."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ryugi_engine.game import Game, counted
from ryugi_engine.limits import Limits
from ryugi_engine.position import Position
from ryugi_engine.search.searcher import Searcher

HASH_MEGABYTES = 16


def run_bench(
    games: Sequence[Game],
    depth: int | None,
    write: Callable[[str], None],
    threads: int = 1,
    hash_megabytes: int = HASH_MEGABYTES,
) -> int:
    """Search every bench position of the games; returns the sum of the nodes.

    The number is the same on every machine with one thread, the default hash and one depth.
    """
    total, seconds = 0, 0.0
    for game in games:
        searcher = Searcher(hash_megabytes, threads)
        texts = game.positions("bench") or (game.start,)
        for number, text in enumerate(texts, start=1):
            position = Position(game, text)
            searcher.clear()
            searcher.prepare(position, Limits(depth=depth or game.bench_depth))
            began = time.perf_counter()
            result = searcher.run(position, lambda report: None)
            seconds += time.perf_counter() - began
            total += result.nodes
            nodes = counted(result.nodes, "node")
            write(f"{game.name} {number}/{len(texts)}: {nodes}, {result.best or '-'}")
    write("===========================")
    write(f"Total time (ms) : {round(1000 * seconds)}")
    write(f"Nodes searched  : {total}")
    write(f"Nodes/second    : {round(total / max(seconds, 1e-9))}")
    return total
