"""The board as text and as a picture."""

from __future__ import annotations

from functools import cache

from ryugi_engine.games.drawing import INK, MARK, WOOD, Drawing, Frame, Ink, Point
from ryugi_engine.games.game import Outcome, counted
from variants.gorogo.text import SIZE, PositionData

_SIGNS = {"S": "O", "s": "X", "H": "#"}
_OWNERS = {"S": 0, "s": 1}
_NAMES = ("White O", "Black X")
_HENGE = "#7d8a97"
#: A Henge alone, in a box of drawing.BOX.
HENGE = f'<polygon points="6,39 24,4 42,39" fill="{_HENGE}" stroke="{INK}" stroke-width="1.5"/>'


def _captions(data: PositionData, outcome: Outcome | None, hands: bool = True) -> list[str]:
    """Return each side's pieces in hand, if ``hands``, its captures, and the status line."""
    lines = []
    for side, name in enumerate(_NAMES):
        stones, henges = counted(data.stones[side], "stone"), counted(data.henges[side], "Henge")
        held = f"{stones} and {henges} in hand, " if hands else ""
        lines.append(f"{name}: {held}{data.captured[side]} captured")
    return [*lines, f"{_NAMES[data.side]} to move" if outcome is None else outcome.describe()]


def board_text(
    data: PositionData, outcome: Outcome | None, marked: list[tuple[int, int]], ink: Ink
) -> str:
    """Return the board as text: O and X are stones, # a Henge."""

    def cell(file: int, rank: int) -> str:
        letter = data.board.get((file, rank), "")
        return ink.cell(_SIGNS.get(letter, "."), _OWNERS.get(letter), (file, rank) in marked)

    lines = []
    for rank in range(SIZE - 1, -1, -1):
        row = "".join(cell(file, rank) for file in range(SIZE))
        lines.append(f" {rank + 1} {row}".rstrip())
    return "\n".join([*lines, "", "    a  b  c  d  e", "", *_captions(data, outcome)])


def _place(at: tuple[int, int]) -> Point:
    return 1.3 + at[0], SIZE - at[1]


@cache
def _empty_board() -> Drawing:
    """Return the board without pieces, to be copied."""
    frame = Frame(_place((SIZE // 2, SIZE // 2)), SIZE + 1.3, _place)
    picture = Drawing(SIZE + 1.4, SIZE + 2.6, "GoRoGo", frame=frame)
    picture.rectangle(0.6, 0.3, SIZE + 0.4, SIZE + 0.4, WOOD)
    for i in range(SIZE):
        picture.line(*_place((i, 0)), *_place((i, SIZE - 1)))
        picture.line(*_place((0, i)), *_place((SIZE - 1, i)))
        picture.label(0.3, _place((0, i))[1], str(i + 1), "rank")
        picture.label(_place((i, 0))[0], SIZE + 1.0, chr(ord("a") + i), "file")
    return picture


def draw(
    data: PositionData, outcome: Outcome | None, marked: list[tuple[int, int]], hands: bool = True
) -> Drawing:
    """Return the board as a picture."""
    picture = _empty_board().copy()
    for at, letter in data.board.items():
        x, y = _place(at)
        if letter == "H":
            corners = [(x - 0.36, y + 0.3), (x, y - 0.42), (x + 0.36, y + 0.3)]
            picture.polygon(corners, _HENGE, about=(x, y))
        else:
            picture.piece(x, y, "Ss".index(letter), radius=0.44)
    for at in marked:
        picture.circle(*_place(at), 0.12, MARK, INK)
    for line, caption in enumerate(_captions(data, outcome, hands)):
        picture.caption(0.3, SIZE + 1.6 + 0.4 * line, caption, 0.22)
    return picture
