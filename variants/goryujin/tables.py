"""Building the table block: shapes with their ends, and what can join an end."""

from __future__ import annotations

from ryugi_engine.abi import Block, Words
from variants.goryujin import layout as L
from variants.goryujin.evaluate import TURN_COSTS
from variants.goryujin.shapes import INDEX, LETTERS, SHAPES, Cell, Shape, neighbour


def window_bits() -> dict[Cell, int]:
    """Bit of every square of the window, by its offset from the middle."""
    cells = [
        (x, y)
        for y in range(-L.WINDOW_HALF, L.WINDOW_HALF + 1)
        for x in range(abs(y) - L.WINDOW_HALF, L.WINDOW_HALF - abs(y) + 1)
    ]
    return {cell: bit for bit, cell in enumerate(cells)}


def _write_path(words: Words, direction: int, number: int, shape: Shape, index: int) -> None:
    """A join as the race's search reads it."""
    at = L.T_PATHS + (direction * L.JOINS + number) * L.PATH_WORDS
    left, low = shape.ends[index].cell
    others = [(x - left, y - low) for x, y in shape.cells if (x, y) != (left, low)]
    words[at + L.W_HAND] = 4 * LETTERS.index(shape.letter)
    for i, (x, y) in enumerate(others):
        words[at + L.W_SQUARES + i] = (x + L.WINDOW_HALF) * L.ROWS + y
    outs = [end for i, end in enumerate(shape.ends) if i != index]
    words[at + L.W_OUTS] = len(outs)
    for i, end in enumerate(outs):
        x, y = neighbour((end.cell[0] - left, end.cell[1] - low), end.direction)
        words[at + L.W_OUT + 3 * i] = max(x, 0)
        words[at + L.W_OUT + 3 * i + 1] = max(-x, 0)
        words[at + L.W_OUT + 3 * i + 2] = end.direction * L.ROWS + y
    words[at + L.W_UP] = max(y for _x, y in [*others, (0, 0)])
    words[at + L.W_DOWN] = min(y for _x, y in [*others, (0, 0)])


def build() -> Block:
    """The table block."""
    block = Block(L.TABLE_WORDS)
    words = block.words
    bits = window_bits()
    for number, shape in enumerate(SHAPES):
        at = L.T_SHAPES + number * L.SHAPE_WORDS
        words[at + L.S_LETTER] = LETTERS.index(shape.letter)
        words[at + L.S_WIDTH] = shape.width
        words[at + L.S_HEIGHT] = shape.height
        words[at + L.S_ENDS] = len(shape.ends)
        for x, y in shape.cells:
            words[at + L.S_ROWS + y] |= 1 << x
        for index, ((x, y), direction) in enumerate(shape.ends):
            words[at + L.S_END + index] = x | y << 4 | direction << 8
    for direction in range(4):
        joins = [
            (shape, index, end.cell)
            for shape in SHAPES
            for index, end in enumerate(shape.ends)
            if end.direction == direction ^ 2
        ]
        joins.sort(key=lambda join: join[0].letter == "P")
        for i, (shape, index, (left, low)) in enumerate(joins):
            at = L.T_JOINS + (direction * L.JOINS + i) * L.JOIN_WORDS
            words[at + L.J_HAND] = 4 * LETTERS.index(shape.letter)
            words[at + L.J_CODE] = INDEX[shape] | index << L.END_AT
            words[at + L.J_FILES] = -left
            words[at + L.J_RANKS] = -low
            words[at + L.J_WINDOW] = sum(1 << bits[x - left, y - low] for x, y in shape.cells)
            _write_path(words, direction, i, shape, index)
    for (_x, y), bit in bits.items():
        words[L.T_ROW_OF_WINDOW + y + L.WINDOW_HALF] |= 1 << bit
    words[L.T_TURN_COSTS : L.T_TURN_COSTS + len(TURN_COSTS)] = TURN_COSTS
    words[L.T_FIRST_P] = next(i for i, shape in enumerate(SHAPES) if shape.letter == "P")
    return block
