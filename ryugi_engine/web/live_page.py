"""The page's data of a running game: the replay page's data, and the board's squares.

The whole game is sent once; a move at its end is sent as one node. Pieces in hand are not in the
pictures: the page shows them beside the board.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.records.pagedata import PageData, Walk
from ryugi_engine.records.playback import Playback
from ryugi_engine.search.levels import FIRST, NAMES

Data = dict[str, Any]


class LivePage:
    """The data of one game that pages have, kept in step with its playback."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._data = PageData(hands=False)
        self._walk: Walk | None = None

    def everything(self) -> Data:
        """Return all data of the page; the playback then stands at the end of the game itself."""
        playback = self._playback
        playback.choose(0)
        self._data = PageData(hands=False)
        walk = self._walk = Walk(self._data, playback)
        game = walk.game()
        data = self._data.everything() | {
            "games": [game],
            "levels": NAMES,
            "first_level": FIRST,
            "start": {"game": 1, "line": 0, "ply": len(playback.record.steps)},
        }
        data["views"][game["view"]] |= _places(playback, walk)
        playback.to(len(playback.record.steps))
        return data

    def follow(self, playback: Playback) -> None:
        """Replace the playback by one of the same game with at most one move more."""
        self._playback = playback
        if self._walk is not None:
            self._walk.playback = playback
            self._walk.record, self._walk.position = playback.record, playback.position

    def last_step(self) -> Data:
        """Return the last move of the game itself, which has just been added.

        The playback stands after it before and after.
        """
        walk, playback = self._walk, self._playback
        assert walk is not None
        before = self._data.sizes()
        step = playback.record.steps[-1]
        playback.position.pop()
        node, *last = walk.step(step, (), *walk.last, False)
        walk.last = last[0], last[1]
        return self._data.since(before) | {"node": node}


def _places(playback: Playback, walk: Walk) -> Data:
    """Return every place with its name and centre in pixels, names of pieces, and their shapes."""
    position, drawing = playback.position, walk.drawing
    rules, place = position.rules, drawing.frame.place
    cells: list[list[Any]] = []
    for at in rules.places():
        if place is None:  # a picture that names no places is played by typing
            break
        x, y = place(at)
        cells.append([square_name(at), round(x * drawing.scale, 1), round(y * drawing.scale, 1)])
    shapes = {
        name: {"cells": shape.cells, "ends": shape.ends} for name, shape in rules.shapes().items()
    }
    return {"cells": cells, "shapes": shapes, "names": _names(position), "icons": _icons(position)}


def _names(position: Position) -> dict[str, str]:
    """Return what pieces are called, and as ``*`` what moves put on a further square."""
    game = position.game
    walls = {"*": game.wall} if game.wall else {}
    return {sign: game.called(sign) for sign in game.signs} | walls


def _icons(position: Position) -> dict[str, str]:
    """Return the pieces' pictures by letter, each in a box of BOX; none for shapes."""
    if position.rules.shapes():
        return {}
    letters = [case for sign in position.game.signs for case in (sign.upper(), sign.lower())]
    return {letter: position.rules.figure(letter) for letter in letters}
