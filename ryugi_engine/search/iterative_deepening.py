"""Iterative deepening with aspiration windows, MultiPV and lazy SMP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ryugi_engine.games.position import Position
from ryugi_engine.search import aspiration
from ryugi_engine.search import layout as L
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.proof_search import ProofSearch
from ryugi_engine.search.report import Report, Reporter, Result, Score
from ryugi_engine.search.root import search_root
from ryugi_engine.search.saturation import unsaturated
from ryugi_engine.search.tablebase import RootProbe
from ryugi_engine.search.time_management import Iteration, soft_limit_factor
from ryugi_engine.search.worker import Worker

#: Seconds of search after which fail highs and fail lows are reported.
_BOUND_SECONDS = 3.0
#: Iterations of a forced move, for its score and the ponder move.
_FORCED_DEPTH = 4


class _Line(NamedTuple):
    """The result of one root search of an iteration."""

    value: int
    move: int
    codes: list[int]


def aspiration_search(
    worker: Worker,
    depth: int,
    score: int,
    first: int = 0,
    on_bound: Callable[[int, str], None] | None = None,
) -> int:
    """Search one iteration with an aspiration window around ``score``; return the value.

    The window is widened until the value lies within it. ``first`` is the index of the first root
    move to search. ``on_bound`` is called with the value and ``upperbound`` (fail low) or
    ``lowerbound`` (fail high).
    """
    window = aspiration.first_window.function(depth, score)
    while True:
        value = search_root(worker.block.address, depth, window.alpha, window.beta, first, 1)
        if worker.aborted or aspiration.holds.function(window, value):
            return value
        bound = "upperbound" if value <= window.alpha else "lowerbound"
        window = aspiration.widened.function(window, value)
        if on_bound is not None:
            on_bound(value, bound)


def run_helper(worker: Worker, clock: SearchClock, number: int) -> None:
    """Run a lazy SMP helper thread: odd-numbered helpers begin a ply deeper."""
    score = 0
    for depth in range(1 + number % 2, L.MAX_PLY):
        score = aspiration_search(worker, depth, score)
        if worker.aborted or clock.stopped:
            return


@dataclass
class IterativeDeepening:
    """The iterations of one search, by its main thread."""

    main: Worker
    #: A copy of the position, for walking along variations.
    position: Position
    clock: SearchClock
    reporter: Reporter
    #: Number of lines to report.
    multipv: int
    #: The game's prover, if it may answer this search.
    proofs: ProofSearch | None
    #: The tablebase, if it has the position.
    probe: RootProbe | None
    #: Node limit of main thread and prover together; None for no limit.
    node_limit: int | None
    #: Returns the nodes of all threads and of the prover so far.
    nodes: Callable[[], int]
    #: Returns the table's use in permille.
    hashfull: Callable[[], int]
    #: Node limit of a weaker player from the second iteration on: it too looks at all moves once.
    weak_nodes: int | None = None

    def __post_init__(self) -> None:
        self._count = int(self.main.view["root_count"])
        self._multipv = min(self.multipv, self._count)
        self._scores = [0] * self._multipv
        self._last_best = self._stable = 0
        #: Mean of the scores of the iterations so far, later ones with more weight.
        self._mean_score: float | None = None

    def run(self) -> Result:
        """Search deeper until a limit, the clock, a proof or a tablebase ends the search."""
        main, position, proofs = self.main, self.position, self.proofs
        result = Result(best=position.move_text(int(main.view["root_moves"][0])))
        deepest = min(self.clock.limits.depth or L.MAX_PLY - 1, L.MAX_PLY - 1)
        if self.probe is not None:
            self.probe.wait()
        for depth in range(1, deepest + 1):
            if self.clock.stopped and depth > 1:
                break
            if (exact := self._exact_result()) is not None:
                return exact
            if proofs is not None:
                nodes = self.nodes()
                proven = proofs.before(depth, position, self.clock, main.nodes, nodes)
                if proven is not None:
                    report = self.report(depth, 0, proven.score, proven.line)
                    self.reporter.iteration([report], self._multipv)
                    return proven
                if proofs.exhausted:
                    proofs = None
            if not self._share_node_limit(depth):
                break
            result = self._iterate(depth) or result
            if main.aborted:
                break
            if depth == 1 and position.game.beam and self._multipv == 1:
                main.sort_roots()
            if self._is_enough(self._iteration(depth)):
                break
        return self._exact_result() or result

    def _exact_result(self) -> Result | None:
        """Report the tablebase's lines and return its result; None if it has none yet."""
        lines = [] if self.probe is None else self.probe.lines()
        if not lines:
            return None
        reports = [
            self.report(len(line), number, score, line, line[1] if len(line) > 1 else "")
            for number, (score, line) in enumerate(lines)
        ]
        self.reporter.iteration(reports, self._multipv)
        best = reports[0]
        return Result(best.pv[0], best.ponder, best.score, best.depth, 0, best.pv)

    def _share_node_limit(self, depth: int) -> bool:
        """Set the main thread's node limit; return whether it has nodes left."""
        limit = self.node_limit
        if self.weak_nodes is not None and depth > 1:
            limit = min(limit or self.weak_nodes, self.weak_nodes)
        if limit is None:
            return True
        allowed = limit - (self.proofs.nodes if self.proofs else 0)
        self.main.view["root_args"]["node_limit"] = max(1, allowed)
        return allowed > self.main.nodes

    def _iterate(self, depth: int) -> Result | None:
        """Search and report all lines at a depth; return the best one's result, None if stopped."""
        main, position = self.main, self.position
        lines = self._search_lines(depth)
        # a later line may turn out better than an earlier one
        lines.sort(key=lambda line: -line.value)
        reports = []
        for number, line in enumerate(lines):
            self._scores[number] = line.value
            main.view["root_moves"][number] = line.move
            score = self._score(line.value)
            reports.append(self.report(depth, number, score, *position.line(line.codes)))
        self.reporter.iteration(reports, self._multipv)
        if not reports:
            return None
        best = reports[0]
        return Result(best.pv[0], best.ponder, best.score, depth)

    def _search_lines(self, depth: int) -> list[_Line]:
        main = self.main
        view = main.view
        view["best_changes"] = 0
        lines: list[_Line] = []
        for line in range(self._multipv):
            view["seldepth"] = 0
            view["pv_length"][0] = 0

            def on_bound(value: int, bound: str, line: int = line) -> None:
                if self.clock.seconds > _BOUND_SECONDS:
                    pv, ponder = self.position.line(main.line())
                    self.reporter(self.report(depth, line, self._score(value, bound), pv, ponder))

            value = aspiration_search(main, depth, self._scores[line], line, on_bound)
            if main.aborted:
                value = int(view["root_score"])
                # what was not searched any more may be better than a line that was stopped
                if line > 0 or self._is_better_elsewhere(value):
                    break
            if main.line():
                lines.append(_Line(value, int(view["root_moves"][line]), main.line()))
            if main.aborted:
                break
        return lines

    def _is_better_elsewhere(self, value: int) -> bool:
        """Return whether a further line of the last iteration is better than the new best one."""
        move = self.position.move_text(int(self.main.view["root_moves"][0]))
        cp = self._score(value).cp
        return any(old.score.cp > cp and old.pv[0] != move for old in self.reporter.lines[1:])

    def _score(self, value: int, bound: str = "") -> Score:
        limit = self.position.game.saturation
        return Score.of(unsaturated.function(value, limit), bound)

    def _iteration(self, depth: int) -> Iteration:
        """Return what time management needs of the iteration that has just ended."""
        best = int(self.main.view["root_moves"][0])
        self._stable = self._stable + 1 if best == self._last_best else 0
        self._last_best = best
        view = self.main.view
        score = self._scores[0]
        before = score if self._mean_score is None else self._mean_score
        self._mean_score = (before + score) / 2
        fraction = 0.5
        if self._multipv == 1:
            fraction = int(view["best_nodes"]) / max(1, int(view["searched_nodes"]))
        changes = int(view["best_changes"])
        return Iteration(depth, score, self._stable, changes, fraction, before - score)

    def _is_enough(self, iteration: Iteration) -> bool:
        """Return whether the search ends after this iteration."""
        limits = self.clock.limits
        mating = abs(iteration.score) > L.MATE_BOUND
        plies = L.MATE - abs(iteration.score)
        if limits.mate is not None and mating and iteration.score > 0:
            if (plies + 1) // 2 <= limits.mate:
                return True
        if self.clock.budget is None:
            return False
        if mating and iteration.depth > 2 * plies:
            return True
        if limits.move_time is None and self._count == 1 and iteration.depth >= _FORCED_DEPTH:
            return True
        return self.clock.soft_limit_passed(soft_limit_factor(iteration))

    def report(
        self, depth: int, line: int, score: Score, pv: list[str], ponder: str = ""
    ) -> Report:
        """Return the search's state as a report of a line; ``line`` counts from 0."""
        return Report(
            depth=depth,
            seldepth=max(depth, int(self.main.view["seldepth"])),
            multipv=line + 1,
            score=score,
            nodes=self.nodes(),
            seconds=max(self.clock.searched, 1e-6),
            hashfull=self.hashfull(),
            pv=pv,
            ponder=ponder,
        )
