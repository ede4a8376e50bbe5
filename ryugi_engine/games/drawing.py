"""Boards as SVG pictures, and the colours of boards in a terminal.

Lengths are in units, the distance between neighbouring squares; y grows downward. Each SVG element
is one line and needs no style sheet and no definitions. Sources: W3C, "Scalable Vector Graphics
(SVG) 1.1"; ECMA-48 for the colours.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import NamedTuple

#: (x, y) in units, and a line from point to point.
Point = tuple[float, float]
Line = tuple[Point, ...]

INK = "#2b2620"
PAPER = "#f6efe0"
WOOD = "#e3c48f"
LIGHT = "#f3e3c3"
DARK = "#c79a63"
#: Squares of the last move.
MARKED_LIGHT = "#d7dd7c"
MARKED_DARK = "#aeb03f"
MARK = "#c0392b"
#: Side of the square that a piece's figure is drawn in; pixels, if it is not scaled.
BOX = 48
#: (fill, outline) of White's and Black's pieces, and of neutral ones.
SIDES = (("#fdfcf8", INK), ("#2b2620", "#0f0d0b"))
NEUTRAL = ("#857d70", INK)


#: ECMA-48 codes of White (bright red), Black (bright blue), and neither.
_COLOURS = ("1;91", "1;94", "0")
_MARKED = ("1;97;41", "1;97;44", "7")


class Ink(NamedTuple):
    """Formats a board's squares for a terminal, in plain text or in colours."""

    colours: bool = False
    #: Whether chess pieces are Unicode's figures instead of letters.
    unicode: bool = False
    #: Whether a board of squares is shown from Black's side.
    turned: bool = False

    def sign(self, sign: str, side: int | None, marked: bool = False) -> str:
        """Return a sign in its side's colour; ``marked`` has an effect in colours only."""
        if not self.colours or (side is None and not marked):
            return sign
        owner = 2 if side is None else side
        codes = _MARKED[owner] if marked else _COLOURS[owner]
        return f"\x1b[{codes}m{sign}\x1b[0m"

    def cell(self, sign: str, side: int | None, marked: bool = False) -> str:
        """Return a sign of up to two letters in three columns; without colours brackets mark it."""
        before, after = " " * (len(sign) < 2), " "
        if marked and not self.colours:
            before, after = before and "(", ")"
        return f"{before}{self.sign(sign, side, marked)}{after}"


PLAIN = Ink()


def short(value: float) -> str:
    """Format a length to a tenth, without trailing zeros."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def disc(side: int | None, letter: str) -> str:
    """Return a lettered disc in a box of :data:`BOX`, the default figure of a piece.

    ``side`` is None for a neutral piece.
    """
    fill, stroke = NEUTRAL if side is None else SIDES[side]
    ink = SIDES[0 if side is None else 1 - side][0]
    middle = BOX // 2
    return (
        f'<circle cx="{middle}" cy="{middle}" r="19" stroke-width="1.5" fill="{fill}"'
        f' stroke="{stroke}"/><text x="{middle}" y="32" font-size="22" text-anchor="middle"'
        f' fill="{ink}">{escape(letter)}</text>'
    )


def figure_file(figure: str, title: str) -> str:
    """Return a piece's figure, made for a box of :data:`BOX`, as an SVG file."""
    return "\n".join(
        [_head(str(BOX), str(BOX)), f"<title>{escape(title)}</title>", figure, "</svg>", ""]
    )


