"""How a board of squares is drawn."""

from __future__ import annotations

from typing import NamedTuple

#: Squares of two colours, squares of one, or lines on whose crossings the pieces stand.
CHEQUERED, PLAIN, LINES = BOARDS = ("chequered", "plain", "lines")
#: A square, (file, rank) from 0.
Square = tuple[int, int]


class Look(NamedTuple):
    """How a board is drawn."""

    board: str = CHEQUERED
    #: Whether lines stop in the middle of the board.
    river: bool = False
    #: Two opposite corners of each square with diagonals.
    palaces: tuple[tuple[Square, Square], ...] = ()
    #: Whether pieces point somewhere, and turn with the board.
    turning: bool = False
    #: Files left of a thick line between two boards; 0 for one board.
    seam: int = 0


#: That of a game that asks for none.
USUAL = Look()
