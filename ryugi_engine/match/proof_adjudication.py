"""Games that are proven: a game's prover may end a match's game before the engines have."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import rules_of
from ryugi_engine.kernel.abi import ONGOING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.match.referee import WINS

_MEGABYTES = 64


class Judge:
    """Looks for proofs while no clock runs, one at a time, beside the event loop."""

    def __init__(self, game: Game, nodes: int) -> None:
        """``nodes`` are searched behind each move. UserError for a game without a prover."""
        prover = rules_of(game).prover(_MEGABYTES)
        if prover is None:
            raise UserError(f"--prove: {game.name} has no exact solver")
        self._prover, self._nodes = prover, nodes
        self._never = Block(8)
        self._thread = ThreadPoolExecutor(1, "match-proofs")

    async def outcome(self, position: Position) -> Outcome | None:
        """Return the proven result of an unfinished position; None if there is no proof."""
        state = position.copy().state
        loop = asyncio.get_running_loop()
        value = await loop.run_in_executor(
            self._thread, self._prover.prove, state, self._nodes, self._never
        )
        if value == ONGOING:
            return None
        return Outcome(WINS[position.side if value == WON else 1 - position.side], "proven")

    def close(self) -> None:
        """Stop the prover's thread."""
        self._thread.shutdown()
