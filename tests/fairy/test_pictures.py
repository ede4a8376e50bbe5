"""Pictures of the general family: every piece has its own, hands and walls are shown."""

from __future__ import annotations

import pytest

from ryugi_engine.games.drawing import DARK
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.fairy.test_rules import GAMES
from tests.games.test_pictures import check_plain, drawn
from variants.chess.general.rules import GeneralRules


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_all_pieces_can_be_told_apart(game: Game) -> None:
    position = Position(game)
    rules = position.rules
    assert isinstance(rules, GeneralRules)
    signs = [kind.sign for kind in rules.definition.kinds() if not kind.sign.endswith("~")]
    figures = [rules.figure(sign) for sign in (*signs, *map(str.lower, signs), "*")]
    assert len(set(figures)) == 2 * len(signs) + 1
    check_plain(drawn(figures, DARK))
    check_plain(position.draw().svg())


def test_hands_walls_and_promoted_pieces_are_shown() -> None:
    text = "ln1g5/1+R2+S1k2/9/9/9/9/9/2G2K1p1/LN4G2[BGpp] w - - 0 60"
    position = Position(registry().game("shogi"), text)
    shown = position.board_text()
    assert "|+R |" in shown
    assert shown.endswith("Sente to move\nIn hand: Sente B G, Gote 2p")
    picture = position.draw()
    for sign in ("B", "p", "+R", "+S"):
        figure = position.rules.figure(sign)
        assert any(figure in part.line for part in picture.board_parts()), sign
    empty = Position(position.game).draw()
    assert empty.board_size == picture.board_size
    text = "rnbqkbnr/pppppppp/8/3*4/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    position = Position(registry().game("duck"), text)
    assert "| * |" in position.board_text()
    assert position.rules.figure("*") in [part.figure for part in position.draw().board_parts()]
