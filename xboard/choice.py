"""Moves that the GUI has excluded from a search: ``exclude`` and ``include``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.games.game import read_move

if TYPE_CHECKING:
    from ryugi_engine.core.standin import StandIn
    from ryugi_engine.games.position import Position


class Choice:
    """The moves of a position that are searched."""

    def __init__(self) -> None:
        self._excluded: set[str] = set()

    def clear(self) -> None:
        """Another position: all moves are searched."""
        self._excluded.clear()

    def change(self, position: Position | StandIn, move: str, *, exclude: bool) -> None:
        """Exclude a move of the position, or include it, or ``all``; IllegalMove if it has none."""
        if move.lower() == "all":
            moves = set(position.legal_moves())
        else:
            moves = {position.move_text(position.parse_move(read_move(move)))}
        self._excluded = self._excluded | moves if exclude else self._excluded - moves

    def moves(self, position: Position | StandIn) -> list[str] | None:
        """The moves that are not excluded: [] for all; None if there is none."""
        if not self._excluded:
            return []
        return [m for m in position.legal_moves() if m not in self._excluded] or None
