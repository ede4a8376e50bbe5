"""The pieces that have a picture, and their pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ryugi_engine.games.drawing import SIDES
from variants.chess.pictures.shapes import SHAPES

KING, PAWN = "King", "Pawn"


class Named(NamedTuple):
    """A piece with a picture: its name, its moves and its letter in the built-in games."""

    name: str
    betza: str
    letter: str


#: Of those that move alike the first is what another letter means.
NAMED = (
    Named(KING, "WF", "K"),
    Named("Queen", "RB", "Q"),
    Named("Rook", "R", "R"),
    Named("Bishop", "B", "B"),
    Named("Knight", "N", "N"),
    Named(PAWN, "", "P"),
    Named("Chancellor", "RN", "C"),
    Named("Marshall", "RN", "M"),
    Named("Archbishop", "BN", "A"),
    Named("Janus", "BN", "J"),
    Named("Dragon", "BNN", "D"),
    Named("Unicorn", "BNN", "U"),
    Named("Kirin", "FD", "I"),
    Named("Lion", "HFD", "L"),
)
#: Pictures of pieces that a definition calls so, however they move.
BY_NAME = ("Met", "Khon")
#: Unicode's signs of pieces, White's and Black's: those that most fonts have.
_SIGNS = {KING: "♔♚", "Queen": "♕♛", "Rook": "♖♜", "Bishop": "♗♝", "Knight": "♘♞", PAWN: "♙♟"}
#: Outline and fill of what is drawn on a piece: thin lines, light ones on Black's.
_INNER = (SIDES[0][1], "#f6e7c8")


@cache
def figure(name: str, side: int) -> str:
    """Return a piece's picture as SVG elements on one line; side 0 is White's."""
    shape = SHAPES[name]
    fill, outline = SIDES[side]
    inner = _INNER[side]
    parts = [
        f'<path d="{shape.body}" fill="{fill}" stroke="{outline}" stroke-width="1.8"'
        ' stroke-linejoin="round"/>'
    ]
    if shape.lines:
        parts.append(
            f'<path d="{shape.lines}" fill="none" stroke="{inner}" stroke-width="1.6"'
            ' stroke-linecap="round"/>'
        )
    if shape.spots:
        parts.append(f'<path d="{shape.spots}" fill="{inner}"/>')
    return "".join(parts)


def sign_of(names: Mapping[str, str], letter: str) -> str:
    """Return the Unicode sign of a letter, White's in upper case; the letter if there is none."""
    signs = _SIGNS.get(names.get(letter.upper(), ""))
    return letter if signs is None else signs[int(letter.islower())]
