"""Ryugi's own rules one by one, and the ends of games."""

from __future__ import annotations

import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import IllegalMove, Position
from ryugi_engine.games.registry import registry


def ryugi_position(text: str) -> Position:
    return Position(registry().game("ryugi"), text)


def test_pawn_moves_two_from_any_start_square_of_its_colour() -> None:
    position = ryugi_position("5k4/10/10/10/10/4P5/4P5/5K4 w - - 0 1")
    moves = position.legal_moves()
    assert "e3e5" in moves
    assert "e2e4" not in moves  # e2 is no start square, and e3 is in the way


def test_captured_onto_start_square_may_step_twice() -> None:
    position = ryugi_position("5k4/10/10/10/10/4p5/3P6/5K4 w - - 0 1")
    position.push("d2e3")
    position.push("f8g8")
    assert "e3e5" in position.legal_moves()


def test_en_passant_on_the_square_passed_over() -> None:
    position = ryugi_position("5k4/10/10/10/5p4/4P5/10/5K4 w - - 0 1")
    position.push("e3e5")
    assert position.text().split()[3] == "-"  # f4 does not stand next to e5
    position = ryugi_position("5k4/10/10/5p4/10/4P5/10/5K4 w - - 0 1")
    position.push("e3e5")
    assert position.text().split()[3] == "e4"
    position.push("f5e4")
    assert position.text() == "5k4/10/10/10/4p5/10/10/5K4 w - - 0 2"


@pytest.mark.parametrize(
    ("move", "after"), [("f1h1", "R5RK2"), ("f1i1", "R6RK1"), ("f1d1", "3KR4R"), ("f1c1", "2KR5R")]
)
def test_castling_of_two_and_three_steps(move: str, after: str) -> None:
    position = ryugi_position("5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1")
    assert len(position.legal_moves()) == 30
    position.push(move)
    assert position.text().split("/")[-1].split()[:3] == [after, "b", "-"]
    position.pop()
    assert position.text() == "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1"


def test_other_spellings_of_castling() -> None:
    game = registry().game("ryugi")
    for spelling in ("O-O", "o-o", "0-0", "F1H1", "f1j1"):
        position = Position(game, "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1")
        position.push(spelling)
        assert position.moves == ["f1h1"]
    chess = Position(registry().game("chess"), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    chess.push("e1a1")
    assert chess.moves == ["e1c1"]


def test_nightrider_check_is_parried_only_on_its_landing_squares() -> None:
    # the dragon leaps b8-c6-d4-e2; the rooks could also stand on c7, d5, e3 off that line
    position = ryugi_position("1d3k4/10/10/8R1/10/8R1/4K5/1RRR6 w - - 0 1")
    assert position.in_check()
    parries = {m for m in position.legal_moves() if not m.startswith("e2")}
    assert parries == {"b1b8", "c1c6", "d1d4"}


def test_nightrider_pins() -> None:
    position = ryugi_position("1d3k4/10/2R7/10/10/10/4K5/10 w - - 0 1")
    assert not position.in_check()
    assert not [m for m in position.legal_moves() if m.startswith("c6")]
    position = ryugi_position("1d3k4/10/2M7/10/10/10/4K5/10 w - - 0 1")
    along = {m for m in position.legal_moves() if m.startswith("c6")}
    assert along == {"c6b8", "c6d4"}


def test_promotion_is_mandatory_and_to_seven_pieces() -> None:
    position = ryugi_position("5k4/P9/10/10/10/10/10/5K4 w - - 0 1")
    promotions = {m for m in position.legal_moves() if m.startswith("a7")}
    assert promotions == {f"a7a8{piece}" for piece in "qdmrnbi"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5k4/10/10/10/10/10/10/5K4 w - - 0 1", "dead position"),
        ("5k4/10/10/10/10/10/3N6/5K4 w - - 0 1", "dead position"),
        ("5k4/10/10/10/10/10/3I6/5K4 w - - 0 1", "dead position"),
        ("5k4/10/10/10/10/10/3B6/5K4 w - - 0 1", "dead position"),
        ("5k4/10/10/4i5/10/10/2IB6/5K4 w - - 0 1", None),  # two colours
        ("5k4/10/10/5i4/10/4B5/3I6/5K4 w - - 0 1", None),
        ("5k4/10/10/10/10/4B5/3I6/5K4 w - - 0 1", "dead position"),  # all on one colour
        ("5k4/10/10/10/10/10/2NN6/5K4 w - - 0 1", None),
        ("5k4/10/10/10/10/10/2P7/5K4 w - - 0 1", None),
        ("k9/2Q7/2K7/10/10/10/10/10 b - - 0 1", "stalemate"),
        ("k9/1Q8/2K7/10/10/10/10/10 b - - 0 1", "checkmate"),
        ("5k4/10/10/10/10/10/2R7/5K4 w - - 191 200", None),
        ("5k4/10/10/10/10/10/2R7/5K4 w - - 192 200", "96-move rule"),
        ("k9/1Q8/2K7/10/10/10/10/10 b - - 192 200", "checkmate"),
    ],
)
def test_ends(text: str, reason: str | None) -> None:
    outcome = ryugi_position(text).outcome()
    assert (outcome.reason if outcome else None) == reason
    if reason == "checkmate":
        assert outcome is not None
        assert outcome.result == "1-0"
    elif outcome is not None:
        assert outcome.result == "1/2-1/2"


def test_move_rule_is_claimable_at_64_and_automatic_at_96() -> None:
    position = ryugi_position("5k4/10/10/10/10/10/2R7/5K4 w - - 127 100")
    assert position.claim() is None
    position.push("c2c3")
    claim = position.claim()
    assert claim is not None
    assert (claim.reason, claim.claimed) == ("64-move rule", True)
    assert position.outcome() is None


def test_repetition_is_claimable_at_three_and_automatic_at_five() -> None:
    position = ryugi_position("5k4/10/10/10/10/10/2R7/5K4 w - - 0 1")
    for times in range(2, 6):
        for move in ("c2c3", "f8f7", "c3c2", "f7f8"):
            assert position.outcome() is None
            position.push(move)
        assert (position.claim() is not None) == (times >= 3)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason == "fivefold repetition"


def test_position_with_en_passant_is_not_the_same_position() -> None:
    position = ryugi_position("5k4/10/10/5p4/10/4P5/10/5K4 w - - 0 1")
    position.push("e3e5")
    for move in ("f8f7", "f1f2", "f7f8", "f2f1") * 2:
        position.push(move)
    assert position.claim() is None


def test_long_game_is_forgotten_in_part_and_can_be_taken_back() -> None:
    game = registry().game("chess")
    position = Position(game, "4k3/8/8/8/8/8/4P3/4K2R w - - 0 1")
    shuffle = ("h1h2", "e8e7", "h2h1", "e7e8")
    for ply in range(7000):
        position.push(shuffle[ply % 4])
    text = position.text()
    for _ in range(400):
        position.pop()
    assert len(position.moves) == 6600
    for ply in range(6600, 7000):
        position.push(shuffle[ply % 4])
    assert position.text() == text


def test_illegal_moves_are_named(ryugi: Game) -> None:
    position = Position(ryugi)
    for move in ("e2e4", "a1a1", "", "zz", "f1h1", "e7e6", "a2a3q"):
        with pytest.raises(IllegalMove, match="illegal move"):
            position.push(move)
    assert position.text() == ryugi.start
