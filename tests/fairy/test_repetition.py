"""Repetition and en passant: a square counts only where a capture en passant is legal."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from ryugi_engine.games.definitions import read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import DRAWN, ONGOING
from tests.fairy.test_checks import definition_of, king_of
from tests.fairy.test_rules import GAMES
from tests.support.effort import effort
from tests.support.helpers import ROOT, rounds
from variants import chess as chess_games
from variants.chess.definition.definition import Definition, Square
from variants.chess.fast.game import KernelChoice, kernels_of
from variants.chess.formats.toml import read_game
from variants.chess.notation.text import PositionData, format_text
from variants.chess.reference.board import Board
from variants.chess.reference.moves import Maker
from variants.chess.reference.position import Reference

_KNIGHTS = "g8f6 g1f3 f6g8 f3g1"


def _movers(game: Definition) -> list[str]:
    """Return the kinds of White's pieces that may be taken en passant."""
    moves = Board(game, Reference.parse(game, game.start).data).pieces.moves
    return [piece for piece in game.pieces if any(move.passes for move, *_ in moves(piece, 0))]


def _passes(game: Definition) -> bool:
    return any(game.rules.en_passant_types) and bool(_movers(game))


PAWNS = [game for game in GAMES if _passes(definition_of(game))]


def played(game: Game, moves: str, text: str | None = None) -> Position:
    position = Position(game, text)
    for move in moves.split():
        position.push(position.parse_move(move))
    return position


def _goes_back(game: Game) -> bool:
    """Return whether a double step and the way of the knights are moves of a game, and no draw."""
    position = Position(game)
    for move in f"e2e4 {_KNIGHTS}".split():
        if move not in position.legal_moves() or position.outcome() is not None:
            return False
        position.push(position.parse_move(move))
    rules = definition_of(game).rules
    return rules.n_fold_rule == 3 and not rules.gating  # a knight's first move changes what gates


def test_a_double_step_does_not_hide_a_repetition() -> None:
    """No one can take on e3, so the position after e2e4 has occurred three times."""
    found = 0
    for game in GAMES:
        if not definition_of(game).has_long_turns() and _goes_back(game):
            found += 1
            outcome = played(game, f"e2e4 {_KNIGHTS} {_KNIGHTS}").outcome()
            assert outcome is not None, game.name
            assert outcome.reason.endswith("fold repetition"), game.name
    assert found > 10


def test_a_square_of_en_passant_that_can_be_used_is_another_position() -> None:
    start = "4k1n1/8/8/8/3p4/8/4P3/4K1N1[] w - - 0 1"
    game = registry().game("crazyhouse")
    assert " e3 " in played(game, "e2e4", start).text()
    assert played(game, f"e2e4 {_KNIGHTS} {_KNIGHTS}", start).outcome() is None
    assert played(game, f"e2e4 {_KNIGHTS} {_KNIGHTS} {_KNIGHTS}", start).outcome() is not None


@pytest.mark.parametrize("name", ["chess", "kingofthehill"])
@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/R2p3k/8/4P3/7K w - - 0 1",  # the capture opens the rook's rank
        "8/8/3k4/8/3p4/8/4P3/K2R4 w - - 0 1",  # the pawn is pinned
        "4k3/8/8/8/2p5/8/4P3/4K3 w - - 0 1",
    ],
)
def test_both_families_drop_a_square_on_which_no_capture_is_legal(name: str, text: str) -> None:
    game = registry().game(name)
    position = played(game, "e2e4", text)
    assert position.text().split()[3] == "-"
    again = Position(game, position.text().replace(" b - - ", " b - e3 "))
    assert (again.text(), again.key()) == (position.text(), position.key())


@pytest.mark.parametrize("name", ["chess", "kingofthehill", "crazyhouse"])
def test_a_position_of_the_search_counts_at_its_first_repetition(name: str) -> None:
    """The root, which is as many plies back, belongs to the search in every family."""
    position = played(registry().game(name), "g1f3 g8f6 f3g1 f6g8")
    status = position.kernels.status
    assert [status(position.state.address, plies) for plies in (3, 4)] == [ONGOING, DRAWN]


def _with_pawns(game: Definition, source: random.Random) -> PositionData:
    """Return a position in which White's pieces may pass Black's that take en passant."""
    rules = game.rules
    start = Reference.parse(game, game.start).data
    board: dict[Square, str] = {}
    movers = _movers(game)
    takers = sorted(rules.en_passant_types[1])
    squares = sorted(game.on_board())
    homes = sorted(rules.double_step_region[0] | rules.triple_step_region[0]) or squares
    for letter in (king_of(game), king_of(game).lower(), "R", "r", "B", "b"):
        if letter and letter.upper() in game.pieces:
            board[source.choice(squares)] = letter
    for file in range(game.files):
        home = source.choice(homes)
        board.setdefault((file, home[1]), source.choice(movers))
        if source.random() < 0.7:
            board.setdefault(
                (file, home[1] + source.choice((1, 2, 2, 3))), source.choice(takers).lower()
            )
    board = {at: sign for at, sign in board.items() if at in squares}
    return replace(
        start, board=board, hands={}, side=0, castling="", gates=frozenset(),
        en_passant=frozenset(), moves_left=1 if game.has_long_turns() else 0,
    )  # fmt: skip


@pytest.mark.slow
def test_squares_of_en_passant_are_those_of_the_reference_rules(source: random.Random) -> None:
    """In every game, after double steps next to pieces that take en passant, pinned ones too."""
    seen: Counter[str] = Counter()
    for _ in rounds(effort(1, 10), seen, kept=20, void=20):
        for game in PAWNS:
            definition = definition_of(game)
            data = _with_pawns(definition, source)
            if Board(definition, data).in_check(1) or len(data.board) < 4:
                continue
            text = format_text(definition, data)
            position, before = Position(game, text), Reference.parse(definition, text)
            for move, after in before.legal_moves().items():
                if not move[-1].isdigit() or "@" in move or "," in move:
                    continue
                position.push(position.parse_move(move))
                assert position.text() == after.text(), (text, move)
                again = Position(game, position.text())
                assert again.key() == position.key(), (text, move)
                position.pop()
                seen["kept"] += bool(after.data.en_passant)
                made = Maker(before, after.action).data() if after.action else data
                seen["void"] += bool(made.en_passant and not after.data.en_passant)


def test_draws_are_claimed_alike_by_both_sets_of_kernels() -> None:
    """Chess by the fast kernels and by tables: three and five times, 50 and 75 moves."""
    text = (ROOT / "variants" / "chess" / "definitions" / "chess.toml").read_text()
    (reader,) = read_text(text, "chess.toml")
    definition = read_game(reader)
    both = (kernels_of(definition), KernelChoice(None, "general kernels"))
    said: list[list[str]] = []
    for game in (chess_games.game_of(definition, kernels) for kernels in both):
        position = Position(game)
        found = []
        for move in 4 * ["g1f3", "g8f6", "f3g1", "f6g8"]:
            assert position.outcome() is None
            position.push(move)
            found.append(str(position.claim()))
        found.append(str(position.outcome()))
        for clock in (99, 100, 149, 150):
            position = Position(game, f"4k3/8/8/8/8/8/8/4K2R w - - {clock} 90")
            found += [str(position.outcome()), str(position.claim())]
        said.append(found)
    assert said[0] == said[1]
    assert "fivefold repetition" in said[0][16]
    assert "threefold repetition" in said[0][7]
    assert "75-move rule" in said[0][-2]
