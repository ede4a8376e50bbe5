"""When to offer or claim a draw, resign and announce a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ryugi_engine.core.options import Options
from ryugi_engine.games.game import Outcome
from xboard import writer

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position

#: Consecutive own moves with a score below the resign score before the engine resigns.
_RESIGN_MOVES = 3
_DRAW = "1/2-1/2"
OFFER = "offer draw"


class Claims:
    """Scores and draw offers, by which the engine resigns, accepts and claims draws."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._score: int | None = None
        self._moves_below = 0
        #: Whether the opponent's draw offer is open.
        self.offered = False

    def reset(self) -> None:
        """Begin a new game."""
        self._score, self._moves_below, self.offered = None, 0, False

    def add_score(self, score: int) -> None:
        """Record the score of the engine's own move, in centipawns."""
        self._score = score
        below = score <= -self._options.number("Resign Score")
        self._moves_below = self._moves_below + 1 if below else 0

    def resigns(self) -> bool:
        """Return whether to resign."""
        return self._options.flag("Resign") and self._moves_below >= _RESIGN_MOVES

    def accepts(self, position: Position) -> bool:
        """Return whether to accept the opponent's draw offer, if there is one."""
        if not self.offered:
            return False
        outcome = position.outcome() or position.claim()
        if outcome is not None and outcome.result == _DRAW:
            return True
        return self._score is not None and self._score <= self._options.number("Draw Score")

    def claims(self, position: Position, score: int) -> bool:
        """Return whether to claim a draw; ``score`` is that of the engine's move, centipawns."""
        outcome = position.outcome() or position.claim()
        return outcome is not None and outcome.result == _DRAW and score <= 0


def announcement(outcome: Outcome, position: Position, side: int, computer: bool) -> str:
    """Return the line that announces the result; "" for none. The engine plays ``side``.

    In engine matches XBoard checks claims by its own rules, and a claim that it cannot confirm
    loses the game. So the loser announces a win (XBoard always accepts that), and both sides offer
    a draw. In games with drops XBoard accepts every claim of a win.
    """
    if computer and not position.game.placed:
        if outcome.result == ("1-0", "0-1")[side]:
            return ""
        if outcome.result == _DRAW and position.legal_codes():
            return OFFER
    return writer.result_line(outcome)
