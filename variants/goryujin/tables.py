"""Building the table block: shapes with their ends, and what can join an end."""

from __future__ import annotations

from typing import Any, NamedTuple

from ryugi_engine.kernel.block import Block
from variants.goryujin import layout as L
from variants.goryujin.evaluate import TURN_COSTS
from variants.goryujin.shapes import INDEX, LETTERS, SHAPES, Cell, Shape, neighbour


def _window_bits() -> dict[Cell, int]:
    """Return the bit of every square of the window, by its offset from the middle."""
    cells = [
        (x, y)
        for y in range(-L.WINDOW_HALF, L.WINDOW_HALF + 1)
        for x in range(abs(y) - L.WINDOW_HALF, L.WINDOW_HALF - abs(y) + 1)
    ]
    return {cell: bit for bit, cell in enumerate(cells)}


_WINDOW_BITS = _window_bits()


def _write_shape(entry: Any, shape: Shape) -> None:
    entry["letter"] = LETTERS.index(shape.letter)
    entry["height"] = shape.height
    entry["ends"] = len(shape.ends)
    for x, y in shape.cells:
        entry["rows"][y] |= 1 << x
    for index, end in enumerate(shape.ends):
        x, y = neighbour(end.cell, end.direction)
        entry["end"][index] = x, y, end.direction


def _write_join(entry: Any, shape: Shape, index: int) -> None:
    """Write a join by a shape's end, for comparison with windows."""
    left, low = shape.ends[index].cell
    entry["window"] = sum(1 << _WINDOW_BITS[x - left, y - low] for x, y in shape.cells)
    entry["shape"] = INDEX[shape]
    entry["end"] = index
    entry["letter"] = LETTERS.index(shape.letter)
    entry["files"] = -left
    entry["ranks"] = -low


def _write_path(entry: Any, shape: Shape, index: int) -> None:
    """Write the same join for the race's search."""
    left, low = shape.ends[index].cell
    others = [(x - left, y - low) for x, y in shape.cells if (x, y) != (left, low)]
    entry["letter"] = LETTERS.index(shape.letter)
    entry["files"], entry["ranks"] = zip(*others, strict=True)
    entry["shifted"] = [(x + L.WINDOW_HALF) * L.RACE_ROWS + y for x, y in others]
    outs = [end for i, end in enumerate(shape.ends) if i != index]
    entry["outs"] = len(outs)
    for i, end in enumerate(outs):
        x, y = neighbour((end.cell[0] - left, end.cell[1] - low), end.direction)
        entry["out"][i] = max(x, 0), max(-x, 0), y, end.direction
    entry["up"] = max(y for _x, y in [*others, (0, 0)])
    entry["down"] = min(y for _x, y in [*others, (0, 0)])


class _Path(NamedTuple):
    """What a join needs and leads to, by ranks alone."""

    up: int
    down: int
    outs: list[tuple[int, int]]  # direction, ranks


def _paths(table: Any, kind: str) -> list[list[_Path]]:
    """Return the joins of a kind by direction."""
    return [
        [
            _Path(
                int(path["up"]),
                int(path["down"]),
                [(int(o["direction"]), int(o["ranks"])) for o in path["out"][: path["outs"]]],
            )
            for path in paths
        ]
        for paths in table[f"{kind}_path"]
    ]


def _write_least_turns(table: Any, side: int) -> None:
    """Write the fewest turns from an end to a landing on the far edge; files do not matter.

    The board is empty but for the end, and no piece lies on the side's own first row.
    """
    rows = range(L.RACE_PAD, L.RACE_PAD + L.RANKS)
    home, edge = (rows[0], rows[-1]) if side == 0 else (rows[-1], rows[0])
    inside = [row for row in rows if row != home]
    growths, landings = _paths(table, "growth"), _paths(table, "landing")
    ends = [(direction, row) for direction in range(L.DIRECTIONS) for row in inside]
    never = L.MAX_LAYERS + 1
    least = dict.fromkeys(ends, never)
    leading: dict[tuple[int, int], list[list[tuple[int, int]]]] = {}

    def fits(path: _Path, row: int) -> bool:
        return row + path.up in inside and row + path.down in inside

    for direction, row in ends:
        for path in landings[direction]:
            if fits(path, row) and edge in (row + path.up, row + path.down):
                least[direction, row] = 1
        leading[direction, row] = [
            [(to, row + ranks) for to, ranks in path.outs] if fits(path, row) else []
            for path in growths[direction]
        ]
    for turns in range(2, never):
        for end, paths in leading.items():
            if least[end] > turns and any(
                least.get(out, never) == turns - 1 for outs in paths for out in outs
            ):
                least[end] = turns
    for (direction, row), paths in leading.items():
        table["least"][side, direction, row] = least[direction, row]
        for i, outs in enumerate(paths):
            needed = min((least.get(out, never) for out in outs), default=never)
            table["useful"][side, direction, row, needed:] |= 1 << i


def build() -> Block:
    """Return the table block."""
    block = Block(L.DRAFT.words)
    table = L.DRAFT.of(block)
    for number, shape in enumerate(SHAPES):
        _write_shape(table["shape"][number], shape)
    for direction in range(L.DIRECTIONS):
        joins = [
            (shape, index)
            for shape in SHAPES
            for index, end in enumerate(shape.ends)
            if end.direction == direction ^ 2
        ]
        growths = [join for join in joins if join[0].letter != "P"]
        landings = [join for join in joins if join[0].letter == "P"]
        for kind, some in (("growth", growths), ("landing", landings)):
            for i, (shape, index) in enumerate(some):
                _write_join(table[kind][direction][i], shape, index)
                _write_path(table[f"{kind}_path"][direction][i], shape, index)
        for i, (shape, _index) in enumerate(growths):
            table["letter_growths"][direction][LETTERS.index(shape.letter)] |= 1 << i
    for side in range(2):
        _write_least_turns(table, side)
    for (_x, y), bit in _WINDOW_BITS.items():
        table["window_row"][y + L.WINDOW_HALF] |= 1 << bit
    table["turn_cost"] = TURN_COSTS
    table["first_p"] = next(i for i, shape in enumerate(SHAPES) if shape.letter == "P")
    return block
