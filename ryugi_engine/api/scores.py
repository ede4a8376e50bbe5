"""What a search is given and what it says: limits, scores, lines, moves."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.search import report
from ryugi_engine.search.limits import Limits


class Limit(NamedTuple):
    """Where a search ends; times are in seconds. The first limit that is reached ends it.

    ``time`` is for the move. A clock is what a side has left, with what it gets back for a move.
    UserError for a limit that is not positive comes from the search.

    >>> Limit(nodes=10_000)
    Limit(time=None, depth=None, nodes=10000, white_clock=None, black_clock=None, white_inc=0.0, \
black_inc=0.0)
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    white_clock: float | None = None
    black_clock: float | None = None
    white_inc: float = 0.0
    black_inc: float = 0.0

    def _limits(self) -> Limits:
        """Return the search's own form; UserError for one that is no limit."""
        given = [value for value in self if value]
        if not given:
            raise UserError("a search needs a limit: time, depth, nodes or a clock")
        for name, value in zip(self._fields, self, strict=True):
            whole = name in ("depth", "nodes")
            fits = isinstance(value, int) if whole else isinstance(value, int | float)
            least = 0 if name.endswith("_inc") else 1 if whole else 0.001
            if value is not None and (not fits or isinstance(value, bool) or value < least):
                raise UserError(f"Limit: {name} is {value!r:.40}, and at least {least:g}")
        return Limits(
            time=(self.white_clock, self.black_clock),
            increment=(self.white_inc, self.black_inc),
            move_time=self.time,
            depth=self.depth,
            nodes=self.nodes,
        )


class Score(NamedTuple):
    """A score for the side ``turn``: centipawns, and full moves to mate, or None.

    ``mate`` is negative for a side that is mated, and 0 where the game is over. ``cp`` is beyond
    31,000 with a mate, so that scores can be compared.

    >>> Score(35, None, True).pov(False)
    Score(cp=-35, mate=None, turn=False)
    """

    cp: int
    mate: int | None
    turn: bool

    def pov(self, color: bool) -> Score:
        """Return the score for a side, WHITE or BLACK.

        >>> Score(-31_990, -5, False).pov(True)
        Score(cp=31990, mate=5, turn=True)
        """
        if color == self.turn:
            return self
        return Score(-self.cp, None if self.mate is None else -self.mate, color)

    def wdl(self) -> tuple[int, int, int]:
        """Return the chances to win, draw and lose, in permille.

        They are a logistic curve over the score, the same for every game.

        >>> Score(0, None, True).wdl()
        (90, 820, 90)
        """
        return report.Score(self.cp, self.mate).wdl()


class Info(NamedTuple):
    """A line that a search has found.

    ``multipv`` is its rank from 1, and ``depth`` is in plies. ``nodes`` and ``time``, in seconds,
    are of the whole search. ``pv`` are moves as texts of UCI, from the position that is searched.

    >>> Info(1, 8, Score(35, None, True), 5000, 0.25, ["e2e4"]).nps
    20000
    """

    multipv: int
    depth: int
    score: Score
    nodes: int
    time: float
    pv: list[str]

    @property
    def nps(self) -> int:
        """Nodes per second; 0 if no time was measured.

        >>> Info(1, 0, Score(0, None, True), 0, 0.0, []).nps
        0
        """
        return int(self.nodes / self.time) if self.time > 0 else 0


class PlayResult(NamedTuple):
    """A move that the engine plays: ``move`` and the reply that it expects, ``ponder``.

    They are texts of UCI, or None; ``info`` is the best line.

    >>> PlayResult("e2e4", None, Info(1, 1, Score(0, None, True), 20, 0.0, ["e2e4"])).move
    'e2e4'
    """

    move: str | None
    ponder: str | None
    info: Info
