"""The pieces' shapes: drawn for this engine, in a box of 48 units, the ground at 43.

A shape is an outline that both sides share and what is drawn on it. Everything is a path of M, L,
C and Z with absolute coordinates. A symmetrical outline is written down from the middle above to
the middle below, its right half, and :func:`whole` adds the left one. Profiles look to the left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_NUMBER = r"(?<![\d.])-?[\d.]++"


class Shape(NamedTuple):
    """``body`` is filled and outlined, ``lines`` are drawn on it, ``spots`` filled."""

    body: str
    lines: str = ""
    spots: str = ""


def mirrored(path: str) -> str:
    """Return a path mirrored: x becomes 48 - x."""
    return re.sub(
        rf"({_NUMBER}) ({_NUMBER})", lambda point: f"{48 - float(point[1]):g} {point[2]}", path
    )


def twice(path: str) -> str:
    """Return a path and its mirror image."""
    return path + mirrored(path)


def whole(half: str) -> str:
    """Return a closed outline made of its right half."""
    parts = re.findall("([MLC])([^MLC]+)", half)
    steps = [(kind, re.findall(f"{_NUMBER} {_NUMBER}", numbers)) for kind, numbers in parts]
    back = ""
    for at in range(len(steps) - 1, 0, -1):
        kind, points = steps[at]
        back += kind + " ".join([*points[-2::-1], steps[at - 1][1][-1]])
    return half + mirrored(back) + "Z"


def ball(x: float, y: float, radius: float) -> str:
    """Return a disc as two curves."""
    left, right = f"{x - radius:g}", f"{x + radius:g}"
    above, below = f"{y - radius * 4 / 3:.4g}", f"{y + radius * 4 / 3:.4g}"
    return (
        f"M{left} {y:g}C{left} {above} {right} {above} {right} {y:g}"
        f"C{right} {below} {left} {below} {left} {y:g}Z"
    )


_PAWN = Shape(
    whole(
        "M24 10C27.6 10 30.4 12.8 30.4 16.3C30.4 18.5 29.3 20.4 27.6 21.5L31.5 24.5"
        "L28 25.5C28.5 30.5 30.5 34.5 34 38L35 43L24 43"
    ),
    "M21 25.5L27 25.5M15 38.5L33 38.5",
)
_ROOK = Shape(
    whole("M24 8L27 8L27 12L31.5 12L31.5 8L37 8L37 16L33 20L34 34L36.5 38L37.5 43L24 43"),
    "M16 20L32 20M15 34L33 34M12.5 38.5L35.5 38.5",
)
_BISHOP = Shape(
    whole(
        "M24 4C26 4 27.6 5.6 27.6 7.6C27.6 8.7 27.1 9.6 26.3 10.3C31.5 13.5 35 18.5 35 23.5"
        "C35 27 33 30 30.5 32L31.5 36C34 36.5 36.5 37.5 37.5 39.5L37.5 43L24 43"
    ),
    "M18.5 32L29.5 32M17.5 36L30.5 36M24 16L24 26M19.5 20.5L28.5 20.5",
)
_QUEEN = Shape(
    whole("M24 10L28 22.5L33.5 12L35 23.5L42.5 17L36.5 33.5L36 38L37.5 43L24 43")
    + twice(ball(42.5, 14.5, 2.7))
    + twice(ball(33.5, 9.5, 2.7))
    + ball(24, 7.5, 2.7),
    "M12 33.5C16 32 32 32 36 33.5M12.5 38.5L35.5 38.5",
)
_KING = Shape(
    whole(
        "M24 3L25.8 3L25.8 6L28.8 6L28.8 9.4L25.8 9.4L25.8 13.5C27.5 14.5 28.5 15.5 29 16.5"
        "C35 13.5 42.5 16 42.5 23C42.5 28 38 30.5 36 34L36 38L37.5 43L24 43"
    ),
    "M12 34C16 32.5 32 32.5 36 34M12.5 38.5L35.5 38.5M24 19L27 24L24 29L21 24Z",
)
_KNIGHT = Shape(
    "M10.5 43L12 38.5C13 32 21 29.5 21.5 24.5C19 27.5 16.5 28 14.5 28.5L12.5 31.5"
    "C10.5 32.8 6.5 30.5 6.5 27.5C8.5 22 10.5 17 14 13.5C15.5 11.8 17.5 10.6 19.5 10L20.5 4.5"
    "L24.5 9.3C34.5 12.5 38.5 24 36.5 38.5L37.5 43Z",
    "M12.5 38.5L35.5 38.5M25.5 13.5C31 17.5 33 26 32 35M9.5 27.5L10.5 27",
    "M15.8 18L19 16L18.6 18.8Z",
)
# A knight's head in front of a taller piece: from the ground to the back of its ears, mane, eye.
_HEAD = (
    "M10.5 43L12 38.5C13 34 18.5 32.5 19 28.5C17 30.5 15 31 13 31.5L11.5 34C9.5 35 6 33 6 30"
    "C7.5 25.5 9.5 22 12 19.5L12.5 14.5L16.5 17"
)
_MANE = "M16.5 17C22.5 20 25.5 26 24 33"
_EYE = "M13.8 23.5L16.6 22L16.2 24.4Z"
_CHANCELLOR = Shape(
    _HEAD + "L20 17L17 13.5L17 5L22 5L22 9L26 9L26 5L31 5L31 9L35 9L35 5L40 5L40 13.5L36.5 17"
    "L37 33L35.5 38.5L37.5 43Z",
    _MANE + "L37 33M20 17L36.5 17M12.5 38.5L35.5 38.5",
    _EYE,
)
_MARSHALL = Shape(
    "M22.5 3L40 5L35.5 10L40 15L25.5 16L25.5 22L28 22L28 25.5L32 25.5L32 22L37 22L37 28.5"
    "L33.5 31.5L34.5 35L36 38.5L37.5 43L10.5 43L12 38.5L13.5 35L14.5 31.5L11 28.5L11 22L16 22"
    "L16 25.5L20 25.5L20 22L22.5 22Z",
    "M15 31.5L33 31.5M12.5 38.5L35.5 38.5M25.5 6.5L25.5 13",
)
_ARCHBISHOP = Shape(
    _HEAD + "C18 14 21.5 11.3 25.2 9.8C24.4 9.1 24 8.2 24 7.1C24 5.1 25.6 3.5 27.6 3.5"
    "C29.6 3.5 31.2 5.1 31.2 7.1C31.2 8.2 30.7 9.2 29.9 9.8C35.5 13 39 18 39 23.5"
    "C39 28 37 31 34.5 33L35.5 38.5L37.5 43Z",
    _MANE + "L34.5 33M12.5 38.5L35.5 38.5M30.5 15L30.5 25M26 19.5L35 19.5",
    _EYE,
)
_JANUS = Shape(
    whole(
        "M24 5C31 5 35.5 8.5 36 14.5L40 20.5L37.5 22L38 25L36.8 26.5L37.3 30.5"
        "C35.5 33 33.5 33 30.5 32.5L31 35.5C33.5 36 36 37 37 39L37.5 43L24 43"
    ),
    "M12 14L36 14M24 14L24 35.5M12.5 39L35.5 39",
    twice("M31 19.5L34 18.5L33.4 20.8Z"),
)
_DRAGON = Shape(
    "M10.5 43L12 38.5C13 34 20 31.5 22 27C19 28.5 15.5 29.5 12 30.5L8.5 29.5L12 26.5L15.5 24.5"
    "C12 24.5 9 24 6 21.5L5.5 17C9 15.5 12.5 13.5 15.5 11.5L19 10C23 9.5 28 7 31.5 3"
    "C31.5 7 30 10 28 12L36 11.5L33.5 16.5L40 18.5L36 22.5L41 27L36.5 29.5L40.5 35L36.5 36.5"
    "L36.5 38.5L37.5 43Z",
    "M12.5 38.5L35.5 38.5M26.5 17C30.5 21.5 31 28 29 35M15.5 24.5L20 23.5",
    "M15 17L19.5 14.5L19 17.5Z",
)
_UNICORN = Shape(
    "M10.5 43L12 38.5C13 33 20.5 31 21 26.5C18.5 29 16.5 29.5 14.5 30L12.5 32.8"
    "C10.5 34 6.5 31.8 6.5 29C8.5 24 10.5 19.5 13 17L4.5 2.5L19 12.5L20.5 7.5L24 12"
    "L30 10.5L29.5 14.5L35.5 16L34 20L39 23.5L36 26.5L39.5 31.5L36 33.5L36.5 38.5L37.5 43Z",
    "M12.5 38.5L35.5 38.5M24.5 16.5C30 20.5 31.5 27 30 35M9.5 28.8L10.5 28.3",
    "M15.8 20.3L18.8 18.5L18.4 21Z",
)
_KIRIN = Shape(
    whole(
        "M24 16L27 14.5C27 11 27 7.5 30 3.5L31.5 9L37 4.5L37.5 11C36 13.5 33 14.5 31 16"
        "L39.5 16.5C38.5 20 36 21.5 32.5 21.5L30 31.5L28.5 34.5L31 34.5C33.5 35 36 36.5 36 38.5"
        "L37.5 43L24 43"
    ),
    "M12.5 38.5L35.5 38.5",
    twice("M26.5 22.5L30 20.5L29.2 24Z") + twice("M25.3 32L27 30.5L27 32.3Z"),
)
_LION = Shape(
    whole(
        "M24 4.5L28.5 3.5L31 7L36 6.5L36.5 11.5L41 14L39 18.5L42 23L38.5 26.5L39.5 31.5L34.5 33"
        "L33 37L36 38.5L37.5 43L24 43"
    ),
    "M12.5 38.5L35.5 38.5"
    + twice("M24 10.5C28 9.5 33.5 11 33.5 17C33.5 20 31 21.5 30.5 24.5C30 29.5 28.5 33 24 33")
    + "M24 25.5L24 28.5"
    + twice("M24 28.5C25 29.8 26.3 29.8 27.3 29"),
    twice("M26.5 18.5L30.5 16.8L29.8 19.3Z") + "M21.5 23L26.5 23L24 26Z",
)

_MET = Shape(
    whole("M24 12L25.5 18.5C26.5 20.5 28.5 21.5 29.5 23.5L28 26C32 28.5 33.5 33 34 38L35 43L24 43"),
    "M20 26L28 26M14 38.5L34 38.5",
)
_KHON = Shape(
    whole(
        "M24 3L25.5 10.5C26.5 12.5 28.5 13.5 29.5 15.5L28.5 18C31.5 19.5 33 21.5"
        " 33.5 24.5L31.5 27.5C35 30 36 34 36.5 38L37.5 43L24 43"
    ),
    "M19.5 18L28.5 18M16.5 27.5L31.5 27.5M11.5 38.5L36.5 38.5",
)

#: By the name of :data:`variants.chess.pictures.pieces.NAMED` and ``BY_NAME``.
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
    "Met": _MET,
    "Khon": _KHON,
}
