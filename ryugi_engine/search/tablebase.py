"""Tablebase positions at the root: all moves with exact results, and no search.

The tables may have to be generated first, which takes a moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ryugi_engine.games.game import ExactMove, TablebasePosition
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import DRAWN, WON
from ryugi_engine.search import layout as L
from ryugi_engine.search.clock import SearchClock
from ryugi_engine.search.report import Score

#: Share of the longest time for a move in which the search waits for the tables: the moves after it
#: take none.
_WAIT = 0.9
#: Seconds after which it looks whether it was stopped.
_GLANCE = 0.01


class ExactLine(NamedTuple):
    """A root move with its score and the best play after it."""

    score: Score
    line: list[str]


class RootProbe:
    """The tablebase's part in one search."""

    def __init__(
        self,
        known: TablebasePosition,
        position: Position,
        roots: Sequence[int],
        count: int,
        clock: SearchClock,
    ) -> None:
        """``roots`` are the root moves of the search, of which ``count`` lines are reported."""
        self._known, self._position, self._clock = known, position, clock
        self._roots, self._count = roots, count

    def wait(self) -> None:
        """Wait for the tables, with a clock for the most part of its time."""
        while not self._clock.stopped:
            left = _GLANCE
            if (budget := self._clock.budget) is not None:
                left = min(left, _WAIT * budget.hard - self._clock.seconds)
            if left <= 0 or self._is_ready(left):
                return

    def _is_ready(self, seconds: float) -> bool:
        # without a clock the result must not depend on the time
        whole = self._clock.budget is None or self._count > 1
        return self._known.is_ready(seconds, whole=whole)

    def lines(self) -> list[ExactLine]:
        """Return the best lines; [] if the tables are not ready, or know no mate to play for."""
        if not self._is_ready(0):
            return []
        names = {self._position.move_text(code): code for code in self._roots}
        moves = self._known.exact_moves([*names])
        defends = self._known.defends
        if not defends and all(move.plies is None for move in moves):
            return []
        ends = {move for move, code in names.items() if self._draws(code)}
        moves = [m._replace(value=DRAWN, plies=None) if m.move in ends else m for m in moves]
        # the others keep their order
        moves.sort(key=lambda move: (move.move in ends) != defends)
        return [self._line(move) for move in moves[: self._count]]

    def _draws(self, code: int) -> bool:
        """Return whether a move ends the game in a draw, or lets one be claimed."""
        self._position.push(code, trial=True)
        outcome = self._position.outcome() or self._position.claim()
        self._position.pop()
        return outcome is not None and outcome.winner is None

    def _line(self, move: ExactMove) -> ExactLine:
        line = self._known.line(move.move) if move.plies is not None else [move.move]
        if move.value == DRAWN or move.plies is None:
            return ExactLine(Score(0), line)
        score = L.MATE - move.plies
        return ExactLine(Score.of(score if move.value == WON else -score), line)
