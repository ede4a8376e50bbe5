"""XBoard after a ``setboard`` of the engine: it ends its game, says so, and plays on all the same.

The words come back as if the user had said them: ``result * {...}``, ``force``, ``ping N``. Until
the ping has been answered XBoard hears nothing of a game.
"""

from __future__ import annotations

import time

from ryugi_engine.core.conversation import Wire
from ryugi_engine.games.game import Game
from xboard.setup import piece_lines

#: XBoard reacts within that time, or if it takes long to begin, soon after the ping. Later the
#: user means what is said.
_CORRECTION_SECONDS, _REACTION_SECONDS = 5.0, 0.5


class Correction:
    """The time in which XBoard gets over a correction, and what it could not hear meanwhile."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._until = 0.0
        self._held: list[str] = []

    def show(self, text: str, game: Game) -> None:
        """Make XBoard show a position text, and go on with the game's pieces."""
        self._wire.write(f"setboard {text}", *piece_lines(game))
        self._until = time.monotonic() + _CORRECTION_SECONDS

    @property
    def reacting(self) -> bool:
        """Whether what XBoard says of its game is a reaction that its user knows nothing of."""
        return self._until > time.monotonic()

    def over(self) -> None:
        """The game goes on: what is said from here on is meant."""
        self._until = 0.0

    def forget(self) -> None:
        """A new game: what was to be said of the old one need not be."""
        self._held.clear()

    def say(self, line: str) -> None:
        """Write a line as soon as XBoard hears it."""
        if self.reacting:
            self._held.append(line)
        else:
            self._wire.write(line)

    def answered(self) -> None:
        """A ping has been answered."""
        if self._until:
            self._until = time.monotonic() + _REACTION_SECONDS
        held, self._held = self._held, []
        self._wire.write(*held)
