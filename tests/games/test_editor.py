"""Editors of positions: any position is put together piece by piece, and any change is answered."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.editor import Editor
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import GAMES
from tests.support.helpers import rounds

#: A touchdown that may lie on a first row, by its rank.
HOME_LANDING = re.compile(r"P\d@[a-z]+(1|28|29|30)\+")


def played(name: str, source: random.Random, plies: int = 30) -> Position:
    """A position of a random game that is not over."""
    position = Position(registry().game(name))
    for _ in range(source.randrange(plies)):
        position.push(source.choice(position.legal_codes()))
        if position.outcome() is not None:
            position.pop()
            break
    return position


@pytest.mark.parametrize("name", [*GAMES, "crazyhouse", "marseillais"])
def test_what_is_read_is_written(name: str, source: random.Random) -> None:
    for _ in range(5):
        position = played(name, source)
        editor = position.rules.editor(position.text())
        assert editor.text() == Position(position.game, editor.text()).text() == position.text()
        assert editor.side == position.side
        own, drawn = editor.draw(), position.draw()
        assert own.svg().split(">")[0] == drawn.svg().split(">")[0]  # its size
        places = position.rules.places()
        if own.frame.place is not None and drawn.frame.place is not None:
            assert [*map(own.frame.place, places)] == [*map(drawn.frame.place, places)]


@pytest.mark.parametrize("name", ["gomokuroku", "gomokuroku-ninuki", "gorogo", "chess"])
def test_put_together(name: str, source: random.Random) -> None:
    """The pieces of a position, put in any order on an empty board, and its hands give its text."""
    for _ in range(10):
        position = played(name, source)
        wanted = position.rules.editor(position.text())
        editor = position.rules.editor(position.text())
        editor.clear()
        assert editor.letters() == {}
        pieces = list(wanted.letters().items())
        source.shuffle(pieces)
        for at, letter in pieces:
            editor.put(letter, square_name(at))
        hands = zip(wanted.hands(), editor.hands(), strict=True)
        for side, (own, there) in enumerate(hands):
            for letter, count in own.items():
                editor.hold(letter.lower() if side else letter, count - there[letter])
        if editor.side != wanted.side:
            assert name != "gomokuroku"  # the track says whose turn it is
            editor.turn(wanted.side)
        # rights to castle are no pieces
        assert editor.text().split()[:2] == wanted.text().split()[:2]
        assert editor.letters() == wanted.letters()


def test_dragons_put_together(source: random.Random) -> None:
    """Dragons laid from start to tip are the same."""
    seen: Counter[str] = Counter()
    for _ in rounds(5, seen, compared=1):
        position = played("goryujin", source, 40)
        wanted = position.text()
        editor = position.rules.editor(wanted)
        if HOME_LANDING.search(wanted):
            continue  # landed at home: without its start, it reads as a dragon that begins there
        seen["compared"] += 1
        editor.clear()
        editor.turn(position.side)
        for side, half in enumerate(wanted.split()[0].split("/")):
            for dragon in half.split(",") if half != "-" else []:
                for name in dragon.removesuffix("+").split("."):
                    piece, cell = name.split("@")
                    editor.put(piece.lower() if side else piece, cell)
        assert editor.text().split()[:2] == wanted.split()[:2]


def test_a_dragon_is_mended() -> None:
    """A piece that is removed and laid again joins the pieces before and after it."""
    text = "P6@m1.I0@m4.I0@m9,P3@v1/P7@be29,P4@i28.I0@j23.I0@j18 w 0 5"
    position = Position(registry().game("goryujin"), text)
    for piece, cell, covered in (
        ("I0", "m4", "m5"),
        ("P6", "m1", "m1"),
        ("i0", "j23", "j24"),
        ("I0", "m9", "m13"),
    ):
        editor = position.rules.editor(text)
        editor.erase(covered)
        assert editor.text() != text
        editor.put(piece, cell)
        assert sorted(editor.text().split()[0].split("/")[0].split(",")) == [
            "P3@v1",
            "P6@m1.I0@m4.I0@m9",
        ]
        assert sorted(editor.text().split()[0].split("/")[1].split(",")) == [
            "P4@i28.I0@j23.I0@j18",
            "P7@be29",
        ]


@pytest.mark.parametrize("name", GAMES)
def test_any_change(name: str, source: random.Random) -> None:
    """Changes at random are made or refused in one line, and the position can always be drawn."""
    position = played(name, source)
    editor: Editor = position.rules.editor(position.text())
    cells = [square_name(at) for at in position.rules.places()] + ["zz99", ""]
    shapes = list(position.rules.shapes())
    pieces = [*editor.palette(), *shapes, *(shape.lower() for shape in shapes), "?", ""]
    said: list[str] = []
    for _ in range(40):
        try:
            match source.randrange(8):
                case 0:
                    editor.erase(source.choice(cells))
                case 1:
                    editor.hold(source.choice(pieces), source.choice([-1, 1]))
                case 2:
                    editor.turn(source.randrange(2))
                case _:
                    editor.put(source.choice(pieces), source.choice(cells))
        except UserError as error:
            said.append(str(error))
        again = position.rules.editor(editor.text())
        assert again.text() == editor.text()
        assert again.letters() == editor.letters()
        try:
            Position(position.game, editor.text())
        except UserError as error:
            said.append(str(error))
    assert all(text and "\n" not in text for text in said)
    assert editor.draw().svg().startswith("<svg")
    editor.clear()
    assert editor.letters() == {}
