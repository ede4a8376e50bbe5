"""Kernels stay inside their blocks, and recursion is what it says."""

from __future__ import annotations

import os
import random
import sys

import pytest

from ryugi_engine.errors import GameError
from ryugi_engine.kernel import bundle
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import recurse4
from ryugi_engine.kernel.memory import recurse5 as _again
from tests.conftest import GAMES
from tests.support.effort import effort
from tests.support.helpers import completed

_TOUR = """
from tests.conftest import FAMILY
from tests.variants.test_placement import compare as compare_placement
from tests.variants.test_reference import compare
from ryugi_engine.search.limits import Limits
from ryugi_engine.kernel.block import BOUNDSCHECK
from ryugi_engine.perft.count import Perft
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.search.searcher import Searcher

assert BOUNDSCHECK
for game in registry().games():
    if game.name not in {games!r}:
        continue
    searched = {games!r}[game.name]
    (compare if game.name in FAMILY else compare_placement)(game.name, "bounds", 40)
    assert Perft(Position(game), 3, threads=2, hash_megabytes=1).run().nodes
    searcher = Searcher(1, threads=2)
    searcher.multipv = 3
    for text in game.positions("bench")[: 5 * searched]:
        position = Position(game, text)
        searcher.prepare(position, Limits(depth=7))
        searcher.run(position, lambda report: None)
"""


@pytest.mark.more
@pytest.mark.slow
def test_no_access_outside_a_block() -> None:
    """Rules, perft and search with every access checked: a bad one would stop the process."""
    games = effort({"gorogo": True}, dict.fromkeys(GAMES, True))
    done = completed(
        [sys.executable, "-c", _TOUR.format(games=games)],
        env={**os.environ, "RYUGI_BOUNDSCHECK": "1"},
    )
    assert done.returncode == 0, (done.returncode, done.stderr)


@routine
def _descend(n, a, b, c):
    """``n`` * ``a``."""
    return 0 if n == 0 else a + recurse4(n - 1, a, b, c)


@pytest.fixture
def _nobody_loads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of a test are not the engine's."""
    monkeypatch.setattr(bundle, "bundles", [])


@pytest.mark.usefixtures("_nobody_loads_them")
def test_recursion(source: random.Random) -> None:
    @entry(2)
    def descend(n: int, a: int) -> int:
        return int(_descend(n, a, n, a))

    @entry(1)
    def from_literal(a: int) -> int:
        return int(_descend(3, a, a, a))

    n, a = source.randrange(40), source.randrange(10**6)
    assert descend(n, a) == n * a
    assert from_literal(a) == 3 * a


@routine
def _falls(n, a, b, c):
    """Under another name the number of words is seen when it is compiled."""
    return 0 if n == 0 else a + _again(n - 1, a, b, c, c)


@pytest.mark.usefixtures("_nobody_loads_them")
def test_recursion_with_another_number_of_words_is_refused() -> None:
    @entry(2)
    def falls(n: int, a: int) -> int:
        return int(_falls(n, a, n, a))

    with pytest.raises(GameError, match="recurse5 in _falls, which takes another number of words"):
        falls(3, 1)


@kernel
def _rises(n, a, b, c):
    """It would call itself, or what it is inlined into."""
    return 0 if n == 0 else a + recurse4(n - 1, a, b, c)


@pytest.mark.usefixtures("_nobody_loads_them")
def test_recursion_in_a_kernel_is_refused() -> None:
    @entry(2)
    def rises(n: int, a: int) -> int:
        return int(_rises(n, a, n, a))

    with pytest.raises(GameError, match="_rises: line .*: recurse4 in a kernel .* routine"):
        rises(3, 1)
