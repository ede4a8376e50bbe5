"""Boards of squares with lettered pieces, as text and as pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from ryugi_engine.games.drawing import (
    DARK,
    LIGHT,
    MARKED_DARK,
    MARKED_LIGHT,
    Drawing,
    Frame,
    Ink,
    disc,
)
from ryugi_engine.games.notation import Board


class Sized(Protocol):
    """A Game, or its definition: a board's size and a title."""

    @property
    def title(self) -> str:
        """The game's display name."""

    @property
    def files(self) -> int:
        """Number of files."""

    @property
    def ranks(self) -> int:
        """Number of ranks."""


def letter_sign(letter: str) -> str:
    """Return a piece's sign in a terminal: the letter itself."""
    return letter


def board_text(
    game: Sized,
    board: Board,
    marked: list[tuple[int, int]],
    status: str,
    ink: Ink,
    sign: Callable[[str], str] = letter_sign,
) -> str:
    """Return the board as framed letters, White's in upper case, and a status line.

    ``sign`` returns the Unicode sign of a letter, for an ink that has them.
    """

    def cell(file: int, rank: int) -> str:
        letter = board.get((file, rank))
        side = None if letter is None else int(letter.islower())
        shown = sign(letter) if letter and ink.unicode else letter or " "
        return ink.cell(shown, side, (file, rank) in marked)

    files, ranks = range(game.files), range(game.ranks - 1, -1, -1)
    if ink.turned:
        files, ranks = files[::-1], ranks[::-1]
    line = " +" + "---+" * game.files
    rows = [line]
    for rank in ranks:
        cells = (cell(file, rank) for file in files)
        rows += [" |" + "|".join(cells) + f"| {rank + 1}", line]
    rows.append("   " + "   ".join(chr(ord("a") + file) for file in files))
    return "\n".join([*rows, "", status])


def figure(letter: str, neutral: str = "") -> str:
    """Return the lettered disc of a piece, White's in upper case; ``neutral`` are nobody's."""
    return disc(None if letter in neutral else int(letter.islower()), letter.upper())


@lru_cache(maxsize=16)
def _empty_board(title: str, files: int, ranks: int) -> Drawing:
    """Return squares and labels, to be copied."""

    def place(at: tuple[int, int]) -> tuple[float, float]:
        return 1.3 + at[0], ranks - 0.1 - at[1]

    frame = Frame((0.8 + files / 2, 0.4 + ranks / 2), ranks + 1.15, place)
    picture = Drawing(files + 1.2, ranks + 1.8, title, frame=frame)
    for file in range(files):
        for rank in range(ranks):
            colour = DARK if (file + rank) % 2 == 0 else LIGHT
            picture.rectangle(0.8 + file, ranks - 0.6 - rank, 1, 1, colour)
    for file in range(files):
        picture.label(1.3 + file, ranks + 0.8, chr(ord("a") + file), "file")
    for rank in range(ranks):
        picture.label(0.4, ranks - 0.1 - rank, str(rank + 1), "rank")
    return picture


def draw(
    game: Sized,
    board: Board,
    marked: list[tuple[int, int]],
    status: str,
    figure: Callable[[str], str] = figure,
) -> Drawing:
    """Return the board as a picture: squares, figures, labels and a status line."""
    picture = _empty_board(game.title, game.files, game.ranks).copy()
    top = game.ranks - 0.6
    for file, rank in marked:
        colour = MARKED_DARK if (file + rank) % 2 == 0 else MARKED_LIGHT
        picture.rectangle(0.8 + file, top - rank, 1, 1, colour)
    figures = {letter: figure(letter) for letter in set(board.values())}
    for (file, rank), letter in sorted(board.items()):
        picture.figure(0.8 + file, top - rank, figures[letter])
    picture.caption(0.8, game.ranks + 1.5, status)
    return picture
