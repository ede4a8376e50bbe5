"""The engine's part of a game in the terminal: it thinks, on a clock of its own."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from ryugi_engine.core.events import BestMove, Detail, Event, Note
from ryugi_engine.core.options import DRAW_SCORE
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.match.timecontrol import PlayerClock, TimeControl
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Result, Score

#: Seconds that it has for a move though its clock has run out: nobody claims the time.
_LEAST = 0.1


class Opponent:
    """An engine that waits for nobody's commands but those of the terminal."""

    def __init__(
        self, control: TimeControl, tell: Callable[[str], None], variants_file: str = ""
    ) -> None:
        """``tell`` gets messages, from any thread.

        UserError for a time control that ends no search.
        """
        if not control.bounded:
            raise UserError(f"time control '{control}': it would think for ever")
        self.session = Session(self._hear, variants_file)
        self._control = control
        self._clock = PlayerClock(control)
        self._tell = tell
        self._answers: queue.Queue[BestMove] = queue.Queue()
        #: What it thought of the position when it moved last.
        self._score: Score | None = None

    def _hear(self, event: Event) -> None:
        if isinstance(event, BestMove):
            self._answers.put(event)
        elif isinstance(event, Note) and not isinstance(event, Detail):
            self._tell(event.text)

    def __str__(self) -> str:
        return f"ryugi-engine ({self._control})"

    def begin_anew(self) -> None:
        """Start another game: reset the clock and clear the hash table."""
        self._clock, self._score = PlayerClock(self._control), None
        self.session.new_game()

    def advise(self) -> Result:
        """Return the engine's move for the side to move, in its own time."""
        control, clock = self._control, self._clock
        limits = Limits(nodes=control.nodes or None, depth=control.depth or None)
        if control.per_move:
            limits = limits._replace(move_time=control.per_move)
        elif not control.endless:
            left = max(clock.left, _LEAST)
            increment = (control.increment, control.increment)
            limits = limits._replace(time=(left, left), increment=increment)
            limits = limits._replace(moves_to_go=clock.to_go or None)
        self.session.go(limits)
        return self._answers.get().result

    def think(self) -> Result:
        """Find its own move; the clock runs."""
        began = time.perf_counter()
        result = self.advise()
        self._clock.run(time.perf_counter() - began)
        self._clock.moved()
        if not result.best:
            raise UserError("the engine has found no move")
        self._score = result.score
        return result

    def takes_a_draw(self) -> bool:
        """Return whether the engine accepts a draw: it has moved, and its score is low."""
        return self._score is not None and self._score.cp <= DRAW_SCORE
