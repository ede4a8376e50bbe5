"""Pages of rules: of every game, and of a user's own."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.games.drawing import DARK
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.games.rules_page import HEADING, blocks, rules_page
from variants.chess import catalogue
from variants.chess.definition.game_rules import Rules, meanings
from variants.chess.gui.rules_text import UNSAID, sentences
from variants.chess.reference.position import Reference

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
    letters = [piece.letter for piece in page.pieces]
    assert len(letters) == len({*letters})
    assert {*(p for p, moves in game.pieces.items() if moves)} <= {
        *letters, *(game.promoted[letter[1:]] for letter in letters if letter[0] == "+")
    }  # fmt: skip
    assert not game.royal or letters[0] == game.royal
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
        "- A side without a Lord left loses.",
        "- A Pawn becomes a C on the last rank.",
        "- Pieces are dropped on the first 2 ranks.",
        "- A drop must not give check.",
        "Lord (L)",
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


READ = {
    "shogi": """\
Checkmate wins: attack the enemy King so that no move saves it.
Sente moves first.
A piece that moves to, from or within the last 3 ranks may promote.
A promoted Silver, Pawn, Lance or Knight moves as a Gold.
A Pawn may not be dropped on a file that already has an unpromoted Pawn of yours.
A Pawn may not be dropped to give mate at once.
When a position occurs for the fourth time, the game is drawn.""",
    "xiangqi": """\
A river lies across the middle.
A General stays in its palace: d1 to f3 (Red) and d8 to f10 (Black).
An Elephant stays on the first 5 ranks.
The two Generals must not face one another on an open line.
A side to move without a legal move loses.""",
    "3check": """\
A side wins by giving check 3 times.
A Pawn becomes a Knight, Bishop, Rook or Queen on the last rank.
White castles once with King e1-g1 and Rook h1-f1.
After 50 moves of both sides without a capture or a move of a Pawn the game is drawn.""",
    "atomic": """\
A side without a King left loses.
A move must not leave the last of them attacked: checkmate wins.
A capture explodes: both pieces go, and all pieces around but Pawns.""",
    "ataxx": "The side with more pieces at the end wins.",
}


@pytest.mark.parametrize("name", READ)
def test_rules_are_sentences_for_people(name: str) -> None:
    """The aim first, with numbers, and no key read aloud."""
    text = rules_page(registry().game(name)).text
    assert [line for line in READ[name].splitlines() if f"- {line}\n" not in text] == []
    headings = [text for kind, text in blocks(text) if kind == HEADING]
    assert headings[0] == "Aim"
    assert not re.search(r"has this result|these pieces|these squares|this many", text)


@pytest.mark.parametrize("name", catalogue())
def test_every_rule_of_a_game_is_said(name: str) -> None:
    """Without a rule that the game has the text is another one, whatever the rule."""
    reference = registry().game(name).reference(registry().game(name).start)
    assert isinstance(reference, Reference)
    game = reference.game
    said = [*sentences(game)]
    plain = Rules()
    for key in game.unusual_rules():
        if key in UNSAID or _is_idle(game.rules, key):
            continue
        usual = dataclasses.replace(game.rules, **{key: getattr(plain, key)})
        assert [*sentences(dataclasses.replace(game, rules=usual))] != said, key


def _is_idle(rules: Rules, key: str) -> bool:
    """Return whether a rule means nothing beside the others of a game."""
    return (
        (key.startswith("extinction_") and rules.extinction_value == "none")
        or (key == "drop_no_doubled" and not rules.piece_drops)
        or (key == "piece_drops" and rules.free_drops)
    )


def test_rules_as_a_web_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the game's own board, its pieces' pictures, and readable captions."""
    path = tmp_path / "rules.html"
    assert main(["rules", "xiangqi", "--html", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    assert "<h3>Aim</h3>" in text
    assert "General (K)" in text
    assert text.count("<svg ") == 1 + 7
    assert DARK not in text  # no square is dark on a board of lines
    assert main(["rules", "shogi", "--html", str(path)]) == 0  # a page is replaced by a page
    assert "Promoted Silver (+S)" in path.read_text(encoding="utf-8")
    (tmp_path / "other").write_text("mine")
    assert main(["rules", "shogi", "--html", str(tmp_path / "other")]) == 2
