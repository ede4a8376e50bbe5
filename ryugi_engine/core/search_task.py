"""Searches for a session."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.events import BestMove, Event, GameOver, Note, Progress
from ryugi_engine.core.options import Options
from ryugi_engine.errors import UserError
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.limits import Limits

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position
    from ryugi_engine.search.report import Report
    from ryugi_engine.search.searcher import Searcher

#: The Skill Level of full strength, and the lines that a weaker player chooses among, at least.
_STRONGEST = 20
_CHOICE = 4


class SearchTask:
    """One search, of :class:`ryugi_engine.core.jobs.Jobs`: it may be asked to end at any moment."""

    def __init__(
        self, options: Options, emit: Callable[[Event], None], source: random.Random
    ) -> None:
        """``source`` draws the moves of a weakened player."""
        self._options, self._emit = options, emit
        self._random = source
        self._clock: SearchClock
        self._find: Callable[[], BestMove]

    # ---- on the session's thread -----------------------------------------------------------

    def prepare(
        self, searcher: Searcher, searched: Position, limits: Limits, began: float | None
    ) -> None:
        """Prepare a search of a position, which no one else may use; then stops may come.

        The clock runs since ``began``, by ``time.perf_counter``; None: from now on.
        """
        options = self._options
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
        self._clock, self._find = searcher.clock, find

    def prepare_refusal(self, limits: Limits) -> None:
        """Prepare the answer to an impossible ``go``: no move, when an answer is due."""
        from ryugi_engine.search.report import Result

        self._clock = SearchClock(threading.Event())
        self._clock.prepare(limits, 0, self._overhead)
        self._find = lambda: BestMove(Result())

    @property
    def _overhead(self) -> float:
        return self._options.number("Move Overhead") / 1000

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
