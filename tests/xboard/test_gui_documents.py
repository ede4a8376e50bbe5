"""``xboard/GUIS.md``: what it links is there, and what it names is what the engine writes."""

from __future__ import annotations

import re

from ryugi_engine.commands import gui
from ryugi_engine.games.registry import registry
from tests.support.helpers import ROOT
from xboard.features import shown_by_gui

GUIDE = ROOT / "xboard" / "GUIS.md"


def test_games_and_names() -> None:
    text = GUIDE.read_text()
    # Cute Chess's names of the games, as the entry has them
    offered = re.search(r"Variant: ([a-z, ]+ or [a-z]+)\.", text)
    assert offered is not None
    assert re.split(r", | or ", offered.group(1)) == list(gui.CUTE_CHESS_GAMES)
    # XBoard's list has every game that its window can show, the table's last column has not one
    listed = gui.entries()["xboard"].text
    for game in registry().games():
        assert (f'"{game.title} (ryugi-engine)" ' in listed) == shown_by_gui(game)
    assert not shown_by_gui(registry().game("goryujin"))
    (nickname,) = re.findall(r'xboard -fe "([^"]+)"', text)
    assert f'"{nickname}" -fcp ' in listed
    # and every variant that a command names is a game
    for name in re.findall(r"-variant ([a-z-]+)", text):
        assert name == "mygame" or registry().game(name)
