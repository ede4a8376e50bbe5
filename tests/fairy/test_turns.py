"""Games in which a side moves several times in a turn."""

from __future__ import annotations

import chess
import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from variants import chess as chess_games


def _game(name: str) -> Position:
    game = chess_games.find(name)
    assert game is not None
    return Position(game)


def _best(position: Position, depth: int) -> str:
    searcher = Searcher(4)
    searcher.prepare(position, Limits(depth=depth))
    return searcher.run(position, lambda report: None).best


def _double_moves(board: chess.Board, depth: int, left: int) -> int:
    """Perft of balanced Marseillais Chess by python-chess; en passant only by a turn's first."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        if board.is_en_passant(move) and left < 2:
            continue
        after = board.copy()
        after.push(move)
        if left == 2 and not after.is_check():
            mine = after.ep_square
            after.turn = board.turn
            after.ep_square = None
            assert mine is None or depth < 3  # both marks would have to be kept
            total += _double_moves(after, depth - 1, 1)
        else:
            total += _double_moves(after, depth - 1, 2)
    return total


def test_marseillais_perft() -> None:
    position = _game("marseillais")
    kernels, first = position.rules.kernels, int(HEADER.of(position.state)["moves"])
    for depth in (1, 2, 3):
        expected = _double_moves(chess.Board(), depth, 1)
        assert kernels.perft(position.state.address, depth, 1, first) == expected
    # 20 first moves, then Black's two and White's two
    assert kernels.perft(position.state.address, 2, 1, first) == 400


def _series(board: chess.Board, depth: int, left: int, length: int) -> int:
    """Perft of Progressive Chess by python-chess; en passant only by a turn's first move."""
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        if board.is_en_passant(move) and left < length:
            continue
        after = board.copy()
        after.push(move)
        if left > 1 and not after.is_check():
            assert depth < 4  # the marks of all moves would have to be kept
            after.turn, after.ep_square = board.turn, None
            total += _series(after, depth - 1, left - 1, length)
        else:
            total += _series(after, depth - 1, length + 1, length + 1)
    return total


def test_progressive_perft() -> None:
    position = _game("progressive")
    kernels, first = position.rules.kernels, int(HEADER.of(position.state)["moves"])
    for depth in (1, 2, 3):
        expected = _series(chess.Board(), depth, 1, 1)
        assert kernels.perft(position.state.address, depth, 1, first) == expected


def test_each_turn_of_progressive_chess_has_a_move_more() -> None:
    game = _game("progressive").game
    position, turns = Position(game), []
    moves = "e2e4", "d7d5", "e7e5", "e4d5", "g1f3", "f3e5", "d8d5", "d5e5", "f1e2", "b1c3"
    for move in moves:
        turns.append(position.text().split()[1])
        position.push(move)
    # Qxe5 gives check: the turn ends before its last moves
    assert turns == ["w1", "b2", "b1", "w3", "w2", "w1", "b4", "b3", "w5", "w4"]


def test_a_turn_of_many_moves_leaves_many_marks() -> None:
    game = _game("progressive").game
    position = Position(game, "4k3/8/8/8/1p3p1p/8/P3P1P1/4K3 w3 - - 0 2")
    for move in ("a2a4", "e2e4", "g2g4"):
        position.push(move)
    assert position.text().split()[1:4] == ["b4", "-", "a3e3g3"]
    for here in (position, Position(game, position.text())):
        assert {"b4a3", "f4e3", "f4g3", "h4g3"} <= set(here.legal_moves())
        assert set(game.reference(here.text()).legal_moves()) == set(here.legal_moves())
    position.push("f4e3")
    assert position.text().split()[:2] == ["4k3/8/8/8/Pp4Pp/4p3/8/4K3", "b3"]
    assert "b4a3" not in position.legal_moves()


@pytest.mark.parametrize("name", ["progressive", "marseillais"])
def test_a_pawn_that_moves_on_is_not_taken_en_passant(name: str) -> None:
    game = _game(name).game
    left = {"progressive": "w3 - - 0 2", "marseillais": "w2 - - 0 2"}[name]
    position = Position(game, f"4k3/8/8/8/1p1p4/8/P3P3/4K3 {left}")
    reference = game.reference(position.text())
    for move in ("e2e4", "e4e5", "a2a4")[: 3 if name == "progressive" else 2]:
        position.push(move)
        reference = reference.legal_moves()[move]
    assert position.text() == reference.text()
    assert position.text().split()[3] == ("a3" if name == "progressive" else "-")
    assert "d4e3" not in position.legal_moves()


def test_the_search_mates_in_one_turn_of_three_moves() -> None:
    game = _game("progressive").game
    position = Position(game, "6k1/5ppp/8/8/8/8/8/R5K1 w3 - - 0 2")
    position.push(_best(position, 4))
    assert position.outcome() is not None


@pytest.mark.parametrize("text", ["w4 - - 0 2", "b5 - - 0 2", "w2 - - 0 1"])
def test_no_more_moves_are_left_than_the_turn_has(text: str) -> None:
    game = _game("progressive").game
    with pytest.raises(UserError, match="side"):
        Position(game, f"4k3/8/8/8/8/8/8/4K3 {text}")


def test_check_ends_the_turn() -> None:
    position = _game("marseillais")
    position = Position(position.game, "4k3/8/8/8/8/8/4P3/R3K3 w2 - - 0 1")
    position.push("a1a7")
    assert position.text().split()[1] == "w1"
    position.pop()
    position.push("a1a8")
    assert position.text().split()[1] == "b2"


def test_en_passant_against_either_move_of_a_turn() -> None:
    game = _game("marseillais").game
    position = Position(game, "4k3/8/8/8/1p3p2/8/P3P3/4K3 w2 - - 0 1")
    for move in ("a2a4", "e2e4"):
        position.push(move)
    assert position.text().split()[1:4] == ["b2", "-", "a3e3"]
    again = Position(game, position.text())
    for here in (position, again):
        assert {"b4a3", "f4e3"} <= set(here.legal_moves())
    again.push("b4a3")
    assert again.text().split()[0] == "4k3/8/8/8/4Pp2/p7/8/4K3"
    assert "f4e3" not in again.legal_moves()


def test_monster_white_may_pass_through_check_and_takes_the_king() -> None:
    game = _game("monster").game
    position = Position(game, "4k3/8/8/8/8/8/4Q3/4K3 w2 - - 0 1")
    assert _best(position, 4)
    position.push("e2e8")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.result == "1-0"


def test_the_search_finds_a_mate_in_one_turn() -> None:
    """Two moves of one side, of which the first gives no check: 1. Rb7 and Ra8 mates."""
    game = _game("marseillais").game
    position = Position(game, "7k/8/8/8/8/8/8/RR5K w2 - - 0 1")
    position.push(_best(position, 5))
    for move in position.legal_codes():
        position.push(move)
        outcome = position.outcome()
        if outcome is not None:
            assert (outcome.result, outcome.reason) == ("1-0", "checkmate")
            return
        position.pop()
    pytest.fail("no mate")


@pytest.mark.parametrize("side", ["w3", "w0", "wx", "2"])
def test_wrong_numbers_of_moves_are_refused(side: str) -> None:
    game = _game("marseillais").game
    with pytest.raises(UserError, match="side"):
        Position(game, f"4k3/8/8/8/8/8/8/4K3 {side} - - 0 1")
