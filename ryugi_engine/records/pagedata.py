"""The data of the page of replayed games: plain JSON, every element once.

A picture is a list of elements, most of which stand in other pictures too. An element is kept once,
and a picture is a list of numbers. A position keeps only the differences of its list from that of
the position before. ``page/tree.js`` reads this.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

from ryugi_engine.games.drawing import Drawing, Part
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.records.comments import Remark, read_remark
from ryugi_engine.records.list_diff import list_edits
from ryugi_engine.records.pgn import Record, Step, format_record
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.san import has_san

Data = dict[str, Any]
#: Boards of more files are enlarged to be read, and then follow the moves.
_WIDE = 16
#: NAGs of moves whose variation shows what should have been played: ? ?? ?!.
_BETTER = {2, 4, 6}


class _Numbers:
    """Things by the numbers in which they came."""

    def __init__(self) -> None:
        self.of: dict[Any, int] = {}

    def __call__(self, thing: Any) -> int:
        return self.of.setdefault(thing, len(self.of))


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 3)


class PageData:
    """Games are added one by one; :meth:`everything` is what the page gets.

    Without ``hands`` no picture has the pieces in hand.
    """

    def __init__(self, hands: bool = True) -> None:
        self.hands = hands
        self._parts, self._figures, self._texts = _Numbers(), _Numbers(), _Numbers()
        self._numbers: dict[Part, int] = {}
        self._views: dict[str, Data] = {}
        self._games: list[Data] = []

    @property
    def games(self) -> int:
        """The number of games added."""
        return len(self._games)

    def everything(self) -> Data:
        """Return the page's data as plain data for JSON."""
        return {
            "parts": list(self._parts.of),
            "figures": list(self._figures.of),
            "texts": list(self._texts.of),
            "views": self._views,
            "games": self._games,
        }

    def sizes(self) -> tuple[int, int, int]:
        """Return how many elements, figures and texts there are."""
        return len(self._parts.of), len(self._figures.of), len(self._texts.of)

    def since(self, sizes: tuple[int, int, int]) -> Data:
        """Return the elements, figures and texts added since ``sizes`` (:meth:`sizes`)."""
        kinds = {"parts": self._parts, "figures": self._figures, "texts": self._texts}
        return {
            name: list(islice(kind.of, size, None))
            for (name, kind), size in zip(kinds.items(), sizes, strict=True)
        }

    def add(self, playback: Playback) -> None:
        """Add a game with all its variations; the playback then stands at the beginning."""
        playback.choose(0)
        self._games.append(Walk(self, playback).game())

    def view(self, game: Game, position: Position, drawing: Drawing) -> str:
        """Store a drawing's size and centre once; return the name under which they are stored."""
        if game.name not in self._views:
            width, height = drawing.board_size
            scale = drawing.scale
            self._views[game.name] = {
                "title": game.title,
                "size": [_plain(width), _plain(height)],
                "middle": [_plain(round(at * scale, 1)) for at in drawing.frame.middle],
                "unit": scale,
                "pieces": _icons(game, position),
                "proves": int(game.proves),
                "turning": int(game.look.turning),
                "sides": game.sides,
                "western": _western(game, position),
            }
        return game.name

    def picture(self, drawing: Drawing) -> list[int]:
        """Store a drawing's elements, each once; return their numbers."""
        numbers = self._numbers
        return [
            numbers[part] if part in numbers else self._number(part)
            for part in drawing.board_parts()
        ]

    def _number(self, part: Part) -> int:
        """Return the number of a part's data, and remember it."""
        number = self._numbers[part] = self._parts(self._data_of(part))
        return number

    def _data_of(self, part: Part) -> tuple[Any, ...]:
        """Return a part's data: a line itself, a figure, which is stored once, by its number."""
        if part.turned:
            return (part.line,)
        at = (_plain(part.x), _plain(part.y))
        if part.figure:
            return (self._figures(part.figure), *at, "", part.transform)
        return (part.line, *at, part.margin) if part.margin else (part.line, *at)

    def lines(self, captions: Sequence[str]) -> list[int]:
        """Store texts, each once; return their numbers."""
        return [self._texts(line) for line in captions]


def _icons(game: Game, position: Position) -> dict[str, str]:
    """Return the pictures of a chess-like game's pieces, each in a box of BOX."""
    if game.placed:
        return {}
    letters = [letter for piece in game.pieces for letter in (piece.upper(), piece.lower())]
    return {letter: position.rules.figure(letter) for letter in letters}


def _western(game: Game, position: Position) -> dict[str, str]:
    """Return the pictures with letters by those with characters; {} where there are none."""
    rules = position.rules
    cases = [case for sign in game.signs for case in (sign.upper(), sign.lower())]
    pairs = {rules.figure(case): rules.lettered_figure(case) for case in cases}
    return {figure: other for figure, other in pairs.items() if figure != other}


def _pieces(position: Position) -> Counter[str]:
    """Return the number of pieces of each letter on the board, promoted ones among them."""
    return Counter(sign[-1] for sign in position.rules.board(position.state).values())


def _square(name: str) -> tuple[int, int]:
    """Return (file, rank) from 0; file aa follows z."""
    match = re.fullmatch("([a-z]+)([0-9]+)", name)
    assert match is not None
    file = 0
    for letter in match[1]:
        file = file * 26 + ord(letter) - ord("a") + 1
    return file - 1, int(match[2]) - 1


