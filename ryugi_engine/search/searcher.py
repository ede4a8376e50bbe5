"""The searcher: search threads, and the memory that they keep from one search to the next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

from ryugi_engine.games.game import Rules
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.block import Block
from ryugi_engine.search import layout as L
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.game_length import GameLengths
from ryugi_engine.search.iterative_deepening import IterativeDeepening, run_helper
from ryugi_engine.search.levels import Strength
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.proof_search import KeptProver, ProofSearch
from ryugi_engine.search.report import Report, Reporter, Result, Score
from ryugi_engine.search.tablebase import RootProbe
from ryugi_engine.search.time_management import moves_ahead
from ryugi_engine.search.transposition_table import TranspositionTable
from ryugi_engine.search.worker import Worker

#: The table of weakened searches; share of replies that may be overlooked where proofs count.
_WEAK_MEGABYTES, _EXACT = 4, 0.001
_STOP = L.CONTROL.word("stop")
#: Seconds below which a node limit ends a search on the clock, too, and its nodes a second. A
#: thread that watches the time may wake up later than that.
_SHORT, _SHORT_SPEED = 0.001, 1_000_000
#: What is searched to get ready. The time bounds a game with slow moves.
_REHEARSAL = Limits(depth=1, nodes=1000, move_time=0.2)


class Status(NamedTuple):
    """Progress of a running iteration: root moves left to search, and all root moves."""

    seconds: float
    nodes: int
    left: int
    moves: int


class _StopFlag:
    """The word that kernels read to see whether they must end."""

    def __init__(self, control: Block) -> None:
        self._words = control.words

    def set(self) -> None:
        self._words[_STOP] = 1

    def clear(self) -> None:
        self._words[_STOP] = 0

    def is_set(self) -> bool:
        return bool(self._words[_STOP])


class Searcher:
    """Searches one position at a time; keeps table and histories between searches.

    It has one owner at a time: a method that changes it raises RuntimeError while a search runs.
    """

    def __init__(self, hash_megabytes: int = 16, threads: int = 1) -> None:
        self._megabytes = hash_megabytes
        self.table = TranspositionTable(hash_megabytes)
        self.workers = [Worker() for _ in range(threads)]
        self.control = Block(L.CONTROL.words)
        self.clock = SearchClock(_StopFlag(self.control))
        self.prover = KeptProver()
        self._lengths = GameLengths()
        self._searching = self.workers
        #: Lines to report.
        self.multipv = 1
        #: Seconds of a move that the engine does not have; a protocol's option sets them.
        self.overhead = 0.0
        self._proofs: ProofSearch | None = None
        self._owned = threading.Lock()

    @contextmanager
    def _owner(self) -> Iterator[None]:
        if not self._owned.acquire(blocking=False):
            raise RuntimeError("the searcher is in use")
        try:
            yield
        finally:
            self._owned.release()

    def resize(self, megabytes: int) -> None:
        """Replace transposition and proof table by empty ones of at most ``megabytes`` together."""
        with self._owner():
            self._megabytes = megabytes
            rules, self.prover = self.prover.rules, KeptProver()
            self.table = TranspositionTable(megabytes)
            if rules is not None:
                self._get_ready(rules)

    def set_threads(self, count: int) -> None:
        """Change the number of threads."""
        with self._owner():
            self.workers = self._searching = [Worker() for _ in range(count)]

    @cached_property
    def _weak(self) -> tuple[TranspositionTable, list[Worker]]:
        """Table and thread of weakened searches."""
        return TranspositionTable(_WEAK_MEGABYTES), [Worker()]

    def clear(self) -> None:
        """Forget everything learnt, for a new game."""
        with self._owner():
            self.table.clear()
            for worker in self.workers:
                worker.clear()
            self.prover.clear()
            self.__dict__.pop("_weak", None)

    def get_ready(self, rules: Rules) -> None:
        """Create a game's prover and workers now, so that the first search need not."""
        with self._owner():
            self._get_ready(rules)

    def _get_ready(self, rules: Rules) -> None:
        """Share the memory: a game's prover gets half of it."""
        if self.prover.rules is rules:
            return
        shared = self.prover.present
        self.prover.get_ready(rules, self._megabytes / 2)
        if self.prover.present != shared:
            self.table = TranspositionTable(self._megabytes / (2 if self.prover.present else 1))

    @staticmethod
    def rehearse(position: Position) -> None:
        """Search a position for a moment, in memory of its own.

        The first search of a process runs much code for the first time; that takes milliseconds,
        which a first move may not have. It ends for every game: depth 1 alone may have no end.
        """
        searcher = Searcher(hash_megabytes=1)
        searcher.prepare(position, _REHEARSAL)
        searcher.run(position, lambda report: None)

    def populate(self) -> None:
        """Take the memory of the table and the first thread from the system, if it is not yet.

        Otherwise the first search does, one page after the other: a tenth of a second for 64 MiB
        in a virtual machine.
        """
        self.table.block.populate()
        self.workers[0].block.populate()

    # ---- the end of a search ---------------------------------------------------------------

    def stop(self) -> None:
        """End the current search at once; it still reports its best move."""
        self.clock.stop()

    @property
    def stopped(self) -> bool:
        """Whether the end of the search has been asked for."""
        return self.clock.stopped

    # ---- a search ----------------------------------------------------------------------------

    def prepare(self, position: Position, limits: Limits, began: float | None = None) -> None:
        """Call before :meth:`run`, from the thread that may call :meth:`stop`.

        ``began``: when the clock began to run, by ``time.perf_counter``; None: now.
        """
        side, game = int(position.header["side"]), position.game
        played = len(position.moves) // 2
        if limits.time[side] is not None:
            self._lengths.moves_played(game.name, played)
        length = self._lengths.mean(game.name, game.length)
        ahead = moves_ahead(game.horizon, played, length)
        self.clock.prepare(limits, side, self.overhead, ahead, began)

    def run(
        self,
        position: Position,
        report: Callable[[Report], None],
        strength: Strength | None = None,
        seed: int = 0,
    ) -> Result:
        """Search until a limit or :meth:`stop`; calls ``report`` after each iteration.

        The position is walked along lines meanwhile, and is in the end what it was. A search with a
        ``strength`` shares nothing with others: the moves of a game follow from its ``seed``.
        """
        with self._owner():
            return self._run(position, report, strength, seed)

    def _run(
        self,
        position: Position,
        report: Callable[[Report], None],
        strength: Strength | None,
        seed: int,
    ) -> Result:
        limits = self.clock.limits
        roots = position.legal_codes()
        if limits.search_moves:
            wanted = {position.parse_move(text) for text in limits.search_moves}
            roots = [move for move in roots if move in wanted]
        if not roots:
            self.clock.wait_for_leave()
            return Result()
        self._get_ready(position.rules)
        # who overlooks replies sees no forced win
        exact = strength is None or strength.overlooked < _EXACT
        self._proofs = self._proofs_for(position) if exact else None
        table, workers = self.table, self.workers
        if strength is not None:
            table, workers = self._weak
        table.next_generation()
        for worker in workers:
            worker.prepare(position, table, self.control, roots)
        self._searching = workers
        if strength is not None:
            noise = strength.centipawns(position.evaluate(), len(position.moves))
            word = (seed ^ position.key()) & (1 << 63) - 1
            workers[0].weaken(noise, strength.overlooked, word)
        helpers, node_limit = self._share_nodes(workers)
        reporter = Reporter(report)
        deepening = IterativeDeepening(
            main=workers[0],
            position=position,
            clock=self.clock,
            reporter=reporter,
            multipv=self.multipv,
            proofs=self._proofs,
            probe=self._probe_of(position, roots) if exact else None,
            node_limit=node_limit,
            nodes=self._nodes,
            hashfull=table.hashfull,
            weak_nodes=None if strength is None else strength.nodes,
        )
        threads = [
            threading.Thread(target=run_helper, args=(worker, self.clock, number), daemon=True)
            for number, worker in enumerate(helpers, start=1)
        ]
        try:
            with self.clock.running():
                for thread in threads:
                    thread.start()
                result = deepening.run()
                if result.line and self.clock.limits.infinite:
                    # whoever waits for a depth without a limit waits for this one
                    reporter(reporter.lines[0]._replace(depth=L.MAX_PLY - 1))
                pondering = self.clock.limits.ponder
                self.clock.wait_for_leave()
                if pondering and not self.clock.limits.ponder:
                    # GUIs take what came before ponderhit for the opponent's time: send it again
                    reporter.last = None
        finally:
            for thread in threads:
                thread.join()
        result.nodes = self._nodes()
        if not reporter.lines:  # stopped before the first result: report the first root move
            score = Score.of(position.evaluate())
            reporter.lines = [deepening.report(1, 0, score, [result.best])]
        moves = [position.move_text(move) for move in roots]
        reporter.conclude(result.nodes, max(self.clock.searched, 1e-6), moves, self.multipv)
        return result

    @property
    def _node_limit(self) -> int | None:
        """The nodes of all threads together; None for no limit."""
        nodes, budget = self.clock.limits.nodes, self.clock.budget
        if budget is None or budget.hard >= _SHORT:
            return nodes
        most = int(_SHORT_SPEED * budget.hard)
        return min(nodes or most, most)

    def _share_nodes(self, workers: list[Worker]) -> tuple[list[Worker], int | None]:
        """Share the node limit: return the helpers to start and the main thread's limit."""
        helpers, limit = workers[1:], self._node_limit
        if limit is None:
            return helpers, None
        share = max(1, limit) // len(workers)
        own = max(1, limit) - share * len(helpers)
        if not share:
            return [], own
        for worker in helpers:
            worker.view["root_args"]["node_limit"] = share
        return helpers, own

    def _proofs_for(self, position: Position) -> ProofSearch | None:
        """Return the game's prover if its proofs suffice: no searchmoves, no MultiPV."""
        if self.clock.limits.search_moves or self.multipv > 1:
            return None
        return self.prover.search(position, self.control)

    def _probe_of(self, position: Position, roots: list[int]) -> RootProbe | None:
        """Return the tablebase's part in a search, None if it does not have the position."""
        known = position.rules.tablebase_position(position.state)
        if known is None:
            return None
        return RootProbe(known, position, roots, self.multipv, self.clock)

    def _nodes(self) -> int:
        proofs = self._proofs
        return (proofs.nodes if proofs else 0) + sum(worker.nodes for worker in self._searching)

    def status(self) -> Status:
        """Return the progress of the search; thread-safe."""
        view = self._searching[0].view
        moves = int(view["root_count"])
        left = max(moves - int(view["root_index"]) - 1, 0)
        return Status(self.clock.searched, self._nodes(), left, moves)
