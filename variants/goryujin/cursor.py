"""The cursor: choose, turn, mirror and move a piece by keys, as in the original program."""

from __future__ import annotations

from collections.abc import Sequence

from ryugi_engine.games.drawing import Ink
from ryugi_engine.games.game import PASS
from variants.goryujin.picture import LEAST, board_lines, holdings, of_all, part
from variants.goryujin.shapes import LETTERS, SHAPES, STEPS, Cell, Shape, neighbour
from variants.goryujin.text import (
    FILES,
    HOME,
    NAMES,
    RANKS,
    Placement,
    PositionData,
    objection,
    parse_placement,
)

_UP, _RIGHT, _DOWN, _LEFT = range(4)
_STEPS = {
    "w": _UP, "up": _UP, "d": _RIGHT, "right": _RIGHT,
    "x": _DOWN, "down": _DOWN, "a": _LEFT, "left": _LEFT,
}  # fmt: skip
_BY_CELLS = {shape.cells: shape for shape in SHAPES}


def _image(shape: Shape, cells: Sequence[Cell]) -> Shape:
    """Return the shape with the given cells, moved to the origin."""
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return _BY_CELLS[tuple(sorted((x - left, y - low) for x, y in cells))]


def turned(shape: Shape, clockwise: bool) -> Shape:
    """Return a shape after a quarter turn."""
    if clockwise:
        return _image(shape, [(y, -x) for x, y in shape.cells])
    return _image(shape, [(-y, x) for x, y in shape.cells])


def mirrored(shape: Shape) -> Shape:
    """Return a shape mirrored left to right."""
    return _image(shape, [(-x, y) for x, y in shape.cells])


class Cursor:
    """See :class:`ryugi_engine.games.game.Placer`."""

    help = (
        "F I L N P T U V W X Y Z (upper case): choose   s: mirror   n: next legal place\n"
        "q z: turn left   e c: turn right   w a d x or arrows: move"
    )
    least = LEAST

    def __init__(self, data: PositionData, moves: Sequence[str]) -> None:
        """Start over a position with its legal moves.

        The piece begins on the legal place nearest to the tip of the newest dragon, or to the
        middle of the side's first row; P is preferred.
        """
        self._data = data
        self._moves = {move.removesuffix("+"): move for move in moves}
        self._low: int | None = None
        shape = next(shape for shape in SHAPES if shape.letter == "P")
        self._piece = self._clamped(shape, FILES // 2, HOME[data.side])
        tips = [dragon.tip for dragon in data.dragons[data.side] if not dragon.finished]
        if tips:
            self._piece = self._clamped(shape, tips[-1].file, tips[-1].rank)
        self._board = data.board()
        self.message = ""
        places = [parse_placement(name) for name in self._moves if name != PASS]
        self._piece = min(places, key=self._distance, default=self._piece)

    def _distance(self, place: Placement) -> tuple[bool, int, bool, str]:
        """Return a sort key: places from which a dragon can grow, the nearest, P."""
        away = abs(place.file - self._piece.file) + abs(place.rank - self._piece.rank)
        return not self._can_grow(place), away, place.shape.letter != "P", place.name

    def _can_grow(self, place: Placement) -> bool:
        """Return whether a square next to one of a piece's ends could take the next piece."""
        side, own = self._data.side, set(place.cells)
        beside = (neighbour(end.cell, end.direction) for end in place.ends)
        return any(
            0 <= file < FILES and 0 <= rank < RANKS and rank != HOME[side]
            for file, rank in set(beside) - self._board.keys() - own
        )

    @staticmethod
    def _clamped(shape: Shape, file: int, rank: int) -> Placement:
        """Return a shape placed as near to a square as the board allows."""
        file = max(0, min(file, FILES - shape.width))
        return Placement(shape, file, max(0, min(rank, RANKS - shape.height)))

    def press(self, key: str) -> None:
        self.message = ""
        shape, file, rank = self._piece
        if key in ("q", "z", "e", "c"):
            self._piece = self._clamped(turned(shape, key in "ec"), file, rank)
        elif key == "s":
            self._piece = self._clamped(mirrored(shape), file, rank)
        elif key in _STEPS:
            step = STEPS[_STEPS[key]]
            self._piece = self._clamped(shape, file + step[0], rank + step[1])
        elif key in LETTERS:
            chosen = next(shape for shape in SHAPES if shape.letter == key)
            self._piece = self._clamped(chosen, file, rank)
        elif key == "n":
            self._next()

    def _next(self) -> None:
        """Go to the next legal place of this letter, in any orientation."""
        shape = self._piece.shape
        places = [
            Placement(other, x, y)
            for other in SHAPES
            if other.letter == shape.letter
            for x in range(FILES)
            for y in range(RANKS)
        ]
        here = places.index(self._piece)
        for place in places[here + 1 :] + places[:here]:
            if place.name in self._moves:
                self._piece = place
                return
        other = "other " if self._piece.name in self._moves else ""
        self.message = f"there is no {other}legal place for {shape.letter}"

    def objection(self) -> str:
        if self._piece.name in self._moves:
            return ""
        return objection(self._data, self._piece)

    def move(self) -> str:
        return self._moves.get(self._piece.name, self._piece.name)

    def board_text(self, ink: Ink, lines: int = 0) -> str:
        wrong = self.objection()
        lying = dict.fromkeys(self._piece.cells, "?" if wrong else "#")
        ranks = part(lines, self._piece.cells, self._low)
        self._low = ranks[0]
        side = self._data.side
        left = self._data.hand(side)[self._piece.shape.letter]
        legal = "not legal" if wrong else "legal"
        status = f"{NAMES[side]}: {self.move()}, {legal}, {left} in hand{of_all(ranks)}"
        if PASS in self._moves:
            status = f"{NAMES[side]} has no legal place: type '{PASS}'"
        shown = board_lines(self._data, [], ink, lying, ranks)
        return "\n".join([*shown, "", *holdings(self._data), status])
