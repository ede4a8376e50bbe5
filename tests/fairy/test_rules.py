"""The general family against other implementations, and its kernels against its reference rules."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pyffish
import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import HEADER
from tests.support.effort import effort
from variants import chess as chess_games

#: Games in which one move of a duck or an arrow has hundreds of forms: slow in plain Python.
MANY_WALLS = ("amazons", "duck", "flipello10")
GAMES = [game for name in chess_games.catalogue() if (game := chess_games.find(name)) is not None]
GAMES = [game for game in GAMES if game.package == "variants.chess.general"]
#: Games that Fairy-Stockfish has in its variants.ini only.
READ = ("cfour-anyside", "elgam", "nuclear")
_TEXT = (Path(chess_games.__file__).parent / "catalogue.ini").read_text()
_LOOKS = r"(?m)^(title|about|names|board|pieceSet) = .*\n"
for _name in READ:
    _section = re.search(rf"(?ms)^\[{_name}[]:].*?(?=^\[|^#|\Z)", _TEXT)
    assert _section is not None
    pyffish.load_variant_config(re.sub(_LOOKS, "", _section[0]))
#: Games that Fairy-Stockfish does not have.
OWN = ("marseillais", "monster", "mightylion", "cylinder", "chu", "progressive", "alice")
THEIRS = [game for game in GAMES if game.name not in OWN]
FIGURES = {
    name: [int(count) for count in counts]
    for line in (Path(__file__).parent / "perft.txt").read_text().splitlines()
    if not line.startswith("#")
    for name, *counts in [line.split()]
}


def _perft(position: Position, depth: int) -> int:
    first = int(HEADER.of(position.state)["moves"])
    return position.kernels.perft(position.state.address, depth, 1, first)


def test_the_catalogue_is_what_fairy_stockfish_calls_so() -> None:
    assert set(chess_games.catalogue()) - set(OWN) <= set(pyffish.variants())
    assert len(chess_games.catalogue()) > 100
    assert len(GAMES) > 90
    assert {game.name for game in THEIRS} <= FIGURES.keys()


@pytest.mark.parametrize("game", THEIRS, ids=lambda game: game.name)
def test_perft_is_that_of_fairy_stockfish(game: Game) -> None:
    """Its figures at all depths up to some hundred thousand moves."""
    position = Position(game)
    for depth, count in enumerate(FIGURES[position.game.name], start=1):
        assert _perft(position, depth) == count, depth


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_as_many_moves_are_counted_as_listed(game: Game, source: random.Random) -> None:
    """In random games: counting in sets knows checks, pins, promotions and blasts."""
    position = Position(game)
    for _ in range(effort(40, 400)):
        codes = position.legal_codes()
        assert _perft(position, 1) == len(codes), position.text()
        if not codes or position.outcome() is not None:
            position = Position(game)
        else:
            position.push(source.choice(codes))


def test_optimised_kernels_of_a_game_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users have them; ``test_own_kernels.py`` has those of all games, without optimisation."""
    monkeypatch.delenv("RYUGI_KERNELS")
    name = "atomic"
    game = chess_games.find(name)
    assert game is not None
    position = Position(game, rules=game.load())
    for depth, count in enumerate(FIGURES[name][:3], start=1):
        assert _perft(position, depth) == count, depth
    assert len(position.legal_moves()) == FIGURES[name][0]


@pytest.mark.slow
@pytest.mark.parametrize("game", THEIRS, ids=lambda game: game.name)
def test_moves_are_those_of_pyffish(game: Game, source: random.Random) -> None:
    """In random games: equal moves in every position."""
    position = Position(game)
    name = position.game.name
    for _ in range(effort(16, 200)):
        text = position.text()
        theirs = pyffish.legal_moves(name, text, [])
        if name != "atlantis":  # where a move without a wall is written with one on a1
            # from its text, as theirs: without the moves before
            assert sorted(Position(game, text).legal_moves()) == sorted(theirs), text
        if not theirs or position.outcome() is not None:
            break
        position.push(source.choice(position.legal_codes()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [game for game in GAMES if game.name not in MANY_WALLS], ids=lambda game: game.name
)
def test_kernels_agree_with_the_reference_rules(game: Game, source: random.Random) -> None:
    """In random games: moves, texts and results."""
    position = Position(game)
    reference = position.game.reference(position.text())
    for _ in range(effort(8, 120)):
        moves = reference.legal_moves()
        codes = dict(zip(position.legal_moves(), position.legal_codes(), strict=True))
        assert sorted(codes) == sorted(moves), position.text()
        assert position.text() == reference.text()
        outcome, result = position.outcome(), reference.result()
        assert (outcome and (outcome.result, outcome.reason)) == result, position.text()
        if outcome is not None or not moves:
            break
        move = source.choice(sorted(moves))
        position.push(codes[move])
        reference = moves[move]
