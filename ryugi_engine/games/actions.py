"""Action indices: every move that a game could ever have, numbered by its text.

A move's index depends on its text alone, so it is the same in every position, process and version.
Squares are numbered rank by rank from White's left corner: ``rank * files + file``.
"""

from __future__ import annotations

import re

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import PASS, Game, MoveParts
from ryugi_engine.games.notation import square_name

_SQUARE = "[a-z]{1,2}[0-9]{1,2}"
_MOVE = re.compile(
    f"(?:(?P<name>[^@]+)@|(?P<origin>{_SQUARE}))(?P<to>{_SQUARE})(?P<suffix>[^,]*)"
    f"(?:,{_SQUARE}(?P<third>{_SQUARE})(?P<end>.*))?"
)


class ActionSpace:
    """The action indices of a game, 0 up to ``size`` - 1.

    First come moves from square to square, by third square (none first), suffix, origin, target.
    Then come drops, by third square, suffix, name and square. The last index is the pass.
    """

    def __init__(self, game: Game, parts: MoveParts) -> None:
        self._game, self._parts = game, parts
        places = ((file, rank) for rank in range(game.ranks) for file in range(game.files))
        self._names = [square_name(at) for at in places]
        self._squares = {name: number for number, name in enumerate(self._names)}
        squares = len(self._names)
        thirds = 1 + squares if parts.third else 1
        self._shape = (thirds, len(parts.suffixes), squares, squares)
        self._drops = (thirds, len(parts.drop_suffixes), len(parts.drops), squares)
        self._first_drop = _product(self._shape)
        #: The number of indices.
        self.size = self._first_drop + _product(self._drops) + 1

    def index(self, text: str) -> int:
        """Return the index of a move's text, as the engine writes it.

        UserError for a text that no move of the game has.
        """
        if text == PASS:
            return self.size - 1
        match = _MOVE.fullmatch(text)
        try:
            assert match is not None
            suffix = match["suffix"] + (match["end"] or "")
            third = 1 + self._squares[match["third"]] if match["third"] else 0
            to, parts = self._squares[match["to"]], self._parts
            if third >= self._shape[0]:
                raise ValueError(third)
            if match["name"]:
                at = (third, parts.drop_suffixes.index(suffix), parts.drops.index(match["name"]))
                return self._first_drop + _number((*at, to), self._drops)
            origin = self._squares[match["origin"]]
            return _number((third, parts.suffixes.index(suffix), origin, to), self._shape)
        except (AssertionError, KeyError, ValueError):
            name = self._game.name
            raise UserError(f"'{text[:40]}' is the text of no move of {name}") from None

    def text(self, index: int) -> str:
        """Return the text of an index. UserError for a number that is none."""
        if not 0 <= index < self.size:
            raise UserError(f"action {index} is not in 0..{self.size - 1}")
        if index == self.size - 1:
            return PASS
        names, parts = self._names, self._parts
        if index >= self._first_drop:
            third, suffix, name, to = _split(index - self._first_drop, self._drops)
            head, end = f"{parts.drops[name]}@{names[to]}", parts.drop_suffixes[suffix]
        else:
            third, suffix, origin, to = _split(index, self._shape)
            head, end = names[origin] + names[to], parts.suffixes[suffix]
        if not third:
            return head + end
        more = f",{names[to]}{names[third - 1]}"
        return head + end + more if self._game.wall else head + more + end


def _product(shape: tuple[int, ...]) -> int:
    result = 1
    for extent in shape:
        result *= extent
    return result


def _number(at: tuple[int, ...], shape: tuple[int, ...]) -> int:
    """Return the index of an element of an array in C order."""
    result = 0
    for place, extent in zip(at, shape, strict=True):
        result = result * extent + place
    return result


def _split(index: int, shape: tuple[int, ...]) -> list[int]:
    """Return where an element stands in an array in C order."""
    at = []
    for extent in reversed(shape):
        index, place = divmod(index, extent)
        at.append(place)
    return at[::-1]
