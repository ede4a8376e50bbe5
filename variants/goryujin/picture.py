"""The board as text and as a picture: dragons, their ends, their distances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ryugi_engine.games.drawing import INK, MARK, PAPER, Drawing, Frame, Ink
from ryugi_engine.games.game import Outcome, counted, turn_or_result
from ryugi_engine.games.notation import file_name
from variants.goryujin.shapes import LETTERS, STEPS, Cell, neighbour
from variants.goryujin.text import FILES, HOME, NAMES, RANKS, PositionData, parse_placement

#: Fire and water; the first of each for dragons that still grow.
_FILLS = (("#f0a58f", "#cf4a2c"), ("#9dc3ea", "#2f6db3"))
#: The rank where a side begins: its growing dragons' colour, a third of it.
_HOMES = ("#faded0", "#dee8ee")
_LAST = "#f7d94c"
_GRID = "#d8cbb0"
_LEFT, _TOP, _BELOW = 1.6, 1.0, 5.4
_SCALE = 16
#: Lines of the text below the board, and ranks that are shown of it at least.
_LINES_BELOW, _LEAST_RANKS = 6, 8
#: Columns and lines that the text needs.
LEAST = (79, _LEAST_RANKS + _LINES_BELOW)
#: Ranks between a piece and the edge of the part that is shown.
_MARGIN = 2


def cells_of(move: str) -> list[Cell]:
    """Return the squares that a move's piece covers."""
    try:
        return parse_placement(move.removesuffix("+")).cells
    except ValueError:
        return []  # a pass, or no move


def holdings(data: PositionData) -> list[str]:
    """Return lines with each side's pieces in hand and touchdowns."""
    lines = []
    for side, name in enumerate(NAMES):
        hand = data.hand(side)
        pieces = " ".join(f"{letter}{hand[letter]}" for letter in LETTERS)
        distances = ", ".join(map(str, data.distances(side))) or "none"
        lines.append(f"{name} has {pieces}; touchdowns: {distances}")
    return lines


def _status(data: PositionData, outcome: Outcome | None) -> str:
    passes = f", {counted(data.passes, 'pass', 'passes')} in a row"
    return turn_or_result(data.side, outcome) + passes * (outcome is None and data.passes > 0)


def part(lines: int, cells: Sequence[Cell], low: int | None = None) -> range:
    """Return the ranks to show in ``lines`` lines (0: all), which include a piece's squares.

    ``low`` is the lowest rank shown until now, which changes no more than it must; without it
    the piece stands in the middle.
    """
    rows = max(lines - _LINES_BELOW, _LEAST_RANKS)
    if lines == 0 or rows >= RANKS:
        return range(RANKS)
    first, last = min(rank for _, rank in cells), max(rank for _, rank in cells)
    if low is None:
        low = (first + last + 1 - rows) // 2
    low = max(min(low, first - _MARGIN), last + _MARGIN + 1 - rows)
    low = max(0, min(low, RANKS - rows))
    return range(low, low + rows)


def of_all(ranks: range) -> str:
    """Return a note of the ranks that are shown; "" for all."""
    return "" if len(ranks) == RANKS else f"; ranks {ranks[0] + 1} to {ranks[-1] + 1} of {RANKS}"


def board_lines(
    data: PositionData, last: Sequence[Cell], ink: Ink, lying: Mapping[Cell, str], ranks: range
) -> list[str]:
    """Return the board's lines; ``lying`` is a piece that the cursor holds over the board.

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
            if cell in lying:
                row += ink.sign(lying[cell], None, marked=True)
                continue
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

    Of ``height`` lines, if they are enough for LEAST; 0 for the whole board.
    """
    last = cells_of(last_move)
    ranks = part(height, last or [(0, HOME[data.side])])
    lines = board_lines(data, last, ink, {}, ranks)
    return "\n".join([*lines, "", *holdings(data), _status(data, outcome) + of_all(ranks)])


def draw(data: PositionData, outcome: Outcome | None, last_move: str) -> Drawing:
    """Return the board as a picture: dragons, dots on free ends, distances of touchdowns."""

    def corner(at: Cell) -> tuple[float, float]:
        return _LEFT + at[0], _TOP + RANKS - 1 - at[1]

    def place(at: Cell) -> tuple[float, float]:
        return corner(at)[0] + 0.5, corner(at)[1] + 0.5

    frame = Frame((_LEFT + FILES / 2, _TOP + RANKS / 2), _TOP + RANKS + 2.1, place)
    size = (FILES + 2 * _LEFT, RANKS + _TOP + _BELOW)
    picture = Drawing(*size, "Goryujin", _SCALE, frame)

    picture.rectangle(_LEFT, _TOP, FILES, RANKS, "#fffaf0")
    for side, fill in enumerate(_HOMES):
        picture.rectangle(*corner((0, side * (RANKS - 1))), FILES, 1, fill)
    for file in range(FILES + 1):
        picture.line(_LEFT + file, _TOP, _LEFT + file, _TOP + RANKS, 0.02, _GRID)
    for rank in range(RANKS + 1):
        picture.line(_LEFT, _TOP + rank, _LEFT + FILES, _TOP + rank, 0.02, _GRID)
    board = data.board()
    last = cells_of(last_move)
    for cell, (side, number, _piece) in board.items():
        finished = data.dragons[side][number].finished
        fill = _LAST if cell in last else _FILLS[side][finished]
        picture.rectangle(*corner(cell), 1, 1, fill)
    for cell, owner in board.items():
        x, y = corner(cell)
        edges = ((x, y, x + 1, y), (x + 1, y, x + 1, y + 1), (x, y + 1, x + 1, y + 1))
        for direction, edge in enumerate((*edges, (x, y, x, y + 1))):
            beside = board.get(neighbour(cell, direction))
            if beside != owner:
                # a dragon has a bold outline, its pieces a fine one
                same = beside is not None and beside[:2] == owner[:2]
                # the piece placed last has a coloured one
                stroke = MARK if cell in last else INK
                picture.line(*edge, 0.06 if same else 0.16, stroke)
    for side, dragons in enumerate(data.dragons):
        for dragon in dragons:
            x, y = corner(dragon.tip.cells[2])
            if dragon.finished:
                label = str(dragon.distance(side))
                colour = INK if dragon.tip.cells == last else PAPER
                picture.text(x + 0.5, y + 0.5, label, 0.9, colour)
                continue
            for (file, rank), direction in dragon.free_ends():
                step = STEPS[direction]
                x, y = corner((file, rank))
                picture.circle(
                    x + 0.5 + 0.35 * step[0], y + 0.5 - 0.35 * step[1], 0.18, _FILLS[side][1]
                )
    for rank in range(RANKS):
        _x, y = corner((0, rank))
        for x in (_LEFT / 2, _LEFT * 1.5 + FILES):
            picture.label(x, y + 0.5, str(rank + 1), "rank", 0.85)
    for file in range(FILES):
        x, _y = corner((file, 0))
        # in two rows, so that two letters that can be read have room
        y = _TOP + RANKS + 0.6 + 0.8 * (file % 2)
        picture.label(x + 0.5, y, file_name(file), "file", 0.85)
    for line, caption in enumerate([*holdings(data), _status(data, outcome)]):
        picture.caption(_LEFT, _TOP + RANKS + 2.9 + line, caption, 0.9)
    return picture
