"""Turn order: in the GUI the sides alternate, in the game they need not.

In Gomoku Roku the track decides who moves, so that a side may play several turns in a row; the GUI
then needs passes. XBoard also lets White begin every game and makes its user White after a
correction: its White can be the game's Black.
"""

from __future__ import annotations

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Outcome

_EXCHANGED = {"1-0": "0-1", "0-1": "1-0"}


class TurnOrder:
    """Whose turn it is in the GUI; sides are 0 and 1 in the GUI's colours."""

    def __init__(self) -> None:
        #: Whether the GUI's White is the game's Black.
        self.mirrored = False
        self._first = 0
        # moves of the position per move of the GUI's game: 0 for a forced pass
        self._plies: list[int] = []

    def begin(self, first: int, *, mirrored: bool = False) -> None:
        """Begin a game in which the GUI has side ``first`` to move."""
        self._first, self.mirrored = first, mirrored
        self._plies.clear()

    @property
    def side(self) -> int:
        """The side to move in the GUI."""
        return (self._first + len(self._plies)) % 2

    @property
    def at_start(self) -> bool:
        """Whether the GUI's game has no move yet."""
        return not self._plies

    @property
    def made(self) -> int:
        """Number of moves that the side to move has made."""
        return len(self._plies) // 2

    def add(self, count: int) -> None:
        """Add a move of the GUI's game that consists of ``count`` moves of the position."""
        self._plies.append(count)

    def take_back(self, count: int) -> int:
        """Remove ``count`` moves of the GUI; return the number of the position's moves among them.

        Raises UserError if the GUI's game has fewer.
        """
        if len(self._plies) < count:
            raise UserError("there is no move to take back")
        taken = self._plies[len(self._plies) - count :]
        del self._plies[len(self._plies) - count :]
        return sum(taken)

    def gui_colour(self, side: int) -> int:
        """Convert a side of the position to the GUI's colours, or back."""
        return side ^ self.mirrored

    def gui_text(self, text: str, *, exchanged: bool) -> str:
        """Return a position text in the GUI's colours and with the GUI's side to move.

        ``exchanged``: whether the game's colours may be exchanged, see ``Game.corrected``.
        """
        if not exchanged:
            return text
        fields = text.split()
        if self.mirrored:
            fields[0] = fields[0].swapcase()
        if len(fields) > 1:
            fields[1] = "wb"[self.side]
        return " ".join(fields)

    def gui_result(self, outcome: Outcome) -> Outcome:
        """Return an outcome with the winner's colour as XBoard calls the side."""
        if not self.mirrored:
            return outcome
        result = _EXCHANGED.get(outcome.result, outcome.result)
        return Outcome(result, outcome.reason, outcome.claimed)
