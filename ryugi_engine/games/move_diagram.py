"""Diagrams of a piece's moves, as printed rules have them: as text and as a picture."""

from __future__ import annotations

from collections.abc import Mapping

from ryugi_engine.games.drawing import DARK, INK, LIGHT, MARK, WOOD, Drawing
from ryugi_engine.games.look import CHEQUERED, LINES, PLAIN

#: (files to the right, ranks forward) from the piece.
Offset = tuple[int, int]
BOTH, QUIET, CAPTURE, FIRST = "*", "o", "x", "i"
LEGS, CASTLING, HURDLE, MUST_BE_EMPTY = "l", "c", "#", "."
_LEGEND = {
    BOTH: "moves or captures",
    QUIET: "only moves",
    CAPTURE: "only captures",
    FIRST: "only as its first move",
    LEGS: "in several legs",
    CASTLING: "castles",
    HURDLE: "a piece that it leaps over",
    MUST_BE_EMPTY: "must be empty",
}
#: Squares from the piece to the edge of the diagram.
RADIUS = 4


def _used(marks: Mapping[Offset, str]) -> list[tuple[str, str]]:
    """Return the signs of a diagram with their meanings, in the legend's order."""
    return [(sign, text) for sign, text in _LEGEND.items() if sign in marks.values()]


def diagram_text(letter: str, title: str, marks: Mapping[Offset, str]) -> str:
    """Return a diagram as text, with a title above and a legend below."""
    around = range(-RADIUS, RADIUS + 1)
    line = "+" + "---+" * len(around)
    rows = [title, "", line]
    for y in reversed(around):
        signs = (letter if (x, y) == (0, 0) else marks.get((x, y), " ") for x in around)
        rows += ["|" + "|".join(f" {sign:<2}" for sign in signs) + "|", line]
    return "\n".join([*rows, "", *(f"{sign}  {text}" for sign, text in _used(marks))])


def draw_diagram(title: str, figure: str, marks: Mapping[Offset, str], board: str) -> Drawing:
    """Return a diagram as a picture on a kind of board; ``figure`` is the piece's."""
    size = 2 * RADIUS + 1
    legend = _used(marks)
    picture = Drawing(size + 0.6, size + 1.4 + 0.55 * len(legend), title)
    picture.text((size + 0.6) / 2, 0.4, title, 0.4)
    for x in range(size):
        for y in range(size):
            light = WOOD if board != CHEQUERED else LIGHT if (x + y) % 2 == 0 else DARK
            picture.rectangle(0.3 + x, 0.8 + y, 1, 1, light)
    # lines between squares, or through the points on which pieces stand
    inset = 0.5 if board == LINES else 0.0
    for at in range(size + (board == PLAIN)) if board != CHEQUERED else ():
        picture.line(0.3 + at + inset, 0.8, 0.3 + at + inset, 0.8 + size)
        picture.line(0.3, 0.8 + at + inset, 0.3 + size, 0.8 + at + inset)
    picture.figure(0.3 + RADIUS, 0.8 + RADIUS, figure)
    for (x, y), sign in sorted(marks.items()):
        _mark(picture, sign, 0.8 + RADIUS + x, 1.3 + RADIUS - y)
    for number, (sign, text) in enumerate(legend):
        below = size + 1.2 + 0.55 * number
        _mark(picture, sign, 0.6, below, 0.6)
        picture.caption(1.0, below + 0.1, text)
    return picture


def _mark(picture: Drawing, sign: str, x: float, y: float, scale: float = 1.0) -> None:
    r: float = 0.2 * scale
    if sign == BOTH:
        picture.circle(x, y, r, INK)
    elif sign == QUIET:
        picture.circle(x, y, r, "none", INK, 0.07)
    elif sign in (CAPTURE, LEGS):
        colour = MARK if sign == CAPTURE else INK
        picture.line(x - r, y - r, x + r, y + r, 0.08, colour)
        picture.line(x - r, y + r, x + r, y - r, 0.08, colour)
    elif sign == FIRST:
        picture.circle(x, y, r, "none", INK, 0.07)
        picture.circle(x, y, r / 3, INK)
    elif sign == CASTLING:
        picture.rectangle(x - r, y - r, 2 * r, 2 * r, INK)
    elif sign == HURDLE:
        picture.circle(x, y, 0.36 * scale, "#857d70")
    else:
        picture.circle(x, y, r / 2.5, INK)
