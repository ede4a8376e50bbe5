"""Correcting XBoard's board by ``setboard``, and XBoard's reaction to that.

XBoard ends its game and sends ``result * {...}``, ``force`` and ``ping N`` as if the user had; it
then goes on with the game. Until the ping is answered it ignores lines about the game.
"""

from __future__ import annotations

import time

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.games.game import Game
from xboard.setup import piece_lines

#: Seconds after the correction, and after the ping's answer, in which XBoard's commands count as
#: its reaction. Later commands come from the user.
_RESYNC_SECONDS, _REACTION_SECONDS = 5.0, 0.5


class Resync:
    """Corrects XBoard's board; holds lines back until XBoard accepts them again."""

    def __init__(self, connection: GuiConnection) -> None:
        self._connection = connection
        self._until = 0.0
        self._held: list[str] = []

    def send_board(self, text: str, game: Game) -> None:
        """Send ``setboard`` with a position text, then the piece definitions again."""
        self._connection.write(f"setboard {text}", *piece_lines(game))
        self._until = time.monotonic() + _RESYNC_SECONDS

    @property
    def reacting(self) -> bool:
        """Whether XBoard's commands are its reaction to a correction, not the user's."""
        return self._until > time.monotonic()

    def finish(self) -> None:
        """End the resynchronisation: later commands come from the user."""
        self._until = 0.0

    def drop_held_lines(self) -> None:
        """Drop the lines of an old game."""
        self._held.clear()

    def write(self, line: str) -> None:
        """Write a line as soon as XBoard accepts it."""
        if self.reacting:
            self._held.append(line)
        else:
            self._connection.write(line)

    def on_pong(self) -> None:
        """Write the held lines: a ping has been answered."""
        if self._until:
            self._until = time.monotonic() + _REACTION_SECONDS
        held, self._held = self._held, []
        self._connection.write(*held)
