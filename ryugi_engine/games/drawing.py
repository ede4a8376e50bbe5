"""Boards as SVG pictures, and the colours of boards in a terminal.

Lengths are in units, the distance between neighbouring squares; y grows downward. Each SVG element
is one line and needs no style sheet and no definitions. Sources: W3C, "Scalable Vector Graphics
(SVG) 1.1"; ECMA-48 for the colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape

INK = "#2b2620"
PAPER = "#f6efe0"
WOOD = "#e3c48f"
LIGHT = "#f3e3c3"
DARK = "#c79a63"
MARK = "#c0392b"
#: Side of the square that a piece's figure is drawn in; pixels, if it is not scaled.
BOX = 48
#: (fill, outline) of White's and Black's pieces.
SIDES = (("#fdfcf8", INK), ("#2b2620", "#0f0d0b"))


#: ECMA-48 codes of White (bright red), Black (bright blue), and neither.
_COLOURS = ("1;91", "1;94", "0")
_MARKED = ("1;97;41", "1;97;44", "7")


class Ink:
    """Formats a board's squares for a terminal, in plain text or in colours."""

    def __init__(self, colours: bool = False) -> None:
        self.colours = colours

    def sign(self, sign: str, side: int | None, marked: bool = False) -> str:
        """Return a sign in its side's colour; ``marked`` has an effect in colours only."""
        if not self.colours or (side is None and not marked):
            return sign
        owner = 2 if side is None else side
        codes = _MARKED[owner] if marked else _COLOURS[owner]
        return f"\x1b[{codes}m{sign}\x1b[0m"

    def cell(self, sign: str, side: int | None, marked: bool = False) -> str:
        """Return a sign centred in three columns; without colours brackets mark it."""
        if marked and not self.colours:
            return f"({sign})"
        return f" {self.sign(sign, side, marked)} "


PLAIN = Ink()


def short(value: float) -> str:
    """Format a length to a tenth, without trailing zeros."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def disc(side: int, letter: str) -> str:
    """Return a lettered disc in a box of :data:`BOX`, the default figure of a piece."""
    fill, stroke = SIDES[side]
    middle = BOX // 2
    return (
        f'<circle cx="{middle}" cy="{middle}" r="19" stroke-width="1.5" fill="{fill}"'
        f' stroke="{stroke}"/><text x="{middle}" y="32" font-size="22" text-anchor="middle"'
        f' fill="{SIDES[1 - side][0]}">{escape(letter)}</text>'
    )


@dataclass(frozen=True)
class Part:
    """An SVG element, and how it moves when a viewer turns the board.

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


@dataclass(frozen=True)
class Frame:
    """Geometry of a board, in units, for a viewer that turns it and points at squares."""

    #: Centre of rotation.
    middle: tuple[float, float]
    #: y at which the board with its labels ends and the captions begin.
    bottom: float
    #: Returns the centre of a square, (file, rank) from 0.
    place: Callable[[tuple[int, int]], tuple[float, float]] | None = None


