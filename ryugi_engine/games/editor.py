"""The interface of editors: position texts changed piece by piece, as a person sets up a position.

A text may be illegal in between: only :meth:`Rules.new_state` says whether a position is legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ryugi_engine.games.drawing import Drawing

Hands = tuple[Mapping[str, int], Mapping[str, int]]


class Editor(Protocol):
    """A position text that is being changed. UserError for a change that makes no sense."""

    @property
    def side(self) -> int:
        """Side to move: 0 White, 1 Black."""

    def palette(self) -> list[str]:
        """Return the pieces that :meth:`put` takes; White's in upper case, shapes by letter."""

    def put(self, piece: str, cell: str) -> None:
        """Put a piece on a place. A shape is named as in moves, its letter in its side's case."""

    def erase(self, cell: str) -> None:
        """Remove the piece on a place, if there is one."""

    def hold(self, piece: str, by: int) -> None:
        """Add ``by`` pieces to a hand, the letter in its side's case."""

    def turn(self, side: int) -> None:
        """Let a side move."""

    def clear(self) -> None:
        """Empty the board."""

    def letters(self) -> dict[tuple[int, int], str]:
        """Return the letters on places."""

    def hands(self) -> Hands:
        """Return White's and Black's pieces in hand that :meth:`hold` changes, 0 included."""

    def text(self) -> str:
        """Return the position text, which may be illegal."""

    def draw(self) -> Drawing:
        """Return the picture, of the size and places of :meth:`Rules.draw`."""
