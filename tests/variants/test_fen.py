"""Position texts: canonical out, strict in."""

from __future__ import annotations

import random

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import FAMILY
from tests.support.helpers import wild_position

START = "ribmqkdbir/ppppnnpppp/4pp4/10/10/4PP4/PPPPNNPPPP/RIBMQKDBIR w KQkq - 0 1"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "position: is empty"),
        ("x", "board: 1 rank instead of 8"),
        (START + " 7", "position: 1 field too many"),
        (START.replace("k", "."), "board: rank 8: '.' is no piece"),
        (START.replace("qkd", "qqd", 1).replace("kq -", " -"), "board: Black has no king"),
        (START.replace("QKD", "KKD"), "board: White has 2 kings"),
        (START.replace("/10", "", 1), "board: 7 ranks instead of 8"),
        (START.replace("4pp4", "4pp5"), "board: rank 6: 11 squares instead of 10"),
        (START.replace("4pp4", "4pp3"), "board: rank 6: 9 squares instead of 10"),
        (START.replace("10/10", "0/10"), "board: rank 5: '0' is not a count"),
        (START.replace("10/10", "99999999999999999999/10"), "board: rank 5: '99999999' is not"),
        (START.replace("10/10", "1²8/10"), "board: rank 5: '²' is no piece"),
        (START.replace("MQK", "PQK"), "board: pawn on d1"),
        (START.replace("mqk", "Pqk"), "board: pawn on d8"),
        (START.replace(" w ", " x "), "side to move: 'x'"),
        (START.replace("KQkq", "KK"), "castling: a letter stands twice"),
        (START.replace("KQkq", "KX"), "castling: 'X' is not a castling right"),
        ("4k5/10/10/10/10/10/10/R4K3R w KQkq - 0 1", "castling: 'k' needs k on f8"),
        ("5k4/10/10/10/10/10/10/R4K4 w K - 0 1", "castling: 'K' needs R on j1"),
        (START.replace(" - ", " z9 "), "en passant: 'z9' is not on a board of 10x8"),
        (START.replace(" - ", " e44 "), "en passant: 'e44' is not on"),
        (START.replace(" 0 1", " -1 1"), "halfmove clock: '-1' is not a whole number"),
        (START.replace(" 0 1", " 193 1"), "halfmove clock: 193 is more than 192"),
        (START.replace(" 0 1", " 0 1000000"), "move number: 1000000 is more than"),
        (
            START.replace(" 0 1", " 0 " + "9" * 5000),
            "move number: 99999999999999999999 is more than",
        ),
        ("5k4/10/10/10/10/10/10/4KQ4 w - - 0 1", "the side not to move is in check"),
        ("4kK4/10/10/10/10/10/10/10 w - - 0 1", "the side not to move is in check"),
    ],
)
def test_faults_are_named(text: str, complaint: str) -> None:
    game = registry().game("ryugi")
    with pytest.raises(ValueError, match=".") as caught:
        Position(game, text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FAMILY)
def test_canonical_text_is_its_own_canonical_text(name: str, source: random.Random) -> None:
    game = registry().game(name)
    assert Position(game).text() == game.start
    for _ in range(50):
        position = wild_position(game, source)
        if position is not None:
            again = Position(game, position.text())
            assert again.text() == position.text()
            assert again.key() == position.key()


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("5k4/10/10/10/3PpP4/10/10/5K4 w e5 0 1", None),
        ("5k4/10/10/10/3PpP4/10/10/5K4 w - e5 0 1", "e5 0 1"),
        ("5k4/10/10/10/3PpP4/10/10/5K4 b - e5 0 1", "- 0 1"),  # the wrong side to move
        ("5k4/10/10/3pPp4/10/10/10/5K4 b - e4 0 1", "e4 0 1"),
        ("5k4/10/10/3pPp4/10/10/10/5K4 b - d4 0 1", "- 0 1"),
        ("5k4/10/10/3pPp4/10/10/10/5K4 b - j8 7 9", "- 7 9"),
        ("5k4/10/10/3pPp4/10/10/10/5K4 b -  e4", "e4 0 1"),
        ("5k4/10/10/3pPp4/10/10/10/5K4 b - e4 0 0", "e4 0 1"),
    ],
)
def test_en_passant_is_kept_only_where_it_can_be_taken(text: str, canonical: str | None) -> None:
    game = registry().game("ryugi")
    if canonical is None:
        with pytest.raises(ValueError, match="castling: 'e' is not a castling right"):
            Position(game, text)
    else:
        assert Position(game, text).text().split(" - ", 1)[1] == canonical


def test_castling_letters_come_out_in_order() -> None:
    game = registry().game("ryugi")
    assert Position(game, START.replace("KQkq", "qkQK")).text() == START
