"""Searches for a session."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.events import BestMove, Event, GameOver, Note, Progress
from ryugi_engine.core.options import Options
from ryugi_engine.errors import UserError
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.levels import FULL, Strength, ladder_of, usual_ladder
from ryugi_engine.search.limits import Limits

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game
    from ryugi_engine.games.position import Position
    from ryugi_engine.search.report import Report
    from ryugi_engine.search.searcher import Searcher


class SearchTask:
    """One search, of :class:`ryugi_engine.core.jobs.Jobs`: it may be asked to end at any moment."""

    def __init__(
        self,
        options: Options,
        emit: Callable[[Event], None],
        *,
        seed: int = 0,
        full_strength: bool = False,
    ) -> None:
        """``seed``: of what a weaker player does not see; ``full_strength``: it is none."""
        self._options, self._emit = options, emit
        self._seed, self._full_strength = seed, full_strength
        self._clock: SearchClock
        self._find: Callable[[], BestMove]

    # ---- on the session's thread -----------------------------------------------------------

    def prepare(
        self, searcher: Searcher, searched: Position, limits: Limits, began: float | None
    ) -> None:
        """Prepare a search of a position, which no one else may use; it can be stopped then.

        The clock runs since ``began``, by ``time.perf_counter``; None: from now on.
        """
        options = self._options
        searcher.overhead = self._overhead
        searcher.multipv = options.number("MultiPV")
        strength = self._strength(searched.game, limits)

        def tell(report: Report) -> None:
            self._emit(Progress(report))

        def find() -> BestMove:
            if not searched.legal_codes():
                self._emit(_game_over(searched))
            return BestMove(searcher.run(searched, tell, strength, self._seed))

        searcher.prepare(searched, limits, began)
        self._clock, self._find = searcher.clock, find

    def _strength(self, game: Game, limits: Limits) -> Strength | None:
        """Return how the options weaken the search of a move; None: not at all."""
        options = self._options
        analysing = options.flag("UCI_AnalyseMode") or limits.infinite or limits.mate is not None
        level, limited = options.number("Level"), options.flag("UCI_LimitStrength")
        if self._full_strength or analysing or (level == FULL and not limited):
            return None
        try:
            ladder = ladder_of(game)
        except UserError as error:
            self._emit(Note(f"error: {error}"))
            ladder = usual_ladder()
        return ladder.elo(options.number("UCI_Elo")) if limited else ladder.level(level)

    def prepare_refusal(self, limits: Limits) -> None:
        """Prepare the answer to an impossible ``go``: no move, when an answer is due."""
        from ryugi_engine.search.report import Result

        self._clock = SearchClock(threading.Event())
        self._clock.prepare(limits, 0, self._overhead)
        self._find = lambda: BestMove(Result())

    @property
    def _overhead(self) -> float:
        return self._options.number("Move Overhead") / 1000

    @property
    def bounded(self) -> bool:
        """Whether a depth, a number of nodes or a time ends the search."""
        return self._clock.bounded

    def stop(self) -> None:
        """End the search with the best move so far."""
        self._clock.stop()

    def ponder_hit(self, limits: Limits | None) -> None:
        """Turn pondering into a search on the clock; ``limits`` if they have changed."""
        self._clock.start(limits)

    # ---- on the job's thread ---------------------------------------------------------------

    def run(self) -> None:
        """Search; a BestMove event follows in any case, even after an error."""
        from ryugi_engine.search.report import Result

        result = BestMove(Result())
        try:
            result = self._find()
        except Exception as error:
            # without an answer the GUI would wait for ever; the fault is reported
            fault = str(error) if isinstance(error, UserError) else repr(error)
            self._emit(Note(f"error: the search failed: {fault}"[:500]))
        finally:
            self._clock.wait_for_leave()  # however it ended
            self._emit(result)


def _game_over(position: Position) -> GameOver:
    """Return the event for a position without legal moves."""
    outcome = position.outcome()
    if outcome is None or outcome.winner is None:
        return GameOver(None)
    return GameOver(outcome.winner == position.side)
