"""The board as text and as a picture: dragons, their ends, their distances."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache, lru_cache

from ryugi_engine.games.drawing import INK, PAPER, Drawing, Frame, Ink, Line, Point
from ryugi_engine.games.game import Outcome, counted, turn_or_result
from ryugi_engine.games.notation import file_name
from variants.goryujin.shapes import LETTERS, STEPS, Cell, neighbour
from variants.goryujin.text import FILES, HOME, NAMES, RANKS, PositionData, parse_placement

#: Fire and water; the first of each for dragons that still grow.
_FILLS = (("#f0a58f", "#cf4a2c"), ("#9dc3ea", "#2f6db3"))
#: The rank where a side begins: its growing dragons' colour, a third of it.
_HOMES = ("#faded0", "#dee8ee")
#: The last piece: darker than all others of its side.
LAST = ("#84230d", "#123e70")
_GRID = "#d8cbb0"
_LEFT, _TOP, _BELOW = 1.6, 1.0, 5.4
_SCALE = 16
#: Lines of the text below the board, and ranks that are shown of it at least.
_LINES_BELOW, _LEAST_RANKS = 6, 8


def cells_of(move: str) -> list[Cell]:
    """Return the squares that a move's piece covers."""
    try:
        return parse_placement(move.removesuffix("+")).cells
    except ValueError:
        return []  # a pass, or no move


def _holdings(data: PositionData, hands: bool = True) -> list[str]:
    """Return lines with each side's pieces in hand, if ``hands``, and touchdowns."""
    lines = []
    for side, name in enumerate(NAMES):
        hand = data.hand(side)
        pieces = " ".join(f"{letter}{hand[letter]}" for letter in LETTERS)
        distances = ", ".join(map(str, data.distances(side))) or "none"
        own = f"{name} has {pieces};" if hands else f"{name}:"
        lines.append(f"{own} touchdowns: {distances}")
    return lines


def _status(data: PositionData, outcome: Outcome | None) -> str:
    passes = f", {counted(data.passes, 'pass', 'passes')} in a row"
    return turn_or_result(data.side, outcome) + passes * (outcome is None and data.passes > 0)


