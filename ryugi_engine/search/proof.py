"""A game's prover beside the search: its share of the work, in slices, and no more than that."""

from __future__ import annotations

import time

from ryugi_engine.games.game import Prover
from ryugi_engine.kernel.abi import ONGOING, Block

#: Iterations of the search before the prover gets a share: a limit or a stop comes upon their move.
FIRST_ITERATIONS = 5
#: Nodes of the look at what earlier searches have proven, before the first iteration.
_LOOK = 1_000
#: Nodes of the first slice of a search, and of the line after a proof.
_SLICE, _LINE = 4_000, 20_000
#: Seconds that a slice should take; the clock is asked after each.
_SLICE_SECONDS = 0.02


class ProofSearch:
    """One search's part of proofs. ``nodes`` and ``seconds`` are what they have cost so far."""

    def __init__(self, prover: Prover, state: Block, control: Block) -> None:
        """``control``'s first word ends a proof when it is set."""
        self._prover, self._state, self._control = prover, state, control
        self._slice = _SLICE
        self.nodes = 0
        self.seconds = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether more work would not help."""
        return self._prover.exhausted()

    def look(self, limit: int | None) -> int:
        """WON or LOST if that is known already or easy to see, else ONGOING.

        ``limit`` is the search's of nodes, of which the look takes a small part.
        """
        return self.for_nodes(_LOOK if limit is None else min(_LOOK, limit // 10))

    def for_nodes(self, nodes: int) -> int:
        """WON, LOST or ONGOING after at most so many nodes."""
        return self._prove(nodes) if nodes > 0 else ONGOING

    def for_seconds(self, seconds: float) -> int:
        """WON, LOST or ONGOING after at most so long and a slice."""
        end = self.seconds + seconds
        while (left := end - self.seconds) > 0:
            before = self.seconds
            value = self._prove(self._slice)
            if value != ONGOING or self.exhausted or self._control.words[0]:
                return value
            took = max(self.seconds - before, 1e-6)
            # how fast proofs are differs by machine, by load and by position
            wanted = self._slice * min(_SLICE_SECONDS, left) / took
            self._slice = max(_SLICE, min(int(wanted), 2 * self._slice))
        return ONGOING

    def _prove(self, nodes: int) -> int:
        began = time.perf_counter()
        value = self._prover.prove(self._state, nodes, self._control)
        self.seconds += time.perf_counter() - began
        self.nodes += self._prover.nodes
        return value

    def line(self) -> list[int]:
        """The moves of a proof, the first at least."""
        return self._prover.line(self._state, self._control, _LINE)

    def plies(self) -> int:
        """In how many plies the proven result comes about at the latest."""
        return self._prover.plies(self._state)
