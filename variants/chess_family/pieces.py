"""The pictures of pieces, chosen by their moves and only then by their letters.

A piece that moves as rook and knight is a chancellor in any game. A Q that does not move as a queen
has a disc with its letter.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ryugi_engine.games.drawing import SIDES, disc
from variants.chess_family import movement as movements
from variants.chess_family.fast_game import FastGame
from variants.chess_family.shapes import SHAPES

KING, PAWN = "King", "Pawn"
#: What is lost with the game and does not move as a king: a disc with a ring.
ROYAL = "Royal"


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
#: Unicode's signs of pieces, White's and Black's: those that most fonts have.
_SIGNS = {KING: "♔♚", "Queen": "♕♛", "Rook": "♖♜", "Bishop": "♗♝", "Knight": "♘♞", PAWN: "♙♟"}
#: Outline and fill of what is drawn on a piece: thin lines, light ones on Black's.
_INNER = (SIDES[0][1], "#f6e7c8")


def assign(game: FastGame) -> Mapping[str, str]:
    """Return the picture of each letter by name; no two letters share one.

    Letters that are missing are drawn as discs.
    """
    names = {game.pawn: PAWN, game.royal: ROYAL}
    if game.pieces[game.royal] == movements.parse("WF"):
        names[game.royal] = KING
    movable = [piece for piece in NAMED if piece.name not in (KING, PAWN)]
    for own_letter in (True, False):
        for letter, movement in game.pieces.items():
            for piece in movable:
                free = letter not in names and piece.name not in names.values()
                meant = piece.letter == letter or not own_letter
                if free and meant and movement == movements.parse(piece.betza):
                    names[letter] = piece.name
    return names


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


def royal_disc(letter: str, side: int) -> str:
    """Return the disc of a royal piece."""
    ring = (
        f'<circle cx="24" cy="24" r="15" fill="none" stroke="{_INNER[side]}" stroke-width="1.6"/>'
    )
    return disc(side, letter) + ring


def figure_of(names: Mapping[str, str], letter: str) -> str:
    """Return the picture of a letter, White's in upper case."""
    side, letter = int(letter.islower()), letter.upper()
    name = names.get(letter)
    if name is None:
        return disc(side, letter)
    return royal_disc(letter, side) if name == ROYAL else figure(name, side)


def sign_of(names: Mapping[str, str], letter: str) -> str:
    """Return the Unicode sign of a letter, White's in upper case; the letter if there is none."""
    signs = _SIGNS.get(names.get(letter.upper(), ""))
    return letter if signs is None else signs[int(letter.islower())]
