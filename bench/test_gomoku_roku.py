"""Gomoku Roku: strength against Monte Carlo tree search, and forced wins found in time."""

from __future__ import annotations

import random
import time

import pytest

from bench.conftest import size
from bench.mcts import MonteCarlo
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

HEXAGONS = [g.name for g in registry().games() if g.name.startswith("gomokuroku")]
GAMES, PLAYOUTS, SECONDS = size((40, 10_000, 0.5), (2, 30, 0.01))
#: The share of points that is expected.
SHARE = size(0.95, 0.0)
#: Forced wins to look for in each rule set, and the nodes that show one to be there.
WINS, EFFORT = size((10, 1_500_000), (1, 100_000))
#: Seconds in which the engine has to report one.
ENOUGH = size(5.0, 60.0)


@pytest.mark.parametrize("name", HEXAGONS)
def test_against_monte_carlo(name: str) -> None:
    """At half a second a move against 10,000 random playouts a move, both sides in turn."""
    points = 0.0
    for number in range(GAMES):
        searcher, other = Searcher(16), MonteCarlo(PLAYOUTS, number + 1)
        position = Position(registry().game(name))
        side = number % 2
        while position.outcome() is None:
            if position.side == side:
                searcher.prepare(position, Limits(move_time=SECONDS))
                position.push(searcher.run(position, lambda report: None).best)
            else:
                position.push(other.choose(position))
        outcome = position.outcome()
        assert outcome is not None
        points += {("1-0", "0-1")[side]: 1.0, "1/2-1/2": 0.5}.get(outcome.result, 0.0)
    print(f"\n{name}: {points:g} of {GAMES} against {PLAYOUTS} playouts")
    assert points >= SHARE * GAMES


@pytest.mark.parametrize("name", HEXAGONS)
def test_forced_wins(name: str) -> None:
    """Wins in four or five own stones are reported in five seconds at most, by the engine's clock.

    tests/proving/test_provers.py compares the threat search with an exhaustive search.
    """
    source = random.Random(f"forced wins {name}")
    times: list[float] = []
    searcher = Searcher(16)
    while len(times) < WINS:
        position = Position(registry().game(name))
        for _ in range(source.randrange(12, 28)):
            if position.outcome() is None:
                position.push(source.choice(position.legal_codes()))
        prover = position.rules.prover(16)
        assert prover is not None
        if position.outcome() is not None:
            continue
        if prover.prove(position.state, EFFORT, Block(8)) != WON:
            continue
        if prover.plies(position.state) not in (7, 9):
            continue
        searcher.clear()
        searcher.prepare(position, Limits(move_time=ENOUGH))
        began = time.perf_counter()
        result = searcher.run(position, lambda report: None)
        times.append(time.perf_counter() - began)
        assert result.score.mate is not None, position.text()
        assert result.score.mate > 0, position.text()
    print(f"\n{name}: {WINS} wins in four or five stones, the slowest after {max(times):.2f} s")
