"""The pieces' shapes: drawn for this engine, in a box of 48 units, the ground at 43.

A shape is an outline that both sides share and what is drawn on it. Everything is a path of M, L,
C and Z with absolute coordinates. A symmetrical outline is written down from the middle above to
the middle below, its right half, and :func:`whole` adds the left one. Profiles look to the left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """``body`` is filled and outlined, ``lines`` are drawn on it, ``spots`` filled."""

    body: str
    lines: str = ""
    spots: str = ""


def mirrored(path: str) -> str:
    """A path seen in a mirror: x becomes 48 - x."""
    return re.sub(
        r"(-?[\d.]+) (-?[\d.]+)", lambda found: f"{48 - float(found[1]):g} {found[2]}", path
    )


def twice(path: str) -> str:
    """A path and its mirror image."""
    return path + mirrored(path)


def whole(half: str) -> str:
    """A closed outline from its right half."""
    parts = re.findall("([MLC])([^MLC]+)", half)
    steps = [(kind, re.findall(r"-?[\d.]+ -?[\d.]+", numbers)) for kind, numbers in parts]
    back = ""
    for at in range(len(steps) - 1, 0, -1):
        kind, points = steps[at]
        back += kind + " ".join([*points[-2::-1], steps[at - 1][1][-1]])
    return half + mirrored(back) + "Z"


def ball(x: float, y: float, radius: float) -> str:
    """A round knob, as two curves."""
    left, right = f"{x - radius:g}", f"{x + radius:g}"
    above, below = f"{y - radius * 4 / 3:.4g}", f"{y + radius * 4 / 3:.4g}"
    return (
        f"M{left} {y:g}C{left} {above} {right} {above} {right} {y:g}"
        f"C{right} {below} {left} {below} {left} {y:g}Z"
    )


_PAWN = Shape(
    whole(
        "M24 10C27.6 10 30.4 12.8 30.4 16.3C30.4 18.5 29.3 20.4 27.6 21.5L31.5 24.5"
        "L28 25.5C28.5 30.5 30.5 34 34 37L35 43L24 43"
    ),
    "M21 25.5L27 25.5M15.5 37.5L32.5 37.5",
)
_ROOK = Shape(
    whole("M24 8L27 8L27 12L31 12L31 8L36.5 8L36.5 16L32.5 20L33.5 33L37 37L38 43L24 43"),
    "M16 20L32 20M15 33L33 33M12 37.5L36 37.5",
)
_BISHOP = Shape(
    whole(
        "M24 4C26 4 27.5 5.5 27.5 7.4C27.5 8.6 27 9.5 26.2 10.2C31 13.5 34.5 18.5 34.5 23.5"
        "C34.5 26.5 33 29.3 30.5 31L31.5 36C34 36.7 37 37.5 38.5 39.5L38.5 43L24 43"
    ),
    "M17.5 31L30.5 31M16.5 36L31.5 36M24 15.5L24 25M19.5 20L28.5 20",
)
_QUEEN = Shape(
    whole("M24 13L27 25L33.5 13.5L33.5 26L42 17L36 34L37.5 38.5L37.5 43L24 43")
    + twice(ball(42, 14, 2.6))
    + twice(ball(33.5, 9.5, 2.6))
    + ball(24, 8, 2.6),
    "M12 34L36 34M10.5 38.5L37.5 38.5",
)
_KING = Shape(
    whole(
        "M24 3L25.7 3L25.7 6L28.7 6L28.7 9.3L25.7 9.3L25.7 14C28 15.5 28.5 16.5 29 17"
        "C35 14 42 16.5 42 23C42 28 38 31 36 34.5L37.5 38.5L37.5 43L24 43"
    ),
    "M12 34.5L36 34.5M10.5 38.5L37.5 38.5M24 22L24 31",
)
_KNIGHT = Shape(
    "M12 43L12 40C13 32 21 29.5 21.5 24.5C19 27.5 16.5 28 14.5 28.5L12.5 31.5"
    "C10.5 32.5 7 30.5 7 27.5C9 22 11 17 14.5 13.5C16 11.8 18 10.6 20 10L21.5 5L25 9.5"
    "C35 13 38.5 24 37.5 39L37.5 43Z",
    "M12 39L37.5 39M26 14C31 18 33 26 32.5 35",
    "M16.2 17.5L19 16L18.6 18.4Z",
)
_CHANCELLOR = Shape(
    "M11 43L12 37.5L15 34.5L15 31L11 28L11 22.5L15.5 22.5L15.5 25.5L18 25.5"
    "C21 22 22 20 22.5 17.5C20 19.5 18 19.8 16.5 20L15 22C13.5 22.8 11 21.5 11 19.5"
    "C12.5 15.5 14 12 16.5 9.6C17.6 8.5 19 7.6 20.5 7.2L21.5 3.5L24.2 6.9"
    "C29.5 9 32.5 15 32.8 25.5L32.8 22.5L37 22.5L37 28L33 31L33 34.5L36 37.5L37 43Z",
    "M15 30.5L33 30.5M15 34.5L33 34.5M12 38L36 38",
    "M18.2 12.4L20.2 11.3L19.9 13.1Z",
)
_MARSHALL = Shape(
    "M23 4L39 6L34.5 10.5L39 15L25.5 16L25.5 22L29 22L29 25L32 25L32 22L36 22L36 28L33 31L33 34.5"
    "L36 37.5L37 43L11 43L12 37.5L15 34.5L15 31L12 28L12 22L16 22L16 25L19 25L19 22L23 22Z",
    "M15 30.5L33 30.5M15 34.5L33 34.5M12 38L36 38",
)
_ARCHBISHOP = Shape("M24 4C26 4 27.5 5.5 27.5 7.4C27.5 8.6 27 9.5 26.2 10.2Z")
_JANUS = Shape(
    whole(
        "M24 6C32 6 36 9 36.5 14L36 17L39.5 22L37 23.5L37.5 28C36 31 34 31.5 31 31L31 36"
        "L37 39L37.5 43L24 43"
    ),
    "M24 6L24 36",
)
_DRAGON = Shape(
    "M12 43L12 40C13 32 21 29.5 21.5 24.5L8 31L7 27.5C9 22 11 17 14.5 13.5L34 4L28 12"
    "L36 16L34 20L40 26L36 28L40 36L37.5 39L37.5 43Z",
    "M12 39L37.5 39",
)
_UNICORN = Shape(
    "M12 43L12 40C13 32 21 29.5 21.5 24.5C19 27.5 16.5 28 14.5 28.5L12.5 31.5"
    "C10.5 32.5 7 30.5 7 27.5C9 22 11 17 14.5 13.5L6 3L20 10L21.5 5L25 9.5"
    "C35 13 38.5 24 37.5 39L37.5 43Z",
    "M12 39L37.5 39",
)
_KIRIN = Shape(
    whole("M24 14L28 13L32 4L33 10L40 6L35 13L40 17L33 20L30 33L27 36L36 39L37 43L24 43"),
    "M12 39L36 39",
)
_LION = Shape(
    whole("M24 6L30 8L34 7L36 12L41 16L39 21L42 26L38 30L38 36L32 37L30 41L24 43"),
    "M19 20L20 20M28 20L29 20",
)

#: By the name of :data:`variants.chess_family.pieces.NAMED`.
SHAPES: Mapping[str, Shape] = {
    "King": _KING,
    "Queen": _QUEEN,
    "Rook": _ROOK,
    "Bishop": _BISHOP,
    "Knight": _KNIGHT,
    "Pawn": _PAWN,
    "Chancellor": _CHANCELLOR,
    "Marshall": _MARSHALL,
    "Archbishop": _ARCHBISHOP,
    "Janus": _JANUS,
    "Dragon": _DRAGON,
    "Unicorn": _UNICORN,
    "Kirin": _KIRIN,
    "Lion": _LION,
}
