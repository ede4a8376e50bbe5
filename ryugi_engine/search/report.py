"""What a search tells: scores, reports on the way, and the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Score:
    """Centipawns, or full moves to mate (negative: being mated), for the side to move."""

    cp: int
    mate: int | None = None
    bound: str = ""  # "lowerbound" or "upperbound" while an iteration is open

    @classmethod
    def of(cls, value: int, bound: str = "") -> Score:
        """From the search's number."""
        from ryugi_engine.search import layout as L  # with the kernels: a move may come without

        if value > L.MATE_BOUND:
            return cls(value, (L.MATE - value + 1) // 2, bound)
        if value < -L.MATE_BOUND:
            return cls(value, -(L.MATE + value) // 2, bound)
        return cls(value, None, bound)


@dataclass(frozen=True)
class Report:
    """State of a search after an iteration of one line."""

    depth: int
    seldepth: int
    multipv: int
    score: Score
    nodes: int
    seconds: float
    hashfull: int
    pv: list[str]
    #: The opponent's answer, "" if the line ends or the same side plays on.
    ponder: str = ""


@dataclass
class Result:
    """What a search found: moves as text, "" if the game is over."""

    best: str = ""
    ponder: str = ""
    score: Score = field(default_factory=lambda: Score(0))
    depth: int = 0
    nodes: int = 0
    #: The whole line of a proof.
    line: list[str] = field(default_factory=list)


class Told:
    """The reports as they stand: the last of each line, and what has been told last of the best."""

    def __init__(self, tell: Callable[[Report], None]) -> None:
        self._tell = tell
        self.last: Report | None = None
        #: Of the last iteration, the best first; behind them what it has not come to any more.
        self.lines: list[Report] = []

    def __call__(self, report: Report) -> None:
        if report.multipv == 1:
            self.last = report
        self._tell(report)

    def iteration(self, found: list[Report], count: int) -> None:
        """Tell what an iteration has found, all of it or the beginning."""
        for report in found:
            self(report)
        moves = [report.pv[0] for report in found]
        older = [report for report in self.lines if report.pv[0] not in moves]
        self.lines = (found + older)[:count]

    def conclude(self, nodes: int, seconds: float) -> None:
        """Tell all lines once more if the last told are not what the result rests on."""
        best = self.lines[0]
        last = self.last
        if last is None or last.nodes != nodes or last.pv[:1] != best.pv[:1] or last.score.bound:
            for number, report in enumerate(self.lines, start=1):
                self(replace(report, multipv=number, nodes=nodes, seconds=seconds))
