"""A prover during the search: its share of the time, and that its proofs are played."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import ONGOING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.proof_search import FIRST_ITERATIONS
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher
from tests.support.exhaustive_search import winner
from tests.support.helpers import late_position, rounds

#: Seventeen pieces in hand, the most with which proofs are looked for.
EARLY = "5/1ss2/1HSs1/H2sH/5[SSSSSSSSShhssssss] w - - 0 5"
NEVER = Block(8)


class SlowProver:
    """Proves nothing, at the speed of a machine that is hundreds of times slower."""

    nodes = 0

    def __init__(self, events: list[tuple[str, float]]) -> None:
        self._events = events

    def prove(self, state: Block, nodes: int, stop: Block) -> int:
        began = time.perf_counter()
        self._events.append(("proof", began))
        end = began + nodes * 2e-5
        while time.perf_counter() < end and not stop.words[0]:
            time.sleep(0.005)
        self.nodes = nodes
        # what a busy machine adds to it is not the prover's
        self._events.append(("proof over", min(time.perf_counter(), end)))
        return ONGOING

    def is_promising(self, state: Block) -> bool:
        return True

    def exhausted(self) -> bool:
        return False


@pytest.mark.slow
@pytest.mark.parametrize(
    "limits",
    [Limits(move_time=3.0), Limits(time=(20.0, 20.0), increment=(0.5, 0.5)), Limits(depth=8)],
    ids=["time for a move", "clock", "depth"],
)
def test_a_slow_proof_leaves_the_search_its_share(limits: Limits) -> None:
    events: list[tuple[str, float]] = []
    searcher, position = Searcher(4), Position(registry().game("gorogo"), EARLY)
    searcher.prepare(position, Limits(depth=1))
    searcher.run(position, lambda report: None)  # the kernels are loaded outside any clock
    slow: Any = SlowProver(events)
    searcher.prover._prover = slow

    def report(told: Report) -> None:
        events.append((f"depth {told.depth}", time.perf_counter()))

    began = time.perf_counter()
    searcher.prepare(position, limits)
    result = searcher.run(position, report)
    names = [name for name, _at in events]
    assert names.count("proof") > 1
    # a look first, then nothing until there is a move of some depth
    assert names[:2] == ["proof", "proof over"]
    assert f"depth {FIRST_ITERATIONS}" in names[: names.index("proof", 1)]
    assert result.depth >= FIRST_ITERATIONS
    if limits.depth is not None:
        return
    spent = 0.0
    for (name, at), (_name, after) in pairwise(events):
        if name == "proof":
            assert spent <= (at - began) / 2 + 0.05 or spent < 0.1, events
            spent += after - at


def test_a_known_proof_is_found_at_once(source: random.Random) -> None:
    """What was proven for one move is played on with the next, however little time there is."""
    searcher = Searcher(4)
    for _ in range(5):
        position = late_position(source, 9)
        searcher.prepare(position, Limits(nodes=20_000_000))  # a proof ends it long before
        value = searcher.run(position, lambda report: None).score.mate
        assert value is not None
        while position.outcome() is None:
            searcher.prepare(position, Limits(depth=1))
            again = searcher.run(position, lambda report: None)
            assert again.score.mate is not None
            assert (again.score.mate > 0) == (value > 0)
            position.push(again.best)
            value = -value


def test_a_proof_that_is_stopped_has_its_move(source: random.Random) -> None:
    """Found in the last moment, a win is played: its first move needs no search."""
    stopped = Block(8)
    stopped.words[0] = 1
    seen: Counter[str] = Counter()
    for _ in rounds(40, seen, wins=5):
        position = late_position(source, 7)
        prover = position.rules.prover(1)
        assert prover is not None
        if prover.prove(position.state, 1 << 60, NEVER) == WON:
            seen["wins"] += 1
            position.push(prover.line(position.state, stopped)[0])
            assert position.outcome() is not None or winner(position) != WON


def test_a_limit_of_nodes_holds_for_search_and_proof_together(source: random.Random) -> None:
    for nodes in (1, 50, 5_000, 60_000):
        searcher = Searcher(4)
        position = late_position(source, 16)
        searcher.prepare(position, Limits(nodes=nodes))
        result = searcher.run(position, lambda report: None)
        assert result.best
        assert result.nodes <= nodes + 100
