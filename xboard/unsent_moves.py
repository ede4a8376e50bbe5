"""Moves on the session's board that the GUI has not been sent and that may be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.core.session import Session
from ryugi_engine.games.game import IllegalMove

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position


class UnsentMoves:
    """The engine's moves of an unfinished turn, or the ponder move."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._own = 0
        #: The opponent's move that is pondered on, "" for none.
        self.ponder_move = ""

    @property
    def _position(self) -> Position:
        return self._session.position

    def play_ponder_move(self, move: str) -> bool:
        """Play the ponder move; return False if it is illegal or ends the game."""
        try:
            self._position.push(move)
        except IllegalMove:
            return False
        if self._position.outcome() is not None:
            self._position.pop()
            return False
        self.ponder_move = move
        return True

    def add_own(self) -> None:
        """Count an engine move after which the engine moves again."""
        self._own += 1

    def finish_turn(self) -> int:
        """End the turn, which is sent to the GUI; return its number of moves, the last included."""
        count, self._own = self._own + 1, 0
        return count

    def take_back_own(self) -> None:
        """Take back the engine's moves that were not sent."""
        for _ in range(self._own):
            self._position.pop()
        self._own = 0

    def take_back(self) -> None:
        """Restore the position that the GUI knows."""
        if self.ponder_move:
            self._position.pop()
            self.ponder_move = ""
        self.take_back_own()