@lru_cache(maxsize=1 << 14)
def _element(
    tag: str, lengths: tuple[tuple[str, float], ...], scale: int, paint: str, content: str
) -> str:
    values = " ".join(f'{name}="{short(value * scale)}"' for name, value in lengths)
    end = f">{escape(content)}</{tag}>" if content else "/>"
    return f"<{tag} {values} {paint}{end}"


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
        self._parts: list[str] = []
        #: The parts that stay upright, by their index.
        self._upright: dict[int, Part] = {}
        self._below: set[int] = set()
        self.rectangle(0, 0, width, height, PAPER)

    @property
    def board_size(self) -> tuple[float, float]:
        """(width, height) of the board with its labels, in pixels."""
        return self._size[0] * self.scale, self.frame.bottom * self.scale

    def board_parts(self) -> list[Part]:
        """Return the board's elements, without background and captions."""
        return [
            self._upright.get(number) or Part(line)
            for number, line in enumerate(self._parts)
            if number and number not in self._below
        ]

    def _number(self, value: float) -> str:
        return short(value * self.scale)

    def _add(self, tag: str, lengths: Mapping[str, float], paint: str, content: str = "") -> None:
        """Add an element; ``lengths`` are attributes in units."""
        self._parts.append(_element(tag, tuple(lengths.items()), self.scale, paint, content))

    def _keep_upright(
        self, x: float, y: float, margin: str = "", figure: str = "", transform: str = ""
    ) -> None:
        """Keep the last element upright when the board is turned, anchored at a point."""
        number = len(self._parts) - 1
        at = (round(x * self.scale, 1), round(y * self.scale, 1))
        self._upright[number] = Part(self._parts[number], False, *at, margin, figure, transform)

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Draw a filled rectangle; (x, y) is its upper left corner."""
        self._add("rect", {"x": x, "y": y, "width": width, "height": height}, f'fill="{fill}"')

    def polygon(
        self,
        points: Iterable[tuple[float, float]],
        fill: str,
        about: tuple[float, float] | None = None,
    ) -> None:
        """Draw a filled polygon; with ``about`` it stays upright, anchored there."""
        path = " ".join(f"{self._number(x)},{self._number(y)}" for x, y in points)
        self._parts.append(f'<polygon points="{path}" fill="{fill}" stroke="{INK}"/>')
        if about is not None:
            self._keep_upright(*about)

    def line(
        self, x1: float, y1: float, x2: float, y2: float, width: float = 0.03, stroke: str = INK
    ) -> None:
        """Draw a line."""
        lengths = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke-width": width}
        self._add("line", lengths, f'stroke="{stroke}" stroke-linecap="round"')

    def circle(
        self, x: float, y: float, radius: float, fill: str, stroke: str = INK, width: float = 0.03
    ) -> None:
        """Draw a disc with an outline."""
        lengths = {"cx": x, "cy": y, "r": radius, "stroke-width": width}
        self._add("circle", lengths, f'fill="{fill}" stroke="{stroke}"')

    def text(self, x: float, y: float, content: str, size: float = 0.34, fill: str = INK) -> None:
        """Draw text centred on a point."""
        lengths = {"x": x, "y": y + 0.35 * size, "font-size": size}
        self._add("text", lengths, f'text-anchor="middle" fill="{fill}"', content)
        self._keep_upright(x, y)

    def label(self, x: float, y: float, content: str, margin: str, size: float = 0.34) -> None:
        """Draw the label of a file or rank; ``margin`` is ``file``, ``rank`` or ``both``.

        ``both`` is for labels that do not lie along straight margins.
        """
        self.text(x, y, content, size)
        self._keep_upright(x, y, margin)

    def caption(self, x: float, y: float, content: str, size: float = 0.3) -> None:
        """Draw a line of text below the board, beginning at a point."""
        self._below.add(len(self._parts))
        self._add("text", {"x": x, "y": y, "font-size": size}, f'fill="{INK}"', content)
        self.captions.append(content)

    def piece(self, x: float, y: float, side: int, letter: str = "", radius: float = 0.4) -> None:
        """Draw a disc of a side with a letter."""
        fill, stroke = SIDES[side]
        self.circle(x, y, radius, fill, stroke)
        if letter:
            self.text(x, y, letter, 0.46, SIDES[1 - side][0])

    def figure(self, x: float, y: float, parts: str, size: float = 1.0) -> None:
        """Draw elements made for a box of :data:`BOX`; (x, y) is the upper left corner."""
        scale = size * self.scale / BOX
        scaled = "" if scale == 1 else f" scale({scale:.4g})"
        where = f"translate({self._number(x)} {self._number(y)}){scaled}"
        self._parts.append(f'<g transform="{where}">{parts}</g>')
        self._keep_upright(x + size / 2, y + size / 2, figure=parts, transform=where)

    def ring(self, x: float, y: float, radius: float = 0.44) -> None:
        """Draw a ring that marks the last move."""
        self.circle(x, y, radius, "none", MARK, 0.06)

    def svg(self) -> str:
        """Return the picture as a self-contained SVG file."""
        width, height = (self._number(length) for length in self._size)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" stroke="none" font-family="sans-serif">'
            "\n<!-- ryugi-engine -->"
        )
        title = f"<title>{escape(self._title)}</title>"
        return "\n".join([head, title, *self._parts, "</svg>", ""])
