"""Pages of rules: of every game, and of a user's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ryugi_engine.cli import main
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.games.rules_page import blocks, rules_page
from variants.chess.game_rules import meanings

GAMES = [game for games in registry().groups().values() for game in games]
OWN = """[lords]
title = "Two Lords"
about = "Both lords must be caught"
files = 6
ranks = 6
start = "ll4/pppppp/6/6/PPPPPP/4LL[C] w - - 0 1"
pieces = { L = "K", C = "mRcpR" }
promotion = "C"
royal = "-"
extinction_value = "loss"
extinction_piece_types = "L"
piece_drops = true
drop_region = "*1 *2"
drop_checks = false
names = { L = "Lord" }
piece_set = "xiangqi"
board = "lines"
"""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_a_page(game: Game) -> None:
    """With all its pieces and what is special, in lines that a terminal shows."""
    page = rules_page(game)
    lines = list(page.lines())
    assert lines[0] == game.title
    assert game.about
    assert page.text.startswith(game.about)
    assert len(blocks(page.text)) > 3
    assert [piece.letter for piece in page.pieces] == [
        p for p, moves in game.pieces.items() if moves
    ]
    assert all(len(line) < 80 for line in lines if not line.startswith(("|", "+", "    ")))
    if not game.placed:
        assert not re.search("`[a-z_]+`|none|{}|see \\[", page.text)


def test_a_user_s_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    assert main(["--variants", str(path), "rules"]) == 0
    text = capsys.readouterr().out
    for sentence in (
        "Both lords must be caught.",
        "- Pawns become one of these pieces: C.",
        "- Pieces are dropped on these squares: ranks 1 to 2.",
        "- Drops must not give check.",
        "- A side can have too few of these pieces: Lord (L).",
        "L: Lord",
    ):
        assert f"\n{sentence}\n" in text
    games = Registry()
    games.load_file(str(path))
    assert [game.title for game in games.groups()["Your own games"]] == ["Two Lords"]
    assert games.groups()["Ryugi and its kin"][0].name == "ryugi"
    assert main(["rules", "nogame"]) == 2
    assert "unknown variant 'nogame'" in capsys.readouterr().err


def test_every_rule_has_a_meaning() -> None:
    assert all(re.fullmatch(r"[A-Z].*\.", meaning) for meaning in meanings().values())