class Walk:
    """Walks through all positions of a game, and builds its nodes."""

    def __init__(self, data: PageData, playback: Playback) -> None:
        self.data, self.playback = data, playback
        self.record: Record = playback.record
        self.position, self.end = playback.position, playback.outcome()
        #: Whether the rules end the game in its last position: it needs no evaluation.
        self.over = self.position.outcome() is not None
        self.taking = bool(playback.game.pieces) and not playback.game.placed
        #: How many variations have been walked through.
        self.number = 0
        #: Picture and captions of the game's last position, once :meth:`game` has been there.
        self.last: tuple[list[int], list[int]] = ([], [])
        playback.to(0)
        #: The first position's; sizes and places are the same in all.
        self.drawing = self.position.draw(None if self.record.steps else self.end, data.hands)

    def game(self) -> Data:
        """Return the tree of the whole game."""
        playback, record = self.playback, self.record
        view = self.data.view(playback.game, self.position, self.drawing)
        picture, captions = self._shown(self.drawing)
        start: Data = {"d": list_edits([], picture), "h": captions}
        self._say(start, read_remark(record.comment, None), record.steps)
        self.last = picture, captions
        line = self._line(record.steps, picture, captions, main=True)
        end = self.end
        return {
            "tags": {**record.tags, "Result": record.result},
            "view": view,
            "number": record.first_number,
            "black": int(not record.white_first),
            "end": "" if end is None else end.describe(playback.game.sides),
            "over": int(self.over),
            "start": start,
            "line": line,
            "pgn": format_record(record),
        }

    def _shown(self, drawing: Drawing) -> tuple[list[int], list[int]]:
        captions = drawing.captions or [self.playback.status()]
        return self.data.picture(drawing), self.data.lines(captions)

    def _line(
        self, steps: Sequence[Step], picture: list[int], captions: list[int], main: bool = False
    ) -> list[Data]:
        """Return the nodes of a line of moves from the present position, which is restored."""
        nodes: list[Data] = []
        begun = len(self.position.moves)
        for ply, step in enumerate(steps):
            # the record numbers its variations in the order of the text, the outer ones first
            branches = []
            for variation in step.variations:
                self.number += 1
                branches.append({"k": self.number, "l": self._line(variation, picture, captions)})
            last = main and ply == len(steps) - 1
            node, picture, captions = self.step(step, steps[ply + 1 :], picture, captions, last)
            if branches:
                node["v"] = branches
            nodes.append(node)
        self.last = picture, captions
        while len(self.position.moves) > begun:
            self.position.pop()
        return nodes

    def step(
        self,
        step: Step,
        following: Sequence[Step],
        picture: list[int],
        captions: list[int],
        last: bool,
    ) -> tuple[Data, list[int], list[int]]:
        """Play a move; return (node, picture, captions) of the position after it.

        ``picture`` and ``captions`` are those before it; ``last`` says whether it ends the game's
        own line.
        """
        side = self.position.side
        parity = (len(self.position.moves) + (not self.record.white_first)) % 2
        # SAN says whether a move captures: most do not
        takes = self.taking and ("x" in step.san or not has_san(self.playback.game))
        pieces = _pieces(self.position) if takes else Counter()
        self.position.push(step.code)
        node: Data = {"m": step.san}
        then, message = self._shown(self.position.draw(self.end if last else None, self.data.hands))
        node["d"] = list_edits(picture, then)
        if message != captions:
            node["h"] = message
        if side != parity:
            node["o"] = side
        if self.playback.game.files > _WIDE:
            node["q"] = self._arrow("", self.position.rules.squares(step.move)[-1:])[1:]
        if takes:
            gone = (pieces - _pieces(self.position)).elements()
            theirs = "".join(letter for letter in gone if letter.islower() == (side == 0))
            if theirs:
                node["x"] = theirs
        if step.glyphs:
            node["g"] = step.glyphs
        if step.before:
            node["b"] = step.before
        self._say(node, read_remark(step.comment, side), following)
        if last and self.end is not None:  # the result says so
            for key in ("c", "s"):
                if node.get(key, "").removeprefix(f"{self.end.result} by ") == self.end.reason:
                    del node[key]
        return node, then, message

    def _say(self, node: Data, remark: Remark, following: Sequence[Step]) -> None:
        """Put into a node what its comment says, and what should be played next."""
        for key, value in (
            ("c", remark.text or None),
            ("s", remark.said or None),
            ("e", remark.centipawns),
            ("M", remark.mate),
            ("k", remark.clock),
            ("t", remark.spent),
        ):
            if value is not None:
                node[key] = _plain(value) if isinstance(value, float) else value
        arrows = []
        for colour, names in remark.arrows:
            arrows.append(self._arrow(colour, [_square(name) for name in names]))
        if following and _BETTER.intersection(following[0].glyphs) and following[0].variations:
            better = following[0].variations[0][0].move
            arrows.append(self._arrow("*", self.position.rules.squares(better)))
        arrows = [arrow for arrow in arrows if len(arrow) > 1]
        if arrows:
            node["a"] = arrows

    def _arrow(self, colour: str, squares: Sequence[tuple[int, int]]) -> list[Any]:
        """Return an arrow's colour (``*``: the best move) and points, or marked squares."""
        game, place = self.playback.game, self.drawing.frame.place
        if place is None:
            return [colour]
        joined = len(squares) == 2 and (colour != "*" or not game.placed)
        points: list[Any] = [colour + ">" * joined]
        for at in squares:
            if not (0 <= at[0] < game.files and 0 <= at[1] < game.ranks):
                return [colour]
            points += [_plain(round(value * self.drawing.scale, 1)) for value in place(at)]
        return points
