"""The hexagon as text and as a picture, with the rings' costs and the track."""

from __future__ import annotations

import math
from functools import cache

from ryugi_engine.games.drawing import DARK, LIGHT, WOOD, Drawing, Frame, Ink
from ryugi_engine.games.game import Outcome, counted
from ryugi_engine.games.notation import square_name
from variants.gomoku_roku.board import CENTRE, CIRCLES, SIZE, TRACK, Square, cost, ring, rows
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.text import NAMES, PLAY, PositionData

_SIGNS = "OX"
_TOP = 1.6
_WIDTH = 2 * CENTRE * math.cos(math.pi / 6) + 2.4
_HEIGHT = 2 * CENTRE + 4.4
_ALL = [(file, rank) for rank in range(SIZE) for file in range(SIZE)]


def _height(at: Square) -> int:
    """Return the text line of a circle: f11 is on line 0, each rank two lower, each file one."""
    return 2 * (SIZE - 1 - at[1]) + at[0] - CENTRE


def _holdings(
    game: Definition, data: PositionData, outcome: Outcome | None, hands: bool = True
) -> list[str]:
    removals = data.removals(game)
    lines = []
    for side, name in enumerate(NAMES):
        facts = [f"{data.hands[side]} in hand"] if hands else []
        if data.track[side] >= 0:
            facts.append(f"track stone on {square_name(TRACK[data.track[side]])}")
        if game.ninuki:
            facts.append(f"{counted(removals[side], 'pair')} removed")
        lines.append(f"{name} {_SIGNS[side]}: {', '.join(facts) or 'no track stone yet'}")
    if outcome is not None:
        lines.append(outcome.describe())
    elif data.phase == PLAY:
        lines.append(f"{NAMES[data.side]} to move, its track stone is behind")
    else:
        lines.append(f"{NAMES[data.side]} to set up")
    return lines


def board_text(
    game: Definition, data: PositionData, outcome: Outcome | None, marked: list[Square], ink: Ink
) -> str:
    """Return the hexagon as text: digits are costs of empty circles, dots empty track circles."""
    grid = [[" "] * (3 * SIZE + 6) for _ in range(2 * SIZE + 1)]

    def put(line: int, file: int, text: str, shift: int = 0) -> None:
        for i, letter in enumerate(text):
            grid[line][3 * file + 4 + shift + i] = letter

    for at in _ALL:
        if ring(at) > CENTRE:
            continue
        sign = "+" if ring(at) == 0 else "." if ring(at) == CENTRE else str(cost(at))
        owner = None
        for side in range(2):
            if at in data.stones[side] or at == _track_square(data, side):
                sign, owner = _SIGNS[side], side
        cell = ink.cell(sign, owner, at in marked)
        # one sign, colours and all, a place in the grid
        for shift, text in zip((-1, 0, 1), (cell[0], cell[1:-1], cell[-1]), strict=True):
            if text != " ":
                grid[_height(at)][3 * at[0] + 4 + shift] = text
        if at[0] == max(0, at[1] - CENTRE):
            put(_height(at), at[0], f"{at[1] + 1:2d}", -3)
        if at[1] == max(0, at[0] - CENTRE):
            put(_height(at) + 1, at[0], chr(ord("a") + at[0]))
    lines = ["".join(line).rstrip() for line in grid]
    return "\n".join([*lines, "", *_holdings(game, data, outcome)])


def _track_square(data: PositionData, side: int) -> Square | None:
    return TRACK[data.track[side]] if data.track[side] >= 0 else None


def _place(at: Square) -> tuple[float, float]:
    df, dr = at[0] - CENTRE, at[1] - CENTRE
    return _WIDTH / 2 + math.cos(math.pi / 6) * df, _TOP + CENTRE - dr + df / 2


_MIDDLE = _place((CENTRE, CENTRE))


def _outward(at: Square, by: float) -> tuple[float, float]:
    """Return a point so far beyond a circle as seen from the centre."""
    x, y = _place(at)
    far = math.hypot(x - _MIDDLE[0], y - _MIDDLE[1])
    return x + (x - _MIDDLE[0]) / far * by, y + (y - _MIDDLE[1]) / far * by


@cache
def _empty_board(title: str) -> Drawing:
    """Return rows, dots for the costs, the track and labels, to be copied."""
    picture = Drawing(_WIDTH, _HEIGHT, title, frame=Frame(_MIDDLE, _HEIGHT - 1.5, _place))
    corners = [TRACK[CENTRE * corner] for corner in range(6)]
    picture.polygon([_outward(at, 0.75) for at in corners], DARK)
    picture.polygon([_outward(at, -0.55) for at in corners], WOOD)
    for row in rows():
        picture.line(*_place(row[0]), *_place(row[-1]), 0.015)
    for at in TRACK:
        picture.circle(*_place(at), 0.34, LIGHT)
    for at in CIRCLES:
        x, y = _place(at)
        picture.circle(x, y, 0.34, LIGHT)
        dots = cost(at)
        for dot in range(dots):
            angle = 2 * math.pi * dot / dots
            away = 0.12 if dots > 1 else 0.0
            picture.circle(x + away * math.sin(angle), y - away * math.cos(angle), 0.04, DARK)
    picture.circle(*_MIDDLE, 0.1, DARK)
    for number in range(SIZE):
        x, y = _place((max(0, number - CENTRE), number))
        picture.label(x - 0.9, y - 0.35, str(number + 1), "both", 0.28)
        x, y = _place((number, max(0, number - CENTRE)))
        picture.label(x, y + 1.05, chr(ord("a") + number), "both", 0.28)
    return picture


def draw(
    game: Definition,
    data: PositionData,
    outcome: Outcome | None,
    marked: list[Square],
    hands: bool = True,
) -> Drawing:
    """Return the hexagon as a picture, with rows, dots for the costs, and the track."""
    picture = _empty_board(game.title).copy()
    for side in range(2):
        for at in data.stones[side]:
            picture.piece(*_place(at), side, radius=0.38)
        on_track = _track_square(data, side)
        if on_track is not None:
            picture.piece(*_place(on_track), side, radius=0.44)
    for at in marked:
        picture.ring(*_place(at))
    for line, caption in enumerate(_holdings(game, data, outcome, hands)):
        picture.caption(0.3, _HEIGHT - 1.1 + 0.4 * line, caption)
    return picture
