"""Scores, info reports and results of a search."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Score(NamedTuple):
    """A score for the side to move: centipawns, or full moves to mate (negative: mated)."""

    cp: int
    mate: int | None = None
    bound: str = ""  # "lowerbound" or "upperbound" after a fail high or low, else ""

    @classmethod
    def of(cls, value: int, bound: str = "") -> Score:
        """Return the Score of a value as the search kernels return it."""
        from ryugi_engine.search import layout as L  # late: it imports numba

        if value > L.MATE_BOUND:
            return cls(value, (L.MATE - value + 1) // 2, bound)
        if value < -L.MATE_BOUND:
            return cls(value, -(L.MATE + value) // 2, bound)
        return cls(value, None, bound)

    def wdl(self) -> tuple[int, int, int]:
        """Return (win, draw, loss) in permille, from a logistic curve over the score."""
        if self.mate is not None:
            return (1000, 0, 0) if self.cp > 0 else (0, 0, 1000)

        def chance(cp: int) -> int:
            return round(1000 / (1 + math.exp((220 - cp) / 95)))

        win, loss = chance(self.cp), chance(-self.cp)
        return win, 1000 - win - loss, loss


class Report(NamedTuple):
    """An info report: the state of a search after an iteration of one line."""

    depth: int
    seldepth: int
    multipv: int
    score: Score
    nodes: int
    seconds: float
    hashfull: int
    pv: list[str]
    #: The expected reply, "" if the line ends or the same side moves again.
    ponder: str = ""


@dataclass
class Result:
    """The result of a search; moves as text, "" if the game is over."""

    best: str = ""
    ponder: str = ""
    score: Score = field(default_factory=lambda: Score(0))
    depth: int = 0
    nodes: int = 0
    #: The principal variation, if a prover solved the position.
    line: list[str] = field(default_factory=list)


class Reporter:
    """Sends reports and remembers the last of each line."""

    def __init__(self, send: Callable[[Report], None]) -> None:
        self._send = send
        #: The last report sent of the best line.
        self.last: Report | None = None
        #: The last iteration's reports, best first; then older ones of lines it did not reach.
        self.lines: list[Report] = []

    def __call__(self, report: Report) -> None:
        if report.multipv == 1:
            self.last = report
        self._send(report)

    def iteration(self, reports: list[Report], count: int) -> None:
        """Send an iteration's reports and, where it was stopped, older ones, ``count`` in all.

        An older line is no better than what was found after it.
        """
        moves = [report.pv[0] for report in reports]
        older = [report for report in self.lines if reports and report.pv[0] not in moves]
        for report in older[: count - len(reports)]:
            last = reports[-1]
            score = min(report.score, last.score._replace(bound="upperbound"), key=lambda s: s.cp)
            number, nodes, seconds = len(reports) + 1, last.nodes, last.seconds
            renewed = report._replace(multipv=number, score=score, nodes=nodes, seconds=seconds)
            reports = [*reports, renewed]
        for report in reports:
            self(report)
        self.lines = reports or self.lines

    def conclude(self, nodes: int, seconds: float, moves: Sequence[str], count: int) -> None:
        """Send all lines again unless the last report sent is that of the final result.

        Where there are fewer than ``count`` lines, others of the root moves are added.
        """
        best = self.lines[0]
        last = self.last
        shown = {report.pv[0] for report in self.lines}
        for move in moves:
            if len(self.lines) < count and move not in shown:
                score = self.lines[-1].score._replace(bound="upperbound")
                self.lines = [
                    *self.lines,
                    best._replace(depth=1, score=score, pv=[move], ponder=""),
                ]
                last = None
        if last is None or last.nodes != nodes or last.pv[:1] != best.pv[:1] or last.score.bound:
            for number, report in enumerate(self.lines, start=1):
                self(report._replace(multipv=number, nodes=nodes, seconds=seconds))
