"""Each game's own kernels, which know what its tables hold: users have no others."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pyffish
import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.search.bench import Bench
from tests.fairy.test_rules import FIGURES, GAMES, MANY_WALLS
from tests.support.effort import by_turns, effort, turn
from tests.support.own_kernels import OwnKernels

PLIES = 40
#: Plies that a search is deep.
DEPTH = 3


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnKernels]:
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # processes that share the tests share what is compiled
    kernels = OwnKernels(folder / "own-kernels")
    yield kernels
    kernels.close()


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_is_played_with_its_own_kernels(
    game: Game, own: OwnKernels, source: random.Random
) -> None:
    """Perft 1 and 2, and in random games moves, texts and results."""
    played = own.ask("play", game.name, source.randrange(1 << 32), effort(PLIES, 10 * PLIES))
    assert len(played["seen"]) >= PLIES
    if game.name in FIGURES:
        known = FIGURES[game.name][:2]
        assert played["perft"][: len(known)] == known
    if game.name in MANY_WALLS:
        for text, moves, _, _ in played["seen"]:
            assert sorted(moves) == sorted(pyffish.legal_moves(game.name, text, [])), text
        return
    reference = game.reference(game.start)
    for text, moves, end, move in played["seen"]:
        legal = reference.legal_moves()
        assert reference.text() == text
        assert sorted(moves) == sorted(legal), text
        assert (tuple(end) if end else None) == reference.result(), text
        reference = legal[move] if move is not None else game.reference(game.start)


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("game", by_turns(GAMES, 12), ids=lambda game: game.name)
def test_a_search_is_the_same_with_own_kernels(game: Game, own: OwnKernels) -> None:
    """As many nodes and the same moves as with the kernels of all games."""
    print(turn())
    lines: list[str] = []
    Bench([game], DEPTH, lines.append).run()
    wanted = [line for line in lines if line.startswith(game.name)]
    assert wanted
    assert own.ask("bench", game.name, DEPTH) == wanted
