"""Perft against published and foreign counts, and against itself done in other ways."""

from __future__ import annotations

import random

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.perft.count import Perft, SuiteLine, read_suite
from tests.conftest import FAMILY, GAMES
from tests.support.effort import effort
from tests.support.helpers import walked, wild_position


def suite(name: str) -> list[SuiteLine]:
    path = registry().game(name).data_file("perft")
    assert path is not None
    return read_suite(path)


@pytest.mark.more
@pytest.mark.parametrize("name", GAMES)
def test_suite(name: str) -> None:
    """All counts in the long run, else those of each position that take no time."""
    game = registry().game(name)
    for line in suite(name):
        position, small = Position(game, line.text), min(line.counts.values())
        for depth, expected in line.counts.items():
            if expected <= effort(max(small, 3_000_000), expected):
                assert Perft(position, depth).run().nodes == expected, (line.text, depth)


@pytest.mark.more
def test_every_leaf_made(ryugi: object) -> None:
    for name in GAMES:
        game = registry().game(name)
        for line in suite(name)[:8]:
            most: int = effort(100_000, 2_000_000)
            depth = max(d for d, nodes in line.counts.items() if d == 1 or nodes < most)
            count = Perft(Position(game, line.text), depth, bulk=False).run()
            assert count.nodes == line.counts[depth], line.text


@pytest.mark.parametrize("options", [{"threads": 2}, {"threads": 3}, {"hash_megabytes": 1}])
def test_same_by_other_ways(options: dict[str, int], source: random.Random) -> None:
    """Threads and the count table change nothing; a table of 1 MB is overwritten all the time."""
    for name in GAMES:
        game = registry().game(name)
        positions = [Position(game)]
        if name in FAMILY:
            positions += filter(None, (wild_position(game, source) for _ in range(3)))
        else:
            positions += [walked(game, source) for _ in range(3)]
        for position in positions:
            plain = Perft(position, 3).run()
            other = Perft(position, 3, **options).run()  # type: ignore[arg-type]
            assert other.divide == plain.divide, position.text()
            assert other.nodes == plain.nodes == sum(plain.divide.values())


def test_depth_zero_and_one() -> None:
    position = Position(registry().game("ryugi"))
    assert Perft(position, 0).run().nodes == 1
    one = Perft(position, 1).run()
    assert one.nodes == 34
    assert set(one.divide.values()) == {1}


def test_stop_ends_a_long_count() -> None:
    import threading

    perft = Perft(Position(registry().game("ryugi")), 9)
    threading.Timer(0.2, perft.stop).start()
    result = perft.run()  # of a count that takes hours
    assert result.stopped
