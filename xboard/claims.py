"""Draws, resignation and results: when to say them, and so that they do not lose the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.core.options import Options
from ryugi_engine.games.game import Outcome
from xboard import writer

if TYPE_CHECKING:
    from ryugi_engine.core.standin import StandIn
    from ryugi_engine.games.position import Position

#: Own moves running that have to be as bad as the option says before the engine resigns.
_RESIGN_MOVES = 3
_DRAW = "1/2-1/2"
OFFER = "offer draw"


class Claims:
    """What the engine has seen of its chances, and what the opponent has offered."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._score: int | None = None
        self._hopeless = 0
        #: Whether the opponent's offer of a draw stands.
        self.offered = False

    def reset(self) -> None:
        """A new game."""
        self._score, self._hopeless, self.offered = None, 0, False

    def found(self, score: int) -> None:
        """The score of an own move, in centipawns."""
        self._score = score
        hopeless = score <= -self._options.number("Resign Score")
        self._hopeless = self._hopeless + 1 if hopeless else 0

    def resigns(self) -> bool:
        """Whether to resign instead of playing on."""
        return self._options.flag("Resign") and self._hopeless >= _RESIGN_MOVES

    def accepts(self, position: Position | StandIn) -> bool:
        """Whether to accept the opponent's offer, if there is one."""
        if not self.offered:
            return False
        outcome = position.outcome() or position.claim()
        if outcome is not None and outcome.result == _DRAW:
            return True
        return self._score is not None and self._score <= self._options.number("Draw Score")

    def claims(self, position: Position | StandIn, score: int) -> bool:
        """Whether to claim the draw that a position allows, the own move's score being known."""
        outcome = position.outcome() or position.claim()
        return outcome is not None and outcome.result == _DRAW and score <= 0


def announcement(outcome: Outcome, position: Position | StandIn, side: int, computer: bool) -> str:
    """The line that says the game is over, from the engine that plays ``side``; "" for none.

    In matches XBoard checks claims by its own rules, and a claim that it cannot confirm loses:
    own wins are left to the loser, who is always believed, and draws are offered by both sides.
    Where pieces are dropped it believes every claim of a win.
    """
    if computer and not position.game.placed:
        if outcome.result == ("1-0", "0-1")[side]:
            return ""
        if outcome.result == _DRAW and position.legal_codes():
            return OFFER
    return writer.result_line(outcome)
