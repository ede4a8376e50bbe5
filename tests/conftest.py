"""What the tests share."""

from __future__ import annotations

import os
import random

import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry

GAMES = [game.name for game in registry().games()]
#: Those of the chess family, and the others.
FAMILY = [g.name for g in registry().games() if g.package == "variants.chess_family"]
OTHERS = [name for name in GAMES if name not in FAMILY]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones first: processes that share the tests then end at the same time."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture
def ryugi() -> Game:
    return registry().game("ryugi")


@pytest.fixture
def source(request: pytest.FixtureRequest) -> random.Random:
    """A random source whose seed is printed when the test fails; RYUGI_TEST_SEED repeats it."""
    seed = int(os.environ.get("RYUGI_TEST_SEED", random.randrange(2**32)))
    print(f"RYUGI_TEST_SEED={seed} for {request.node.nodeid}")
    return random.Random(seed)
