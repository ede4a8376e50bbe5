"""Rules of Cambodia, Burma and Mongolia: first leaps, resting promotions, which mates win."""

from __future__ import annotations

import pyffish
import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry


def _moves(name: str, text: str, *moves: str) -> set[str]:
    """Return the legal moves, which pyffish and the reference rules find as well."""
    position = Position(registry().game(name), text)
    reference = position.game.reference(text)
    for move in moves:
        position.push(move)
        reference = reference.legal_moves()[move]
    found = set(position.legal_moves())
    assert found == set(pyffish.legal_moves(name, text, list(moves)))
    assert found == set(reference.legal_moves())
    assert position.text() == reference.text()
    return found


def test_king_and_met_leap_while_they_have_not_moved() -> None:
    start = registry().game("cambodian").start
    assert {"d1b2", "d1f2"} <= _moves("cambodian", start)
    first = "4k3/8/8/8/8/4P3/8/R2KM3 w DE - 0 1"
    assert {"d1b2", "d1f2"} <= _moves("cambodian", first)
    assert "e1e3" not in _moves("cambodian", first)
    assert "e1e3" in _moves("cambodian", "4k3/8/8/8/8/8/4P3/R2KM3 w DE - 0 1")
    for rights in ("D", "E", "-"):
        moves = _moves("cambodian", f"4k3/8/8/8/8/8/4P3/R2KM3 w {rights} - 0 1")
        assert ("d1b2" in moves) == (rights == "D")
        assert ("e1e3" in moves) == (rights == "E")
    came_back = ("d1d2", "e8e7", "d2d1", "e7e8")
    assert "d1b2" not in _moves("cambodian", "4k3/8/8/8/8/8/4P3/R2KM3 w DE - 0 1", *came_back)


def test_a_rook_on_its_line_ends_the_leap_of_the_king() -> None:
    position = "4k3/r7/8/8/8/3P4/4P3/3KM3 b DE - 0 1"
    assert {"d1b2", "d1f2"} <= _moves("cambodian", position, "a7c7")
    assert not {"d1b2", "d1f2"} & _moves("cambodian", position, "a7d7")
    check = "4k3/8/8/8/7m/8/8/r2KM3 w DE - 0 1"
    assert not {"d1b2", "d1f2"} & _moves("cambodian", check)


def test_sittuyin_promotes_where_the_pawn_stands_or_a_step_away() -> None:
    pawns = "7k/8/8/4P3/8/1P6/8/K7[] w - - 0 1"
    assert {m for m in _moves("sittuyin", pawns) if m[-1] == "f"} == {
        f"e5{to}f" for to in ("e5", "d6", "f6", "d4", "f4")
    }
    assert not {m for m in _moves("sittuyin", pawns.replace("7k/8", "7k/4F3")) if m[-1] == "f"}
    last = "7k/8/8/8/8/1P6/8/K7[] w - - 0 1"
    assert "b3b3f" in _moves("sittuyin", last)
    # neither attacking a piece nor discovering a check
    assert "e5e5f" not in _moves("sittuyin", pawns.replace("8/8/4P3", "8/3n4/4P3"))
    opened = "7k/8/8/4P3/3S4/8/8/K7[] w - - 0 1"
    assert "e5e5f" in _moves("sittuyin", opened)
    assert "e5d6f" not in _moves("sittuyin", "4k3/8/8/4P3/8/8/8/K3R3[] w - - 0 1")


def test_after_a_promotion_there_is_no_other() -> None:
    position = "7k/8/8/4P3/8/1P6/8/K7[] w - - 0 1"
    moves = _moves("sittuyin", position, "e5e5f", "h8h7")
    assert not {m for m in moves if m[-1] == "f"}
    board = Position(registry().game("sittuyin"), position)
    board.push("e5e5f")
    assert board.text() == "7k/8/8/4F3/8/1P6/8/K7[] b - - 0 1"


def test_rooks_of_sittuyin_are_dropped_on_the_first_rank() -> None:
    drops = _moves("sittuyin", registry().game("sittuyin").start)
    assert {m[-1] for m in drops if m[0] == "R"} == {"1"}
    assert {m[-1] for m in drops if m[0] == "N"} == {"1", "2", "3"}


@pytest.mark.parametrize("row", ["7r", "N6r"])
def test_a_last_pawn_need_not_promote(row: str) -> None:
    """Where all moves are promotions; with another piece the game goes on."""
    text = f"1r6/8/8/8/p7/P7/{row}/K6k[] w - - 0 1"
    position = Position(registry().game("sittuyin"), text)
    outcome = position.outcome()
    assert "a3a3f" in position.legal_moves()
    assert (outcome and outcome[:2]) == (None if row[0] == "N" else ("1/2-1/2", "stalemate"))
    assert pyffish.is_optional_game_end("sittuyin", text, [])[0] == (row == "7r")
    assert position.game.reference(text).result() == (outcome and outcome[:2])


#: (position, moves, result): the last move mates in Shatar.
MATES = [
    # no mate: it leaves a bare king
    ("k7/8/1K6/8/8/7p/8/7R w - - 0 1", "h1h3", "1/2-1/2"),
    ("k7/8/1K6/7p/8/8/8/6R1 w - - 0 1", "g1g8", "1-0"),
    # by a bishop, after a check by a rook, by a bishop alone
    ("6R1/k7/2K5/2p5/8/1BB5/8/8 w - - 0 1", "g8g7 a7a6 b3c4", "1-0"),
    ("1k6/2R4p/5K2/8/8/8/2B2B2/8 w - - 0 1", "f2a7 b8a8 c2e4", "1/2-1/2"),
    # by a knight
    ("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "g5f7", "0-1"),
]


@pytest.mark.parametrize(("text", "moves", "result"), MATES)
def test_which_mates_win_in_shatar(text: str, moves: str, result: str) -> None:
    position = Position(registry().game("shatar"), text)
    reference = position.game.reference(text)
    for move in moves.split():
        position.push(move)
        reference = reference.legal_moves()[move]
    outcome = position.outcome()
    assert (outcome.result if outcome else "") == result
    assert reference.result() == (outcome and (outcome.result, outcome.reason))
    if not pyffish.legal_moves("shatar", text, moves.split()):
        value = pyffish.game_result("shatar", text, moves.split())
        assert {"1-0": -1, "0-1": 1, "1/2-1/2": 0}[result] == (value > 0) - (value < 0)
