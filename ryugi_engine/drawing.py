"""Pictures as SVG: a canvas that the games draw their boards on.

Units are a square's or a circle's distance to its neighbour; y grows downward.
Source: W3C, "Scalable Vector Graphics (SVG) 1.1".
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

INK = "#2b2620"
PAPER = "#f6efe0"
WOOD = "#e3c48f"
LIGHT = "#f3e3c3"
DARK = "#c79a63"
MARK = "#c0392b"
#: Fill and outline of White's and Black's pieces.
SIDES = (("#fdfcf8", INK), ("#2b2620", "#0f0d0b"))
_SCALE = 48


def _number(value: float) -> str:
    return f"{value * _SCALE:.1f}".rstrip("0").rstrip(".")


class Drawing:
    """A picture of ``width`` by ``height`` units; what is drawn later lies on top."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._size = (width, height)
        self._title = title
        self._parts: list[str] = []
        self.rectangle(0, 0, width, height, PAPER)

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A filled rectangle from its upper left corner."""
        self._parts.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" '
            f'height="{_number(height)}" fill="{fill}"/>'
        )

    def polygon(self, points: Iterable[tuple[float, float]], fill: str) -> None:
        """A filled polygon."""
        path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._parts.append(f'<polygon points="{path}" fill="{fill}" stroke="{INK}"/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 0.03) -> None:
        """A line."""
        self._parts.append(
            f'<line x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}" '
            f'stroke="{INK}" stroke-width="{_number(width)}" stroke-linecap="round"/>'
        )

    def circle(
        self, x: float, y: float, radius: float, fill: str, stroke: str = INK, width: float = 0.03
    ) -> None:
        """A disc with an outline."""
        self._parts.append(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="{_number(width)}"/>'
        )

    def text(self, x: float, y: float, words: str, size: float = 0.34, fill: str = INK) -> None:
        """Words centred on a point."""
        self._parts.append(
            f'<text x="{_number(x)}" y="{_number(y + 0.35 * size)}" font-size="{_number(size)}" '
            f'text-anchor="middle" fill="{fill}">{escape(words)}</text>'
        )

    def caption(self, x: float, y: float, words: str, size: float = 0.3) -> None:
        """Words that begin at a point."""
        self._parts.append(
            f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" '
            f'fill="{INK}">{escape(words)}</text>'
        )

    def piece(self, x: float, y: float, side: int, letter: str = "", radius: float = 0.4) -> None:
        """A disc of a side, with a letter on it."""
        fill, stroke = SIDES[side]
        self.circle(x, y, radius, fill, stroke)
        if letter:
            self.text(x, y, letter, 0.46, SIDES[1 - side][0])

    def ring(self, x: float, y: float, radius: float = 0.44) -> None:
        """A mark around something, for the last move."""
        self.circle(x, y, radius, "none", MARK, 0.06)

    def svg(self) -> str:
        """The picture as a self-contained file."""
        width, height = (_number(length) for length in self._size)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif">'
        )
        title = f"<title>{escape(self._title)}</title>"
        return "\n".join([head, title, *self._parts, "</svg>", ""])
