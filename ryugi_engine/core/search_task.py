"""Searches for a session: the searcher's, or a move by the rules if no kernels come in time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.board import played_on
from ryugi_engine.core.events import BestMove, Event, GameOver, Note, Progress
from ryugi_engine.core.fallback import FallbackPosition, Patience
from ryugi_engine.core.loading import Loading
from ryugi_engine.core.options import Options
from ryugi_engine.errors import UserError
from ryugi_engine.search.limits import Limits

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position
    from ryugi_engine.kernel.block import Block
    from ryugi_engine.search.report import Report
    from ryugi_engine.search.searcher import Searcher

#: The Skill Level of full strength, and the lines that a weaker player chooses among, at least.
_STRONGEST = 20
_CHOICE = 4


class SearchTask:
    """One search, of :class:`ryugi_engine.core.jobs.Jobs`: it may be asked to end at any moment."""

    def __init__(
        self,
        loading: Loading,
        options: Options,
        emit: Callable[[Event], None],
        limits: Limits,
        source: random.Random,
        began: float | None = None,
    ) -> None:
        """``source`` draws the moves of a weakened player.

        The clock runs since ``began``, by ``time.perf_counter``; None: since the preparation.
        """
        self._loading, self._options, self._emit = loading, options, emit
        self._limits = limits
        self._random = source
        self._began = began
        self._patience: Patience | None = None
        self._searcher: Searcher | None = None
        self._find: Callable[[], BestMove]

    # ---- on the session's thread -----------------------------------------------------------

    def prepare(
        self, board: Position | FallbackPosition, spare: Block | None = None
    ) -> Block | None:
        """Get ready to search ``board``, which is not changed; ponder hits and stops may come.

        ``spare`` is memory of an earlier search, which this one may use; return what it uses.
        """
        if isinstance(board, FallbackPosition):
            fallback = board.copy()
            patience = Patience(self._limits, board.side, self._overhead)
            self._patience = patience
            self._loading.call_when_over(None, patience.wake)
            self._find = lambda: self._find_late(fallback, patience)
            return spare
        self._loading.wait(board.game)
        searched = board.copy(spare)
        self._find = self._prepared(searched, self._limits, self._began)
        return searched.state

    def prepare_refusal(self) -> None:
        """Get ready to answer a ``go`` that cannot be followed: without a move, when it is due."""
        from ryugi_engine.search.report import Result

        self._patience = Patience(self._limits, 0, self._overhead)
        self._find = lambda: BestMove(Result())

    @property
    def _overhead(self) -> float:
        return self._options.number("Move Overhead") / 1000

    def stop(self) -> None:
        """End the search with the best move so far.

        The patience comes first: a search whose kernels arrive at this moment asks it again after
        its preparation, which would forget a stop of the searcher.
        """
        if self._patience is not None:
            self._patience.stop()
        if self._searcher is not None:
            self._searcher.stop()

    def ponder_hit(self, limits: Limits | None) -> None:
        """Turn pondering into a search on the clock; ``limits`` if they have changed."""
        if self._patience is not None:
            self._patience.ponder_hit(limits)
        if self._searcher is not None:
            self._searcher.start_clock(limits)

    # ---- on the job's thread ---------------------------------------------------------------

    def run(self) -> None:
        """Search; the end is a BestMove event, whatever happens."""
        from ryugi_engine.search.report import Result

        result = BestMove(Result())
        try:
            result = self._find()
        except Exception as error:
            # without an answer the GUI would wait for ever; the fault is reported
            fault = str(error) if isinstance(error, UserError) else repr(error)
            self._emit(Note(f"error: the search failed: {fault}"[:500]))
        finally:
            self._wait_for_leave()
            self._emit(result)

    def _wait_for_leave(self) -> None:
        """Wait for stop or ponderhit if the search is infinite or pondering, however it ended."""
        if self._searcher is not None:
            self._searcher.clock.wait_for_leave()
        elif self._patience is not None:
            self._patience.wait_for_leave()

    def _prepared(
        self, searched: Position, limits: Limits, began: float | None = None
    ) -> Callable[[], BestMove]:
        """Prepare a search by the kernels; return the part for the job's thread."""
        searcher, options = self._loading.searcher, self._options
        assert searcher is not None
        searcher.overhead = self._overhead
        skill, shown = options.number("Skill Level"), options.number("MultiPV")
        if options.flag("UCI_AnalyseMode"):
            skill = _STRONGEST
        searcher.multipv = max(shown, _CHOICE if skill < _STRONGEST else 1)
        lines: dict[int, Report] = {}

        def tell(report: Report) -> None:
            lines[report.multipv] = report
            if report.multipv <= shown:
                self._emit(Progress(report))

        def find() -> BestMove:
            if not searched.legal_codes():
                self._emit(_game_over(searched))
            result = searcher.run(searched, tell)
            if skill < _STRONGEST and result.best:
                from ryugi_engine.search.skill import choose

                result = choose(result, list(lines.values()), skill, self._random)
                line = next(line for line in lines.values() if line.pv[0] == result.best)
                if line.multipv != 1:  # the weaker move is the best that it has "seen"
                    self._emit(Progress(line._replace(multipv=1)))
            return BestMove(result)

        searcher.prepare(searched, limits, began)
        self._searcher = searcher
        return find

    def _find_late(self, board: FallbackPosition, patience: Patience) -> BestMove:
        """Search when the kernels come, or play by the reference rules."""
        loading = self._loading
        arrived = patience.wait(lambda: not loading.alive)
        if not arrived and not loading.compiling:
            arrived = loading.join()  # a moment more; a move by the rules alone is a bad one
        if arrived and not loading.failure:
            loading.catch_up()
            limits = patience.left()
            find = self._prepared(played_on(board, loading.rules), limits)
            # commands that came while the search was being prepared
            if limits.ponder and not patience.left().ponder:
                self.ponder_hit(patience.left())
            if patience.stopped:
                self.stop()
            return find()
        from ryugi_engine.search.report import Result

        if loading.failure:
            self._emit(Note(f"error: {loading.failure}"))
        moves = patience.allowed(board.legal_moves())
        if not moves:
            self._emit(_game_over(board))
            return BestMove(Result())
        self._emit(Note("the kernels are still being compiled: a move by the rules alone"))
        winning = board.winning_move(patience.end())
        return BestMove(Result(winning if winning in moves else self._random.choice(moves)))


def _game_over(board: Position | FallbackPosition) -> GameOver:
    """Return the event for a position without legal moves."""
    outcome = board.outcome()
    if outcome is None or outcome.winner is None:
        return GameOver(None)
    return GameOver(outcome.winner == board.side)
