"""Boards of squares with lettered pieces, as text and as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from ryugi_engine.games.drawing import (
    DARK,
    INK,
    LIGHT,
    MARKED_DARK,
    MARKED_LIGHT,
    WOOD,
    Drawing,
    Frame,
    Ink,
    disc,
)
from ryugi_engine.games.look import CHEQUERED, LINES, PLAIN, Look
from ryugi_engine.games.notation import Board

#: Height of the rows for pieces in hand above and below a board, in units.
_HANDS = 1.6
#: Width of the line between two boards.
_SEAM = 0.12


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

    @property
    def look(self) -> Look:
        """How its board is drawn."""


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
        side = None if letter is None or not letter[-1].isalpha() else int(letter.islower())
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


def hands_text(hands: Mapping[str, int], ink: Ink, sides: Sequence[str]) -> str:
    """Return the pieces in hand of both sides, ``In hand: White 2P N, Black none``."""
    texts = []
    for side, name in enumerate(sides):
        own = [
            f"{count if count > 1 else ''}{ink.sign(letter, side)}"
            for letter, count in hands.items()
            if count and letter.islower() == bool(side)
        ]
        texts.append(f"{name} {' '.join(own) or 'none'}")
    return f"In hand: {', '.join(texts)}"


def figure(letter: str, neutral: str = "") -> str:
    """Return the lettered disc of a piece, White's in upper case; ``neutral`` ones have no side."""
    return disc(None if letter in neutral else int(letter.islower()), letter.upper())


@lru_cache(maxsize=16)
def _empty_board(title: str, files: int, ranks: int, look: Look, hands: bool) -> Drawing:
    """Return squares or lines and labels, to be copied; with room for ``hands``."""
    top = 0.4 + _HANDS * hands

    def place(at: tuple[int, int]) -> tuple[float, float]:
        return 1.3 + at[0], top + ranks - 0.5 - at[1]

    bottom = top + ranks + (_HANDS if hands else 0.75)
    frame = Frame((0.8 + files / 2, top + ranks / 2), bottom, place)
    picture = Drawing(files + 1.2, bottom + 0.65, title, frame=frame)
    if look.board == CHEQUERED:
        for file in range(files):
            for rank in range(ranks):
                colour = DARK if (file + rank) % 2 == 0 else LIGHT
                picture.rectangle(0.8 + file, top + ranks - 1 - rank, 1, 1, colour)
    else:
        picture.rectangle(0.8, top, files, ranks, WOOD)
        edge = 0.0 if look.board == PLAIN else 0.5
        _draw_lines(picture, (0.8 + edge, top + edge), files - 2 * edge, ranks - 2 * edge, look)
        for low, high in look.palaces:
            (x1, y1), (x2, y2) = place(low), place(high)
            picture.line(x1, y1, x2, y2)
            picture.line(x1, y2, x2, y1)
    if look.seam:
        picture.line(0.8 + look.seam, top, 0.8 + look.seam, top + ranks, _SEAM)
    for file in range(files):
        picture.label(1.3 + file, top + ranks + 0.4, chr(ord("a") + file), "file")
    for rank in range(ranks):
        picture.label(0.4, top + ranks - 0.5 - rank, str(rank + 1), "rank")
    return picture


def _draw_lines(
    picture: Drawing, corner: tuple[float, float], width: float, height: float, look: Look
) -> None:
    """Draw lines a unit apart, those between the edges with a gap at a river."""
    x, y = corner
    banks = (height - 1) / 2, (height + 1) / 2
    for row in range(int(height) + 1):
        picture.line(x, y + row, x + width, y + row)
    for column in range(int(width) + 1):
        at = x + column
        if look.river and 0 < column < width:
            picture.line(at, y, at, y + banks[0])
            picture.line(at, y + banks[1], at, y + height)
        else:
            picture.line(at, y, at, y + height)


def _draw_hands(
    picture: Drawing, game: Sized, hands: Mapping[str, int], figure: Callable[[str], str]
) -> None:
    """Draw Black's pieces in hand above the board and White's below, with their numbers."""
    x, y = picture.frame.middle
    for side in range(2):
        held = [(p, n) for p, n in hands.items() if n and p.islower() == bool(side)]
        step = min(1.25, game.files / max(len(held), 1))
        centre = y + (game.ranks / 2 + _HANDS - 0.5) * (1 if side == 0 else -1)
        for number, (letter, count) in enumerate(held):
            left = x - game.files / 2 + number * step
            size = min(0.8, step * 0.72)
            shown = figure(letter)
            picture.figure(left, centre - size / 2, shown, size, game.look.turning)
            if count > 1:
                # as a label of both margins it has the colour of a page's text by night, too
                picture.label(left + size + 0.14, centre, str(count), "both", 0.32)


def draw(
    game: Sized,
    board: Board,
    marked: list[tuple[int, int]],
    status: str,
    figure: Callable[[str], str] = figure,
    hands: Mapping[str, int] | None = None,
) -> Drawing:
    """Return the board as a picture: squares, figures, labels and a status line.

    ``hands`` has the number of pieces of each letter in hand; None in a game without hands.
    """
    look = game.look
    picture = _empty_board(game.title, game.files, game.ranks, look, hands is not None).copy()
    top = picture.frame.middle[1] + game.ranks / 2 - 1
    for file, rank in marked:
        if look.board == LINES:
            picture.ring(1.3 + file, top - rank + 0.5, 0.47)
            continue
        dark = look.board == CHEQUERED and (file + rank) % 2 == 0
        picture.rectangle(0.8 + file, top - rank, 1, 1, MARKED_DARK if dark else MARKED_LIGHT)
        if look.board == PLAIN:
            x, y = 0.8 + file, top - rank
            picture.path(
                [((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y))], "none", INK, 0.03
            )
    figures = {letter: figure(letter) for letter in set(board.values())}
    for (file, rank), letter in sorted(board.items()):
        picture.figure(0.8 + file, top - rank, figures[letter], turns=look.turning)
    if hands is not None:
        _draw_hands(picture, game, hands, figure)
    picture.caption(0.8, picture.frame.bottom + 0.35, status)
    return picture
