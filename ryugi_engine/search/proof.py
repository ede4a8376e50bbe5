"""A game's prover beside the search: its share of the work, in slices, and no more than that."""

from __future__ import annotations

import time

from ryugi_engine.games.game import Prover, Rules
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import ONGOING, WON, Block
from ryugi_engine.search import layout as L
from ryugi_engine.search.clock import Clock
from ryugi_engine.search.report import Result, Score

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

    def before(
        self, depth: int, position: Position, clock: Clock, searched: int, counted: int
    ) -> Result | None:
        """The proven result, if it is found before the search's iteration of this depth.

        At first it only looks; after some iterations it gets as much time as the search has had,
        or as many nodes where no clock runs. ``searched`` are the main thread's nodes, ``counted``
        all that the limit counts.
        """
        if depth == 1:
            value = self.look(clock.limits.nodes)
        elif depth <= FIRST_ITERATIONS:
            return None
        elif (allowed := clock.budget) is not None:
            spent = clock.seconds
            # what is left of the time is also the next iteration's
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


class KeptProver:
    """The prover of the rules that were searched last, with what it has found out."""

    def __init__(self, megabytes: int) -> None:
        """``megabytes`` is the size of its table at most."""
        self._megabytes = megabytes
        self._rules: Rules | None = None
        self._prover: Prover | None = None

    def get_ready(self, rules: Rules) -> None:
        """Make the prover of a game, if it has one."""
        if self._rules is not rules:
            self._prover = rules.prover(self._megabytes)
            self._rules = rules

    def resize(self, megabytes: int) -> None:
        """Another, empty table: now, not in the next move's time."""
        self._megabytes = megabytes
        if self._rules is not None:
            self._prover = self._rules.prover(megabytes)

    def clear(self) -> None:
        """Forget everything."""
        if self._prover is not None:
            self._prover.clear()

    def search(self, position: Position, control: Block) -> ProofSearch | None:
        """The prover's part in the search of a position that it is good for, else None."""
        self.get_ready(position.rules)
        if self._prover is None or not self._prover.is_promising(position.state):
            return None
        return ProofSearch(self._prover, position.state, control)
