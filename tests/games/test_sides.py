"""What the sides are called: in texts, pictures and pages, not in records' tags."""

from __future__ import annotations

from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.registry import Registry, registry, start_of
from ryugi_engine.games.rules_page import rules_page
from ryugi_engine.records import editing
from ryugi_engine.records.pagedata import PageData
from ryugi_engine.records.playback import Playback
from tests.support.helpers import command
from variants.chess.pictures import sets

SIDES = {
    "shogi": ("Sente", "Gote"),
    "minishogi": ("Sente", "Gote"),
    "torishogi": ("Sente", "Gote"),
    "xiangqi": ("Red", "Black"),
    "minixiangqi": ("Red", "Black"),
    "janggi": ("Blue", "Red"),
    "chess": ("White", "Black"),
    "makruk": ("White", "Black"),
    "ryugi": ("White", "Black"),
}
OWN = """[mine]
title = "Mine"
start = "4k3/8/8/8/8/8/8/4K2R[] b - - 0 1"
pieces = { R = "R", K = "K" }
captures_to_hand = true
piece_drops = true
sides = ["North", "South"]
"""


@pytest.mark.parametrize("name", SIDES)
def test_a_game_names_its_sides(name: str) -> None:
    game = registry().game(name)
    assert game.sides == SIDES[name]
    assert start_of(game).captions == [f"{game.sides[0]} to move"]
    assert Outcome("0-1", "checkmate").describe(game.sides) == f"{game.sides[1]} wins: checkmate"
    if game.sentences is not None and not (game.folder and game.trained):
        assert f"{game.sides[0]} moves first." in rules_page(game).text


def test_sides_of_a_game_of_ones_own(tmp_path: Path) -> None:
    """In a shown board, its hands, and a record's messages; the record's tags are PGN's."""
    path, record = tmp_path / "own.toml", tmp_path / "game.pgn"
    path.write_text(OWN, encoding="utf-8")
    done = command("--variants", str(path), "show")
    assert "South to move" in done.stdout
    assert "In hand: North none, South none" in done.stdout
    done = command("--variants", str(path), "record", "new", str(record), "--white", "Ann")
    assert "South to move" in done.stdout
    assert '[White "Ann"]' in record.read_text()
    assert "North" not in record.read_text()
    for wrong in ('["A"]', '["A", "A"]', '["A", ""]', '["A", 3]', '["A B", "C"]', '"A"'):
        path.write_text(OWN.replace('["North", "South"]', wrong), encoding="utf-8")
        with pytest.raises(UserError, match="sides"):
            Registry().load_file(str(path))


def test_pages_know_sides_and_pieces_with_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a machine has the characters, each picture has one with a letter in its place."""
    monkeypatch.setattr(sets, "_has_font", lambda signs: True)

    def view(game: Game) -> dict[str, object]:
        data = PageData()
        data.add(Playback(game, editing.begin(game, {}, None)))
        return dict(data.everything()["views"][game.name])

    shogi, chess = view(registry().game("shogi")), view(registry().game("chess"))
    assert shogi["sides"] == ("Sente", "Gote")
    western = shogi["western"]
    assert isinstance(western, dict)
    assert len(western) == 2 * (10 + 6)  # promoted ones, too
    assert all("銀" not in figure for figure in western.values())
    assert any("銀" in figure for figure in western)
    assert chess["western"] == {}
