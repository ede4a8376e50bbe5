"""What a check of a game is doing, told while it does it.

Kernels are machine code: one that writes where it should not ends the process, and one that does
not end cannot be interrupted. Whoever looks on from outside knows what it was by what was told
last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import Kernels


class Witness:
    """Is told what a check does; this one keeps nothing."""

    def step(self, name: str) -> None:
        """Begin something that takes long: compiling, a search, a perft."""

    def at(self, text: str) -> None:
        """Come to a position."""

    def call(self, kernel: str) -> None:
        """Call a kernel."""

    def fault(self, line: str) -> None:
        """Find a fault."""

    # ---- positions whose kernels are told ---------------------------------------------------

    def position(self, game: Game, text: str) -> Position:
        """Set up a position each of whose calls of a kernel is told. UserError for a bad text."""
        self.call("new_state")
        position = Position(game, text)
        told = (self._telling(name, call) for name, call in position.kernels._asdict().items())
        position.kernels = Kernels(*told)
        return position

    def _telling(self, name: str, function: Callable[..., int]) -> Any:
        def call(*arguments: int) -> int:
            self.call(name)
            return function(*arguments)

        return call
