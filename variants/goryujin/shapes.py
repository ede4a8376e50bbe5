"""The twelve pentominoes, their orientations and their contact ends.

Source: T. Uchihashi's rules of Goryujin, 1998. A cell is (file, rank) from the lower left corner of
the bounding box. Orientation ``o = 4m + k`` of a letter: the base shape mirrored left-right if m is
1, then turned clockwise k times. Of equal shapes the lowest o is the name.
"""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]

#: Base shapes, rows from the top.
_BASE = {
    "F": ("XX.", ".XX", ".X."),
    "I": ("X", "X", "X", "X", "X"),
    "L": ("X.", "X.", "X.", "XX"),
    "N": (".X", ".X", "XX", "X."),
    "P": ("XX", "XX", "X."),
    "T": ("XXX", ".X.", ".X."),
    "U": ("X.X", "XXX"),
    "V": ("X..", "X..", "XXX"),
    "W": ("X..", "XX.", ".XX"),
    "X": (".X.", "XXX", ".X."),
    "Y": (".X", "XX", ".X", ".X"),
    "Z": (".XX", ".X.", "XX."),
}
LETTERS = "".join(_BASE)
#: Directions up, right, down, left: the opposite of d is d ^ 2.
STEPS: tuple[Cell, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


class End(NamedTuple):
    """A contact end: the cell, and the direction of the edge through which it joins."""

    cell: Cell
    direction: int


class Shape(NamedTuple):
    """A pentomino in one orientation."""

    letter: str
    orientation: int
    cells: tuple[Cell, ...]
    ends: tuple[End, ...]
    width: int
    height: int

    @property
    def name(self) -> str:
        """Letter and orientation: ``P3``."""
        return f"{self.letter}{self.orientation}"


def neighbour(cell: Cell, direction: int) -> Cell:
    """Return the next cell in a direction."""
    step = STEPS[direction]
    return cell[0] + step[0], cell[1] + step[1]


def _ends(cells: tuple[Cell, ...]) -> tuple[End, ...]:
    """Return the contact ends: cells with one neighbour in the piece, joining opposite to it."""
    ends = []
    for cell in cells:
        inside = [d for d in range(4) if neighbour(cell, d) in cells]
        if len(inside) == 1:
            ends.append(End(cell, inside[0] ^ 2))
    return tuple(ends)


def _orientations(letter: str) -> list[Shape]:
    rows = _BASE[letter]
    base = [
        (file, len(rows) - 1 - i)
        for i, row in enumerate(rows)
        for file, sign in enumerate(row)
        if sign == "X"
    ]
    shapes: dict[tuple[Cell, ...], Shape] = {}
    for orientation in range(8):
        cells = [(-x, y) for x, y in base] if orientation >= 4 else list(base)
        for _ in range(orientation % 4):
            cells = [(y, -x) for x, y in cells]
        left, low = min(x for x, _ in cells), min(y for _, y in cells)
        placed = tuple(sorted((x - left, y - low) for x, y in cells))
        if placed not in shapes:
            width, height = 1 + max(x for x, _ in placed), 1 + max(y for _, y in placed)
            shapes[placed] = Shape(letter, orientation, placed, _ends(placed), width, height)
    return list(shapes.values())


#: All 63, by letter, then orientation. Kernels name a shape by its index here.
SHAPES: tuple[Shape, ...] = tuple(shape for letter in LETTERS for shape in _orientations(letter))
BY_NAME = {shape.name: shape for shape in SHAPES}
INDEX = {shape: number for number, shape in enumerate(SHAPES)}
