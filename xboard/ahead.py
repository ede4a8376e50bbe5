"""Moves on the session's board that the GUI knows nothing of: they may have to go again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.core.session import Session
from ryugi_engine.games.game import IllegalMove

if TYPE_CHECKING:
    from ryugi_engine.core.standin import StandIn
    from ryugi_engine.games.position import Position


class Ahead:
    """Own moves of a turn that is not over yet, or the opponent's move that is pondered on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._series = 0
        #: The move that is pondered on; "" for none.
        self.expected = ""

    @property
    def _position(self) -> Position | StandIn:
        return self._session.board

    def expect(self, move: str) -> bool:
        """Play the opponent's probable move; not one that is illegal or ends the game."""
        try:
            self._position.push(move)
        except IllegalMove:
            return False
        if self._position.outcome() is not None:
            self._position.pop()
            return False
        self.expected = move
        return True

    def own(self) -> None:
        """An own move has been made, and the turn goes on."""
        self._series += 1

    def turn(self) -> int:
        """The GUI is going to be told of the turn, its last move included: of how many moves."""
        count, self._series = self._series + 1, 0
        return count

    def take_back_own(self) -> None:
        """What the GUI has not been told of has not been made."""
        for _ in range(self._series):
            self._position.pop()
        self._series = 0

    def take_back(self) -> None:
        """Leave the board as the GUI knows it."""
        if self.expected:
            self._position.pop()
            self.expected = ""
        self.take_back_own()
