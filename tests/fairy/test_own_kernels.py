"""Each game's own kernels, which know what its tables hold: users have no others."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

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


#: Constants that are wrong for a game, each alone: what games without its rule have instead. Left
#: out are rules that random games seldom reach, such as repetitions, stalemates, bare kings; and
#: ``words`` of a square set above what the board needs, by which nothing need change.
_WRONG = """
3check check_counting=0
armageddon ways=0
ataxx enclosing_drop=0 flip_enclosed_pieces=0 free_drops=0
codrus numbers_to_lose=0
crazyhouse captures_to_hand=0 piece_drops=0
dobutsu flag_piece_safe=0
flipello pass_on_stalemate=0
flipersi adjudicate_full_board=0 material_counting=0
fox-and-hounds flag_regions=0
grand mandatory_pawn_promotion=1 words=2
grasshopper kinds=6
isolation walling_rule=0
janggi bikjang_rule=0 passing=0
jesonmor flag_move=0
kyotoshogi drop_promoted=0 mandatory_piece_promotion=0 piece_demotion=0
losers extinction_piece_count=0 extinction_total=0 extinction_value=0 must_capture=0
makpong makpong_rule=0 move_rules=0 plain=1
makruk promotions=4
marseillais check_ends_turn=0 long_turns=0 turn_moves=0
micro piece_promotion_on_capture=0
minishogi fill_bits=6 immobility_illegal=0 ranks=8
minixiangqi flying_general=0
nocheckatomic blast_on_capture=0
petrified extinction_pseudo_royal=0 petrify=0
placement castling_dropped_piece=0 drop_opposite_colored_bishop=0 must_drop=0
racingkings checking=1
seirawan seirawan_gating=0
spartan duple_check=0
torishogi drop_no_doubled_count=1
"""
MUTANTS = [
    (name, constant)
    for name, *constants in map(str.split, _WRONG.strip().splitlines())
    for constant in constants
]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnKernels]:
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # processes that share the tests share what is compiled
    kernels = OwnKernels(folder / "own-kernels")
    yield kernels
    kernels.close()


def _with_the_reference(game: Game, seen: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield text, moves and end of each position of a played game, by the kernels and by it."""
    reference = game.reference(game.start)
    for text, moves, end, move in seen:
        legal = reference.legal_moves()
        ours = text, sorted(moves), tuple(end) if end else None
        yield ours, (reference.text(), sorted(legal), reference.result())
        reference = legal[move] if move is not None else game.reference(game.start)


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
    for ours, theirs in _with_the_reference(game, played["seen"]):
        assert ours == theirs


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize(("name", "constant"), by_turns(MUTANTS, 6))
def test_a_wrong_constant_is_found(name: str, constant: str, own: OwnKernels) -> None:
    """By games that are no games by the reference rules."""
    print(turn())
    (game,) = (game for game in GAMES if game.name == name)
    field, _, value = constant.partition("=")
    assert own.ask("known", name)[field] != int(value)
    wrong = {field: int(value)}
    assert any(
        ours != theirs
        for seed in range(2)
        for ours, theirs in _with_the_reference(
            game, own.ask("play", name, seed, 2 * PLIES, wrong)["seen"]
        )
    )


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("game", by_turns(GAMES, 8), ids=lambda game: game.name)
def test_a_search_is_the_same_with_own_kernels(game: Game, own: OwnKernels) -> None:
    """As many nodes and the same moves as with the kernels of all games."""
    print(turn())
    lines: list[str] = []
    Bench([game], DEPTH, lines.append).run()
    wanted = [line for line in lines if line.startswith(game.name)]
    assert wanted
    assert own.ask("bench", game.name, DEPTH) == wanted
