"""Gomoku Roku: strength against Monte Carlo tree search, and forced wins found in time."""

from __future__ import annotations

import random

import pytest

from bench.mcts import MonteCarlo
from ryugi_engine.limits import Limits
from ryugi_engine.position import Position
from ryugi_engine.registry import registry
from ryugi_engine.search.searcher import Searcher
from tests.brute import forced_win

HEXAGONS = [g.name for g in registry().games() if g.name.startswith("gomokuroku")]
GAMES, PLAYOUTS, SECONDS = 40, 10_000, 0.5
#: Forced wins to look for in each rule set; trying everything takes seconds a position.
WINS = 3


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
    assert points >= 0.95 * GAMES


@pytest.mark.parametrize("name", HEXAGONS)
def test_forced_wins(name: str) -> None:
    """Wins in four own stones that trying everything finds, in five seconds at most."""
    source = random.Random(f"forced wins {name}")
    found = slowest = 0.0
    searcher = Searcher(16)
    while found < WINS:
        position = Position(registry().game(name))
        for _ in range(source.randrange(12, 28)):
            if position.outcome() is None:
                position.push(source.choice(position.legal_codes()))
        if position.outcome() is not None or forced_win(position, 3):
            continue
        if not forced_win(position, 4):
            continue
        seconds: list[float] = []
        searcher.clear()
        searcher.prepare(position, Limits(move_time=5.0, mate=4))
        result = searcher.run(
            position,
            lambda report, seconds=seconds: seconds.append(report.seconds),  # type: ignore[misc]
        )
        assert result.score.mate is not None, position.text()
        assert result.score.mate > 0, position.text()
        slowest = max(slowest, seconds[-1])
        found += 1
    print(f"\n{name}: {found:g} wins in four, the slowest after {slowest:.2f} s")