def _head(width: str, height: str) -> str:
    """Return the first lines of a self-contained SVG file of so many pixels."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" stroke="none" font-family="sans-serif">'
        "\n<!-- ryugi-engine -->"
    )


class Part(NamedTuple):
    """An SVG element, and how it moves when a viewer turns the board.

    Parts are made once and shared by the pictures that have them; compared by identity.
    A ``turned`` one is rotated with the board. Others stay upright, and only their point ``x``,
    ``y`` (pixels) is rotated: in both directions, or along a margin in one.
    """

    line: str
    turned: bool = True
    x: float = 0.0
    y: float = 0.0
    #: "" on the board; "file", "rank" or "both" for labels in the margins.
    margin: str = ""
    #: A figure's elements, and the transformation that puts them in place.
    figure: str = ""
    transform: str = ""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class Frame(NamedTuple):
    """Geometry of a board, in units, for a viewer that turns it and points at squares."""

    #: Centre of rotation.
    middle: tuple[float, float]
    #: y at which the board with its labels ends and the captions begin.
    bottom: float
    #: Returns the centre of a square, (file, rank) from 0.
    place: Callable[[tuple[int, int]], tuple[float, float]] | None = None


#: Names of lengths, in the order in which the makers of parts are given them.
_RECTANGLE = ("x", "y", "width", "height")
_LINE = ("x1", "y1", "x2", "y2", "stroke-width")
_CIRCLE = ("cx", "cy", "r", "stroke-width")
_TEXT = ("x", "y", "font-size")


def _attributes(names: tuple[str, ...], lengths: tuple[float, ...], scale: int) -> str:
    """Return lengths in units as attributes in pixels."""
    pairs = zip(names, lengths, strict=True)
    return " ".join(f'{name}="{short(length * scale)}"' for name, length in pairs)


@lru_cache(maxsize=1 << 16)
def _element(
    tag: str, names: tuple[str, ...], lengths: tuple[float, ...], scale: int, paint: str
) -> Part:
    """Return an empty element that turns with the board; lengths are in units."""
    return Part(f"<{tag} {_attributes(names, lengths, scale)} {paint}/>")


@lru_cache(maxsize=1 << 16)
def _path(lines: tuple[Line, ...], scale: int, paint: str) -> Part:
    """Return lines along the axes or across as one path; a line that returns is closed."""
    data = ""
    for line in lines:
        at = [(round(x * scale, 1), round(y * scale, 1)) for x, y in line]
        data += f"M{short(at[0][0])} {short(at[0][1])}"
        closed = at[-1] == at[0]
        for (x1, y1), (x2, y2) in pairwise(at[:-1] if closed else at):
            x, y = short(x2 - x1), short(y2 - y1)
            data += f"h{x}" if y1 == y2 else f"v{y}" if x1 == x2 else f"l{x} {y}"
        data += "z" * closed
    return Part(f'<path d="{data}" {paint}/>')


@lru_cache(maxsize=1 << 16)
def _polygon(points: tuple[Point, ...], scale: int, paint: str, about: Point | None) -> Part:
    path = " ".join(f"{short(x * scale)},{short(y * scale)}" for x, y in points)
    line = f'<polygon points="{path}" {paint}/>'
    return Part(line) if about is None else _upright(line, about, scale)


@lru_cache(maxsize=1 << 16)
def _text(
    x: float, y: float, size: float, scale: int, fill: str, content: str, margin: str | None
) -> Part:
    """Return a line of text, centred on a point and upright; ``margin`` None: a caption."""
    lengths = (x, y, size) if margin is None else (x, y + 0.35 * size, size)
    anchor = "" if margin is None else 'text-anchor="middle" '
    attributes = _attributes(_TEXT, lengths, scale)
    line = f'<text {attributes} {anchor}fill="{fill}">{escape(content)}</text>'
    return Part(line) if margin is None else _upright(line, (x, y), scale, margin)


@lru_cache(maxsize=1 << 16)
def _figure(x: float, y: float, parts: str, size: float, scale: int, turns: bool) -> Part:
    ratio = size * scale / BOX
    scaled = "" if ratio == 1 else f" scale({ratio:.4g})"
    where = f"translate({short(x * scale)} {short(y * scale)}){scaled}"
    line = f'<g transform="{where}">{parts}</g>'
    if turns:
        return Part(line)
    return _upright(line, (x + size / 2, y + size / 2), scale, "", parts, where)


def _upright(
    line: str, at: Point, scale: int, margin: str = "", figure: str = "", transform: str = ""
) -> Part:
    """Return a part that stays upright when the board is turned, anchored at a point in units."""
    x, y = round(at[0] * scale, 1), round(at[1] * scale, 1)
    return Part(line, False, x, y, margin, figure, transform)


class Drawing:
    """A picture of ``width`` by ``height`` units; later elements lie on top.

    ``scale`` is in pixels per unit. Without a ``frame`` all of it is the board.
    """

    def __init__(
        self, width: float, height: float, title: str, scale: int = 48, frame: Frame | None = None
    ) -> None:
        self.scale = scale
        self.frame = frame or Frame((width / 2, height / 2), height)
        #: Lines of text below the board.
        self.captions: list[str] = []
        self._size = (width, height)
        self._title = title
        self._parts: list[Part] = []
        self._below: list[Part] = []

    @property
    def board_size(self) -> tuple[float, float]:
        """(width, height) of the board with its labels, in pixels."""
        return self._size[0] * self.scale, self.frame.bottom * self.scale

    def board_parts(self) -> list[Part]:
        """Return the board's elements, without background and captions."""
        return self._parts

    def copy(self) -> Drawing:
        """Return an equal picture to draw on: what all pictures of a game share is drawn once."""
        other = copy.copy(self)
        other.captions = list(self.captions)
        other._parts, other._below = list(self._parts), list(self._below)
        return other

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Draw a filled rectangle; (x, y) is its upper left corner."""
        lengths = (x, y, width, height)
        self._parts.append(_element("rect", _RECTANGLE, lengths, self.scale, f'fill="{fill}"'))

    def polygon(self, points: Iterable[Point], fill: str, about: Point | None = None) -> None:
        """Draw a filled polygon; with ``about`` it stays upright, anchored there."""
        paint = f'fill="{fill}" stroke="{INK}"'
        self._parts.append(_polygon(tuple(points), self.scale, paint, about))

    def path(self, lines: Iterable[Line], fill: str, stroke: str, width: float) -> None:
        """Draw several lines as one element, with round joins; closed if they return."""
        paint = (
            f'fill="{fill}" stroke="{stroke}" stroke-width="{short(width * self.scale)}"'
            ' stroke-linecap="round" stroke-linejoin="round"'
        )
        self._parts.append(_path(tuple(lines), self.scale, paint))

    def line(
        self, x1: float, y1: float, x2: float, y2: float, width: float = 0.03, stroke: str = INK
    ) -> None:
        """Draw a line."""
        paint = f'stroke="{stroke}" stroke-linecap="round"'
        self._parts.append(_element("line", _LINE, (x1, y1, x2, y2, width), self.scale, paint))

    def circle(
        self, x: float, y: float, radius: float, fill: str, stroke: str = INK, width: float = 0.03
    ) -> None:
        """Draw a disc with an outline."""
        paint = f'fill="{fill}" stroke="{stroke}"'
        self._parts.append(_element("circle", _CIRCLE, (x, y, radius, width), self.scale, paint))

    def text(self, x: float, y: float, content: str, size: float = 0.34, fill: str = INK) -> None:
        """Draw text centred on a point."""
        self._parts.append(_text(x, y, size, self.scale, fill, content, ""))

    def label(self, x: float, y: float, content: str, margin: str, size: float = 0.34) -> None:
        """Draw the label of a file or rank; ``margin`` is ``file``, ``rank`` or ``both``.

        ``both`` is for labels that do not lie along straight margins.
        """
        self._parts.append(_text(x, y, size, self.scale, INK, content, margin))

    def caption(self, x: float, y: float, content: str, size: float = 0.3) -> None:
        """Draw a line of text below the board, beginning at a point."""
        self._below.append(_text(x, y, size, self.scale, INK, content, None))
        self.captions.append(content)

    def piece(self, x: float, y: float, side: int, letter: str = "", radius: float = 0.4) -> None:
        """Draw a disc of a side with a letter."""
        fill, stroke = SIDES[side]
        self.circle(x, y, radius, fill, stroke)
        if letter:
            self.text(x, y, letter, 0.46, SIDES[1 - side][0])

    def figure(
        self, x: float, y: float, parts: str, size: float = 1.0, turns: bool = False
    ) -> None:
        """Draw elements made for a box of :data:`BOX`; (x, y) is the upper left corner.

        One that ``turns`` points elsewhere on a turned board; others stay upright.
        """
        self._parts.append(_figure(x, y, parts, size, self.scale, turns))

    def ring(self, x: float, y: float, radius: float = 0.44) -> None:
        """Draw a ring that marks the last move."""
        self.circle(x, y, radius, "none", MARK, 0.06)

    def svg(self, captions: bool = True) -> str:
        """Return the picture as a self-contained SVG file, with or without its captions."""
        size = self._size if captions else (self._size[0], self.frame.bottom)
        width, height = (short(length * self.scale) for length in size)
        title = f"<title>{escape(self._title)}</title>"
        paper = _element("rect", _RECTANGLE, (0, 0, *size), self.scale, f'fill="{PAPER}"')
        below = self._below if captions else []
        elements = [part.line for part in (paper, *self._parts, *below)]
        return "\n".join([_head(width, height), title, *elements, "</svg>", ""])
