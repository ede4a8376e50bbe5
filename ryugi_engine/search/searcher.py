"""Running a search: threads, iterations, time, and the reports on the way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from ryugi_engine.games.game import Prover, Rules
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import H_SIDE, ONGOING, WON, Block
from ryugi_engine.search import layout as L
from ryugi_engine.search.limits import Budget, Limits, budget
from ryugi_engine.search.proof import FIRST_ITERATIONS, ProofSearch
from ryugi_engine.search.report import Report, Result, Score, Told
from ryugi_engine.search.root import search_root
from ryugi_engine.search.table import Table
from ryugi_engine.search.worker import Worker

#: First half-width of the aspiration window, centipawns.
_WINDOW = 18
_NEVER = 1e18
_STOP = L.CONTROL.word("stop")
#: Seconds; the system has a limit of its own for a wait.
_LONGEST_WAIT = 3600.0
#: Below this many seconds of search an iteration is not announced as fail high or low.
_BOUND_REPORT = 3.0


class _Line(NamedTuple):
    """What one root call of an iteration found."""

    value: int
    move: int
    codes: list[int]


class Status(NamedTuple):
    """How far a running search is: root moves that are left to look at, and all of them."""

    seconds: float
    nodes: int
    left: int
    moves: int


class Searcher:
    """Searches one position at a time; keeps table and histories between searches."""

    def __init__(self, hash_megabytes: int = 16, threads: int = 1) -> None:
        self.table = Table(hash_megabytes)
        self.workers = [Worker() for _ in range(threads)]
        self.control = Block(L.CONTROL.words)
        self.multipv = 1
        self.overhead = 0.02
        self._began = 0.0
        self._budget: Budget | None = None
        self._deadline = _NEVER
        self._clock_set = threading.Event()
        self._limits = Limits()
        self._side = 0
        self._megabytes = hash_megabytes
        self._prover: Prover | None = None
        self._prover_rules: Rules | None = None
        self._proofs: ProofSearch | None = None
        self._main_nodes = 0

    def resize(self, megabytes: int) -> None:
        """A new, empty transposition table."""
        self.table = Table(megabytes)
        self._megabytes = megabytes
        rules, self._prover_rules = self._prover_rules, None
        if rules is not None:
            self.get_ready(rules)  # now, not in the next move's time

    def set_threads(self, count: int) -> None:
        """Change the number of threads."""
        self.workers = [Worker() for _ in range(count)]

    def clear(self) -> None:
        """Forget everything learnt, for a new game."""
        self.table.clear()
        for worker in self.workers:
            worker.clear()
        if self._prover is not None:
            self._prover.clear()

    def stop(self) -> None:
        """End the current search at once; it still reports its best move."""
        self.control.words[_STOP] = 1
        self._clock_set.set()

    def start_clock(self, limits: Limits | None = None) -> None:
        """The opponent played the pondered move: from now on the clock counts, or a new one."""
        if limits is not None:
            self._limits = limits
        self._began = time.perf_counter()
        self._budget = budget(self._limits, self._side, self.overhead)
        if self._budget is not None:
            self._deadline = self._began + self._budget.hard
        self._limits.ponder = False
        self._clock_set.set()

    @property
    def stopped(self) -> bool:
        """Whether the end of the search has been asked for."""
        return bool(self.control.words[_STOP])

    def prepare(self, position: Position, limits: Limits) -> None:
        """Call before :meth:`run`, from the thread that may call :meth:`stop`."""
        self.control.words[_STOP] = 0
        self._clock_set.clear()
        self._limits = limits
        self._side = int(position.words[H_SIDE])
        self._deadline = _NEVER
        self._budget = None
        if not limits.ponder:
            self.start_clock()
        self._began = time.perf_counter()

    def _watch_clock(self, done: threading.Event) -> None:
        """Set the stop flag when the hard limit is reached."""
        while not done.is_set() and not self.stopped:
            left = self._deadline - time.perf_counter()
            if left <= 0:
                self.control.words[_STOP] = 1
                return
            if self._deadline == _NEVER:
                self._clock_set.wait(0.2)
                if self._clock_set.is_set() and self._deadline == _NEVER:
                    done.wait(0.2)
            else:
                done.wait(min(left, _LONGEST_WAIT))

    def run(self, position: Position, report: Callable[[Report], None]) -> Result:
        """Search until a limit or :meth:`stop`; calls ``report`` after each iteration."""
        limits = self._limits
        position = position.copy()  # ours to walk along lines
        roots = position.legal_codes()
        if limits.search_moves:
            wanted = set()
            for text in limits.search_moves:
                wanted.add(position.parse_move(text))
            roots = [move for move in roots if move in wanted]
        if not roots:
            return Result()
        self._proofs = self._proofs_for(position)
        self.table.next_generation()
        for worker in self.workers:
            worker.prepare(position, self.table, self.control, roots)
        main = self.workers[0]
        helpers = self.workers[1:]
        if limits.nodes is not None:
            # every thread counts its share, so that all together count no more than asked for
            share = max(1, limits.nodes) // len(self.workers)
            self._main_nodes = max(1, limits.nodes) - share * len(helpers)
            helpers = helpers if share else []
            for worker in helpers:
                worker.seen["given"]["node_limit"] = share
        told = Told(report)
        done = threading.Event()
        threads = [threading.Thread(target=self._watch_clock, args=(done,), daemon=True)]
        threads += [
            threading.Thread(target=self._help, args=(worker, number), daemon=True)
            for number, worker in enumerate(helpers, start=1)
        ]
        for thread in threads:
            thread.start()
        try:
            result = self._iterate(main, position, len(roots), told)
            if result.line and self._limits.infinite:
                # whoever waits for a depth without a limit waits for this one
                told(replace(told.lines[0], depth=L.MAX_PLY - 1))
            self._wait_for_leave(done)
        finally:
            done.set()
            self._clock_set.set()
            self.control.words[_STOP] = 1
            for thread in threads:
                thread.join()
        result.nodes = self._nodes
        if not told.lines:  # ended before it has come to anything: the first move, as it looks
            score = Score.of(position.evaluate())
            told.lines = [self._report(main, 1, 0, score, [result.best])]
        told.conclude(result.nodes, max(time.perf_counter() - self._began, 1e-6))
        return result

    def _may_count(self, main: Worker) -> bool:
        """Whether the limit leaves the main thread a node; tells it how many."""
        if self._limits.nodes is None:
            return True
        allowed = self._main_nodes - (self._proofs.nodes if self._proofs else 0)
        main.seen["given"]["node_limit"] = max(1, allowed)
        return allowed > main.nodes

    @property
    def _nodes(self) -> int:
        proofs = self._proofs
        return (proofs.nodes if proofs else 0) + sum(worker.nodes for worker in self.workers)

    def status(self) -> Status:
        """How far the search is; may be asked at any time, from any thread."""
        seen = self.workers[0].seen
        seconds = time.perf_counter() - self._began
        moves = int(seen["root_count"])
        return Status(seconds, self._nodes, max(moves - int(seen["root_index"]) - 1, 0), moves)

    def get_ready(self, rules: Rules) -> None:
        """Make what a game needs besides the table, so that no search has to."""
        if self._prover_rules is not rules:
            self._prover = rules.prover(self._megabytes)
            self._prover_rules = rules

    def _proofs_for(self, position: Position) -> ProofSearch | None:
        """The game's prover, where its proofs answer what is asked: all moves, one line."""
        if self._limits.search_moves or self.multipv > 1:
            return None
        self.get_ready(position.rules)
        if self._prover is not None and self._prover.is_promising(position.state):
            return ProofSearch(self._prover, position.state, self.control)
        return None

    def _proof(
        self, proofs: ProofSearch, position: Position, main: Worker, depth: int
    ) -> Result | None:
        """The proven result, if the prover finds one before the iteration of this depth.

        At first it only looks; after some iterations it gets as much time as the search has had,
        or as many nodes where no clock runs.
        """
        if depth == 1:
            value = proofs.look(self._limits.nodes)
        elif depth <= FIRST_ITERATIONS:
            return None
        elif self._budget is not None:
            spent = time.perf_counter() - self._began
            # what is left of the time is also the next iteration's
            left = (self._budget.soft - spent) / 2
            value = proofs.for_seconds(min(spent - 2 * proofs.seconds, left))
        else:
            nodes = main.nodes - proofs.nodes
            if self._limits.nodes is not None:
                nodes = min(nodes, self._limits.nodes - self._nodes)
            value = proofs.for_nodes(nodes)
        if value == ONGOING:
            return None
        moves = proofs.line()
        if not moves:
            return None
        plies = proofs.plies()
        score = Score.of(L.MATE - plies if value == WON else plies - L.MATE)
        line = self._texts(position, moves[: L.MAX_PLY])
        ponder = self._reply(position, moves, line)
        return Result(line[0], ponder, score, len(line), 0, line)

    def _wait_for_leave(self, done: threading.Event) -> None:
        """With ``infinite`` or while pondering the answer has to wait for stop or ponderhit."""
        while (self._limits.infinite or self._limits.ponder) and not self.stopped:
            self._clock_set.wait(0.05)
            if not self._limits.ponder and not self._limits.infinite:
                return
            done.wait(0.01)

    def _help(self, worker: Worker, number: int) -> None:
        """A helper thread: the same iterations, every other one a ply deeper (lazy SMP)."""
        score = 0
        for depth in range(1 + number % 2, L.MAX_PLY):
            score = self._aspirate(worker, depth, score, 0, None)
            if worker.aborted or self.stopped:
                return

    def _aspirate(
        self,
        worker: Worker,
        depth: int,
        score: int,
        first: int,
        on_bound: Callable[[int, str], None] | None,
    ) -> int:
        """One iteration with a window around the last score, widened until it holds."""
        window = _WINDOW if depth >= 5 else L.INFINITE
        alpha, beta = max(score - window, -L.INFINITE), min(score + window, L.INFINITE)
        while True:
            value = search_root(worker.block.address, depth, alpha, beta, first, 1)
            if worker.aborted:
                return value
            window *= 3
            if window > 600:
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

    def _iterate(self, main: Worker, position: Position, count: int, report: Told) -> Result:
        limits = self._limits
        seen = main.seen
        multipv = min(self.multipv, count)
        scores = [0] * multipv
        result = Result(best=position.move_text(int(seen["root_moves"][0])))
        last_best, stable = 0, 0
        proofs = self._proofs
        deepest = min(limits.depth or L.MAX_PLY - 1, L.MAX_PLY - 1)
        for depth in range(1, deepest + 1):
            if self.stopped and depth > 1:
                break
            if proofs is not None:
                proven = self._proof(proofs, position, main, depth)
                if proven is not None:
                    found_out = self._report(main, depth, 0, proven.score, proven.line)
                    report.iteration([found_out], multipv)
                    return proven
                if proofs.exhausted:
                    proofs = None
            if not self._may_count(main):
                break
            seen["best_changes"] = 0
            found: list[_Line] = []
            for line in range(multipv):
                seen["seldepth"] = 0
                seen["pv_length"][0] = 0

                def on_bound(value: int, bound: str, line: int = line, depth: int = depth) -> None:
                    if time.perf_counter() - self._began > _BOUND_REPORT:
                        pv = self._texts(position, main.line())
                        report(self._report(main, depth, line, Score.of(value, bound), pv))

                value = self._aspirate(main, depth, scores[line], line, on_bound)
                if main.line():
                    if main.aborted:
                        value = int(seen["root_score"])
                    found.append(_Line(value, int(seen["root_moves"][line]), main.line()))
                if main.aborted:
                    break
            # a later line may turn out better than an earlier one: the best comes first
            found.sort(key=lambda line: -line.value)
            reports = []
            for number, line_found in enumerate(found):
                scores[number] = line_found.value
                seen["root_moves"][number] = line_found.move
                pv = self._texts(position, line_found.codes)
                score = Score.of(line_found.value)
                reports.append(self._report(main, depth, number, score, pv))
                if number == 0:
                    result = Result(
                        pv[0], self._reply(position, line_found.codes, pv), score, depth
                    )
            report.iteration(reports, multipv)
            if main.aborted:
                break
            if depth == 1 and position.game.beam and multipv == 1:
                main.sort_roots()
            best = int(seen["root_moves"][0])
            stable = stable + 1 if best == last_best else 0
            last_best = best
            if self._enough(scores[0], depth, count, stable, int(seen["best_changes"])):
                break
        return result

    def _enough(self, score: int, depth: int, count: int, stable: int, changes: int) -> bool:
        """Whether to leave it at the last iteration."""
        limits = self._limits  # as they are now: a pondered move that was played brings others
        if limits.mate is not None and score > L.MATE_BOUND:
            if (L.MATE - score + 1) // 2 <= limits.mate:
                return True
        if self._budget is None or limits.ponder or limits.infinite:
            return False
        if abs(score) > L.MATE_BOUND and depth > 2 * (L.MATE - abs(score)):
            return True
        if limits.move_time is not None:
            return False
        if count == 1 and depth >= 4:
            return True
        factor = 1.0 + 0.35 * min(changes, 4) - 0.07 * min(stable, 6)
        return time.perf_counter() - self._began > self._budget.soft * factor

    def _texts(self, position: Position, codes: list[int]) -> list[str]:
        """A line of moves as text; each is written in the position it is played in."""
        texts = []
        for code in codes:
            texts.append(position.move_text(code))
            position.push(code)
        for _ in codes:
            position.pop()
        return texts

    def _reply(self, position: Position, codes: list[int], line: list[str]) -> str:
        """The opponent's answer in a line, to ponder on; "" where the same side plays on."""
        if len(codes) < 2:
            return ""
        side = position.side
        position.push(codes[0])
        turned = position.side != side
        position.pop()
        return line[1] if turned else ""

    def _report(
        self, main: Worker, depth: int, line: int, score: Score, pv: list[str], ponder: str = ""
    ) -> Report:
        return Report(
            depth=depth,
            seldepth=max(depth, int(main.seen["seldepth"])),
            multipv=line + 1,
            score=score,
            nodes=self._nodes,
            seconds=max(time.perf_counter() - self._began, 1e-6),
            hashfull=self.table.hashfull(),
            pv=pv,
            ponder=ponder,
        )