def _part(lines: int, cells: Sequence[Cell]) -> range:
    """Return the ranks to show in ``lines`` lines (0: all), a piece's in the middle."""
    rows = max(lines - _LINES_BELOW, _LEAST_RANKS)
    if lines == 0 or rows >= RANKS:
        return range(RANKS)
    first, last = min(rank for _, rank in cells), max(rank for _, rank in cells)
    low = max(0, min((first + last + 1 - rows) // 2, RANKS - rows))
    return range(low, low + rows)


def _board_lines(data: PositionData, last: Sequence[Cell], ink: Ink, ranks: range) -> list[str]:
    """Return the board's lines.

    ``o`` is a square at a free end of a dragon's tip, where the dragon can grow.
    """
    board = data.board()
    free = {
        neighbour(end.cell, end.direction)
        for side in data.dragons
        for dragon in side
        if not dragon.finished
        for end in dragon.free_ends()
    }
    lines = []
    for rank in reversed(ranks):
        row = ""
        for file in range(FILES):
            cell = (file, rank)
            at = board.get(cell)
            if at is None:
                row += "o" if cell in free else "."
                continue
            letter = data.dragons[at[0]][at[1]].pieces[at[2]].shape.letter
            sign = letter.lower() if at[0] else letter
            if cell in last and not ink.colours:
                sign = "*"
            row += ink.sign(sign, at[0], cell in last)
        lines.append(f"{rank + 1:2d} {row}")
    names = [f"{file_name(file):>2}" for file in range(FILES)]
    return lines + ["   " + "".join(name[i] for name in names).rstrip() for i in range(2)]


def board_text(
    data: PositionData, outcome: Outcome | None, last_move: str, ink: Ink, height: int
) -> str:
    """Return the board as letters, White's in upper case; ``*`` marks the last piece.

    Of ``height`` lines, if they are enough for some ranks; 0 for the whole board.
    """
    last = cells_of(last_move)
    ranks = _part(height, last or [(0, HOME[data.side])])
    status = _status(data, outcome)
    if len(ranks) < RANKS:
        status += f"; ranks {ranks[0] + 1} to {ranks[-1] + 1} of {RANKS}"
    return "\n".join([*_board_lines(data, last, ink, ranks), "", *_holdings(data), status])


def _corner(at: Cell) -> Point:
    """Return the upper left corner of a square."""
    return _LEFT + at[0], _TOP + RANKS - 1 - at[1]


def _place(at: Cell) -> Point:
    x, y = _corner(at)
    return x + 0.5, y + 0.5


@cache
def _empty_board() -> Drawing:
    """Return the board without dragons, to be copied."""
    frame = Frame((_LEFT + FILES / 2, _TOP + RANKS / 2), _TOP + RANKS + 2.1, _place)
    size = (FILES + 2 * _LEFT, RANKS + _TOP + _BELOW)
    picture = Drawing(*size, "Goryujin", _SCALE, frame)
    picture.rectangle(_LEFT, _TOP, FILES, RANKS, "#fffaf0")
    for side, fill in enumerate(_HOMES):
        picture.rectangle(*_corner((0, side * (RANKS - 1))), FILES, 1, fill)
    for file in range(FILES + 1):
        picture.line(_LEFT + file, _TOP, _LEFT + file, _TOP + RANKS, 0.02, _GRID)
    for rank in range(RANKS + 1):
        picture.line(_LEFT, _TOP + rank, _LEFT + FILES, _TOP + rank, 0.02, _GRID)
    for rank in range(RANKS):
        _x, y = _place((0, rank))
        for x in (_LEFT / 2, _LEFT * 1.5 + FILES):
            picture.label(x, y, str(rank + 1), "rank", 0.85)
    for file in range(FILES):
        x, _y = _place((file, 0))
        # in two rows, so that two letters that can be read have room
        y = _TOP + RANKS + 0.6 + 0.8 * (file % 2)
        picture.label(x, y, file_name(file), "file", 0.85)
    return picture


@lru_cache(maxsize=1 << 14)
def _outline(cells: tuple[Cell, ...]) -> tuple[tuple[Point, Point, Cell], ...]:
    """Return a piece's edges in order, clockwise: from, to, and the square beyond."""
    edges = {}
    for cell in cells:
        x, y = _corner(cell)
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        for direction in range(4):
            beyond = neighbour(cell, direction)
            if beyond not in cells:
                edges[corners[direction]] = corners[(direction + 1) % 4], beyond
    at = min(edges)
    loop = []
    for _ in range(len(edges)):
        to, beyond = edges[at]
        loop.append((at, to, beyond))
        at = to
    return tuple(loop)


def _chains(edges: Iterable[tuple[Point, Point]]) -> list[Line]:
    """Return lines of the edges that follow one another, without points in straight stretches."""
    lines: list[list[Point]] = []
    for start, end in edges:
        if not lines or lines[-1][-1] != start:
            lines.append([start, end])
        elif start[0] == lines[-1][-2][0] == end[0] or start[1] == lines[-1][-2][1] == end[1]:
            lines[-1][-1] = end
        else:
            lines[-1].append(end)
    if len(lines) > 1 and lines[-1][-1] == lines[0][0]:
        lines[0] = lines.pop() + lines[0][1:]
    return [tuple(line) for line in lines]


def _draw_piece(
    picture: Drawing, cells: tuple[Cell, ...], own: Container[Cell], fill: str, stroke: str
) -> None:
    """Draw a piece: a fine line round it, a bold one where its dragon's squares ``own`` end."""
    edges = _outline(cells)
    picture.path(_chains((a, b) for a, b, _ in edges), fill, stroke, 0.06)
    bold = _chains((a, b) for a, b, beyond in edges if beyond not in own)
    if bold:
        picture.path(bold, "none", stroke, 0.16)


def draw(
    data: PositionData, outcome: Outcome | None, last_move: str, hands: bool = True
) -> Drawing:
    """Return the board as a picture: dragons, dots on free ends, distances of touchdowns."""
    picture = _empty_board().copy()
    last = tuple(cells_of(last_move))
    placed_last: tuple[int, set[Cell]] | None = None
    for side, dragons in enumerate(data.dragons):
        for dragon in dragons:
            own = {cell for piece in dragon.pieces for cell in piece.cells}
            for piece in dragon.pieces:
                cells = tuple(piece.cells)
                if cells == last:
                    placed_last = side, own
                    continue
                _draw_piece(picture, cells, own, _FILLS[side][dragon.finished], INK)
    if placed_last is not None:
        side, own = placed_last
        _draw_piece(picture, last, own, LAST[side], INK)
    for side, dragons in enumerate(data.dragons):
        for dragon in dragons:
            x, y = _place(dragon.tip.cells[2])
            if dragon.finished:
                picture.text(x, y, str(dragon.distance(side)), 0.9, PAPER)
                continue
            dot = _FILLS[side][tuple(dragon.tip.cells) != last]
            for cell, direction in dragon.free_ends():
                step = STEPS[direction]
                x, y = _place(cell)
                picture.circle(x + 0.35 * step[0], y - 0.35 * step[1], 0.18, dot)
    for line, caption in enumerate([*_holdings(data, hands), _status(data, outcome)]):
        picture.caption(_LEFT, _TOP + RANKS + 2.9 + line, caption, 0.9)
    return picture
