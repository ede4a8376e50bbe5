"""Iterations: a search one ply deeper each time, by windows around the score before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ryugi_engine.games.position import Position
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.budget import Iteration, factor
from ryugi_engine.search.clock import Clock
from ryugi_engine.search.proof import ProofSearch
from ryugi_engine.search.report import Report, Result, Score, Told
from ryugi_engine.search.root import search_root
from ryugi_engine.search.worker import Worker

#: Below this many seconds of search an iteration is not announced as fail high or low.
_BOUND_REPORT = 3.0
#: Iterations that a move without a choice has, for the score and the answer to ponder on.
_FORCED_DEPTH = 4


class _Line(NamedTuple):
    """What one root call of an iteration found."""

    value: int
    move: int
    codes: list[int]


def search_window(
    worker: Worker,
    depth: int,
    score: int,
    first: int = 0,
    on_bound: Callable[[int, str], None] | None = None,
) -> int:
    """One iteration with a window around the last score, widened until it holds.

    ``first`` is the place among the root moves from which on they are searched; ``on_bound`` is
    told the value and ``upperbound`` or ``lowerbound`` when the window is missed.
    """
    window = P.WINDOW if depth >= P.WINDOW_DEPTH else L.INFINITE
    alpha, beta = max(score - window, -L.INFINITE), min(score + window, L.INFINITE)
    while True:
        value = search_root(worker.block.address, depth, alpha, beta, first, 1)
        if worker.aborted:
            return value
        window *= P.WINDOW_GROWTH
        if window > P.WINDOW_LIMIT:
            window = 2 * L.INFINITE
        if value <= alpha and alpha > -L.INFINITE:
            beta = (alpha + beta) // 2
            alpha = max(value - window, -L.INFINITE)
            bound = "upperbound"
        elif value >= beta and beta < L.INFINITE:
            beta = min(value + window, L.INFINITE)
            bound = "lowerbound"
        else:
            return value
        if on_bound is not None:
            on_bound(value, bound)


def help_search(worker: Worker, clock: Clock, number: int) -> None:
    """A helper thread: the same iterations, every other one a ply deeper (lazy SMP)."""
    score = 0
    for depth in range(1 + number % 2, L.MAX_PLY):
        score = search_window(worker, depth, score)
        if worker.aborted or clock.stopped:
            return


@dataclass
class Deepening:
    """One search's iterations by its main thread."""

    main: Worker
    #: The position that is searched, ours to walk along lines.
    position: Position
    clock: Clock
    told: Told
    #: Lines that are asked for.
    multipv: int
    #: The game's prover, where its proofs answer what is asked.
    proofs: ProofSearch | None
    #: Nodes that the main thread and proofs may have together; None for any number.
    allowance: int | None
    #: Nodes of all threads and of proofs so far.
    nodes: Callable[[], int]
    #: How full the table is, in thousandths.
    hashfull: Callable[[], int]

    def __post_init__(self) -> None:
        self._count = int(self.main.seen["root_count"])
        self._multipv = min(self.multipv, self._count)
        self._scores = [0] * self._multipv
        self._last_best = self._stable = 0

    def run(self) -> Result:
        """Search deeper until the limits, the clock or a proof end it."""
        main, position, proofs = self.main, self.position, self.proofs
        result = Result(best=position.move_text(int(main.seen["root_moves"][0])))
        deepest = min(self.clock.limits.depth or L.MAX_PLY - 1, L.MAX_PLY - 1)
        for depth in range(1, deepest + 1):
            if self.clock.stopped and depth > 1:
                break
            if proofs is not None:
                nodes = self.nodes()
                proven = proofs.before(depth, position, self.clock, main.nodes, nodes)
                if proven is not None:
                    found = self.report(depth, 0, proven.score, proven.line)
                    self.told.iteration([found], self._multipv)
                    return proven
                if proofs.exhausted:
                    proofs = None
            if not self._may_count():
                break
            result = self._iterate(depth) or result
            if main.aborted:
                break
            if depth == 1 and position.game.beam and self._multipv == 1:
                main.sort_roots()
            if self._enough(self._seen(depth)):
                break
        return result

    def _may_count(self) -> bool:
        """Whether the limit leaves the main thread a node; tells it how many."""
        if self.allowance is None:
            return True
        allowed = self.allowance - (self.proofs.nodes if self.proofs else 0)
        self.main.seen["given"]["node_limit"] = max(1, allowed)
        return allowed > self.main.nodes

    def _iterate(self, depth: int) -> Result | None:
        """Search all lines at a depth and tell them; what the best says, None if there is none."""
        main, position = self.main, self.position
        found = self._search_lines(depth)
        # a later line may turn out better than an earlier one: the best comes first
        found.sort(key=lambda line: -line.value)
        reports = []
        for number, line in enumerate(found):
            self._scores[number] = line.value
            main.seen["root_moves"][number] = line.move
            score = Score.of(line.value)
            reports.append(self.report(depth, number, score, *position.line(line.codes)))
        self.told.iteration(reports, self._multipv)
        if not reports:
            return None
        best = reports[0]
        return Result(best.pv[0], best.ponder, best.score, depth)

    def _search_lines(self, depth: int) -> list[_Line]:
        main = self.main
        seen = main.seen
        seen["best_changes"] = 0
        found: list[_Line] = []
        for line in range(self._multipv):
            seen["seldepth"] = 0
            seen["pv_length"][0] = 0

            def on_bound(value: int, bound: str, line: int = line) -> None:
                if self.clock.seconds > _BOUND_REPORT:
                    pv, ponder = self.position.line(main.line())
                    self.told(self.report(depth, line, Score.of(value, bound), pv, ponder))

            value = search_window(main, depth, self._scores[line], line, on_bound)
            if main.line():
                if main.aborted:
                    value = int(seen["root_score"])
                found.append(_Line(value, int(seen["root_moves"][line]), main.line()))
            if main.aborted:
                break
        return found

    def _seen(self, depth: int) -> Iteration:
        """What the iteration that has just ended has shown."""
        best = int(self.main.seen["root_moves"][0])
        self._stable = self._stable + 1 if best == self._last_best else 0
        self._last_best = best
        changes = int(self.main.seen["best_changes"])
        return Iteration(depth, self._scores[0], self._stable, changes)

    def _enough(self, seen: Iteration) -> bool:
        """Whether to leave it at the last iteration."""
        limits = self.clock.limits
        mating = abs(seen.value) > L.MATE_BOUND
        plies = L.MATE - abs(seen.value)
        if limits.mate is not None and mating and seen.value > 0:
            if (plies + 1) // 2 <= limits.mate:
                return True
        if self.clock.budget is None or limits.infinite:
            return False
        if mating and seen.depth > 2 * plies:
            return True
        if limits.move_time is None and self._count == 1 and seen.depth >= _FORCED_DEPTH:
            return True
        return self.clock.spent(factor(seen))

    def report(
        self, depth: int, line: int, score: Score, pv: list[str], ponder: str = ""
    ) -> Report:
        """The search as it stands, with a line from 0."""
        return Report(
            depth=depth,
            seldepth=max(depth, int(self.main.seen["seldepth"])),
            multipv=line + 1,
            score=score,
            nodes=self.nodes(),
            seconds=max(self.clock.searched, 1e-6),
            hashfull=self.hashfull(),
            pv=pv,
            ponder=ponder,
        )
