"""The moves excluded from the search by ``exclude`` and ``include``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.games.game import read_move

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position


class ExcludedMoves:
    """The excluded root moves of the current position."""

    def __init__(self) -> None:
        self._excluded: set[str] = set()

    def clear(self) -> None:
        """Search all moves again: the position has changed."""
        self._excluded.clear()

    def change(self, position: Position, move: str, *, exclude: bool) -> None:
        """Exclude or include a move of the position, or ``all``.

        Raises IllegalMove if the move is not legal.
        """
        if move.lower() == "all":
            moves = set(position.legal_moves())
        else:
            moves = {position.move_text(position.parse_move(read_move(move)))}
        self._excluded = self._excluded | moves if exclude else self._excluded - moves

    def remaining(self, position: Position) -> list[str] | None:
        """Return the moves to search: [] for all, None if every move is excluded."""
        if not self._excluded:
            return []
        return [m for m in position.legal_moves() if m not in self._excluded] or None
