"""The board that XBoard shows, compared with the real one."""

from __future__ import annotations

from ryugi_engine.games.registry import registry
from xboard.gui_board import GuiBoard


def test_a_recoloured_piece_is_another_piece() -> None:
    game = registry().game("chess")
    gui = GuiBoard()
    gui.set(game, game.start)
    assert gui.shows(game.start)
    assert not gui.shows(game.start.replace("PPPPPPPP", "PPPpPPPP"))


def test_a_neutral_piece_is_nobodys() -> None:
    """XBoard shows a Henge placed by Black as Black's; the text has one kind."""
    game = registry().game("gorogo")
    gui = GuiBoard()
    gui.set(game, game.start)
    gui.play("H@c3", 1)
    assert gui.shows(game.start.replace("5/5/5/5/5", "5/5/2H2/5/5"))
    gui.set(game, game.start)
    gui.play("S@c3", 1)
    assert gui.shows(game.start.replace("5/5/5/5/5", "5/5/2s2/5/5"))
    assert not gui.shows(game.start.replace("5/5/5/5/5", "5/5/2S2/5/5"))
