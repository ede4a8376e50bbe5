"""Trace of a check: the step, position and kernel at hand.

Kernels are machine code: a wrong write ends the process, an endless loop cannot be interrupted.
Whoever watches from outside names the kernel that was traced last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import Kernels


class Tracer:
    """Records the progress of a check; this one keeps nothing."""

    def step(self, name: str) -> None:
        """Record the start of something that takes long: compiling, a search, a perft."""

    def at(self, text: str) -> None:
        """Record the position at hand."""

    def call(self, kernel: str) -> None:
        """Record the call of a kernel."""

    def fault(self, line: str) -> None:
        """Record a fault."""

    # ---- positions with traced kernels ------------------------------------------------------

    def position(self, game: Game, text: str) -> Position:
        """Return a position whose kernels are traced. Raises UserError for a faulty text."""
        self.call("new_state")
        position = Position(game, text, unchecked=True)
        kernels = position.kernels._asdict().items()
        position.kernels = Kernels(*(self._traced(name, kernel) for name, kernel in kernels))
        return position

    def _traced(self, name: str, kernel: Callable[..., int]) -> Any:
        def call(*arguments: int) -> int:
            self.call(name)
            return kernel(*arguments)

        return call
