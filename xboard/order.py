"""Two orders of turns: the GUI's, which alternates, and the game's, which need not.

In a game with a track a side may play several turns running; the sides differ when one has to
pass. XBoard also lets White begin every game, and its user be White after a correction: then its
White can be the game's Black.
"""

from __future__ import annotations

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Outcome

_EXCHANGED = {"1-0": "0-1", "0-1": "1-0"}


class Order:
    """Whose turn it is in the GUI; sides are 0 and 1 in the GUI's colours."""

    def __init__(self) -> None:
        #: Whether the GUI's White is the game's Black.
        self.mirrored = False
        self._first = 0
        # moves of the position for every move of the GUI's game: 0 for a forced pass
        self._plies: list[int] = []

    def begin(self, first: int, *, mirrored: bool = False) -> None:
        """The GUI begins to count its moves with ``first`` to move."""
        self._first, self.mirrored = first, mirrored
        self._plies.clear()

    @property
    def side(self) -> int:
        """The side that the GUI holds to be on move."""
        return (self._first + len(self._plies)) % 2

    @property
    def untouched(self) -> bool:
        """Whether the GUI has seen no move since it began to count."""
        return not self._plies

    @property
    def made(self) -> int:
        """Moves that the side to move has made."""
        return len(self._plies) // 2

    def moved(self, count: int) -> None:
        """A move of the GUI's game, by so many moves of the position."""
        self._plies.append(count)

    def take_back(self, count: int) -> int:
        """How many moves of the position go with so many of the GUI's; UserError if none do."""
        if len(self._plies) < count:
            raise UserError("there is no move to take back")
        taken = self._plies[len(self._plies) - count :]
        del self._plies[len(self._plies) - count :]
        return sum(taken)

    def gui_colour(self, side: int) -> int:
        """A side of the position in the GUI's colours; the other way round too."""
        return side ^ self.mirrored

    def gui_text(self, text: str, *, placed: bool) -> str:
        """A position text in the GUI's colours; where pieces are placed with its side on move."""
        if not placed:
            return text
        fields = text.split()
        if self.mirrored:
            fields[0] = fields[0].swapcase()
        if len(fields) > 1:
            fields[1] = "wb"[self.side]
        return " ".join(fields)

    def gui_result(self, outcome: Outcome) -> Outcome:
        """An outcome in the GUI's colours."""
        if not self.mirrored:
            return outcome
        result = _EXCHANGED.get(outcome.result, outcome.result)
        return Outcome(result, outcome.reason, outcome.claimed)
