"""A game's prover during the search: it gets a share of the time or nodes, in slices."""

from __future__ import annotations

import time

from ryugi_engine.games.game import Prover, Rules
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import ONGOING, WON
from ryugi_engine.kernel.block import Block
from ryugi_engine.search import layout as L
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.report import Result, Score

#: Iterations of the search before the prover gets its share.
FIRST_ITERATIONS = 5
#: Nodes of the first look, before iteration 1, which finds what earlier searches proved.
_FIRST_LOOK = 1_000
#: Nodes of a search's first slice, and for the principal variation after a proof.
_SLICE, _LINE = 4_000, 20_000
#: Target seconds of a slice; the clock is checked after each.
_SLICE_SECONDS = 0.02


class ProofSearch:
    """The prover's part of one search. ``nodes`` and ``seconds`` are its cost so far."""

    def __init__(self, prover: Prover, state: Block, control: Block) -> None:
        """``control`` is the block whose first word stops a proof when set."""
        self._prover, self._state, self._control = prover, state, control
        self._slice = _SLICE
        self.nodes = 0
        self.seconds = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether more nodes cannot help."""
        return self._prover.exhausted()

    def before(
        self, depth: int, position: Position, clock: SearchClock, searched: int, counted: int
    ) -> Result | None:
        """Run the prover before the iteration of this depth; return the result if proven.

        Before depth 1 it takes a first look. After FIRST_ITERATIONS it gets as much time as the
        search has used, or as many nodes if there is no clock. ``searched`` are the main thread's
        nodes, ``counted`` those that the node limit counts.
        """
        if depth == 1:
            value = self.look(clock.limits.nodes)
        elif depth <= FIRST_ITERATIONS:
            return None
        elif (allowed := clock.budget) is not None:
            spent = clock.seconds
            # half of the remaining time belongs to the next iteration
            value = self.for_seconds(min(spent - 2 * self.seconds, (allowed.soft - spent) / 2))
        else:
            nodes = searched - self.nodes
            if clock.limits.nodes is not None:
                nodes = min(nodes, clock.limits.nodes - counted)
            value = self.for_nodes(nodes)
        return None if value == ONGOING else self._result(position, won=value == WON)

    def _result(self, position: Position, *, won: bool) -> Result | None:
        moves = self.line()
        if not moves:
            return None
        plies = self.plies()
        score = Score.of(L.MATE - plies if won else plies - L.MATE)
        line, ponder = position.line(moves[: L.MAX_PLY])
        return Result(line[0], ponder, score, len(line), 0, line)

    def look(self, limit: int | None) -> int:
        """Return WON or LOST if known or easily proven, else ONGOING.

        Takes at most a tenth of ``limit``, the node limit of the search.
        """
        return self.for_nodes(_FIRST_LOOK if limit is None else min(_FIRST_LOOK, limit // 10))

    def for_nodes(self, nodes: int) -> int:
        """Return WON, LOST or ONGOING after at most ``nodes`` nodes."""
        return self._prove(nodes) if nodes > 0 else ONGOING

    def for_seconds(self, seconds: float) -> int:
        """Return WON, LOST or ONGOING after at most ``seconds`` and one slice."""
        end = self.seconds + seconds
        while (left := end - self.seconds) > 0:
            before = self.seconds
            value = self._prove(self._slice)
            if value != ONGOING or self.exhausted or self._control.words[0]:
                return value
            took = max(self.seconds - before, 1e-6)
            # the speed differs by machine, load and position
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
        """Return the principal variation of a proof: at least its first move."""
        return self._prover.line(self._state, self._control, _LINE)

    def plies(self) -> int:
        """Return the number of plies after which the proven result is reached at the latest."""
        return self._prover.plies(self._state)


class KeptProver:
    """Keeps the last game's prover and its table from one search to the next."""

    def __init__(self) -> None:
        #: The rules of the game whose prover it is; None before the first one.
        self.rules: Rules | None = None
        self._prover: Prover | None = None

    @property
    def present(self) -> bool:
        """Whether the game has a prover."""
        return self._prover is not None

    def get_ready(self, rules: Rules, megabytes: float) -> None:
        """Create the prover of a game, if it has one, with an empty table of a maximum size."""
        self._prover = rules.prover(megabytes)
        self.rules = rules

    def clear(self) -> None:
        """Clear the prover's table."""
        if self._prover is not None:
            self._prover.clear()

    def search(self, position: Position, control: Block) -> ProofSearch | None:
        """Return the prover's part in a search, None if the position does not suit it."""
        if self._prover is None or not self._prover.is_promising(position.state):
            return None
        return ProofSearch(self._prover, position.state, control)
