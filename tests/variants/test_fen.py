"""Position texts: canonical out, strict in."""

from __future__ import annotations

import random

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import FAMILY
from tests.support.helpers import wild_position

START = "ribmqkdbir/ppppnnpppp/4pp4/10/10/4PP4/PPPPNNPPPP/RIBMQKDBIR w KQkq - 0 1"


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
