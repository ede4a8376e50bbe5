"""What a match prints while it runs and at its end: lines for people, JSON for programs.

A new format is a subclass of :class:`MatchOutput` that :func:`create_output` makes.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict

from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.match_output import MatchOutput
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.statistics import Scores
from ryugi_engine.match.summary import duration, result_lines, summary_data, summary_lines


def create_output(*, quiet: bool, as_json: bool, rating_interval: int) -> MatchOutput:
    """Return the output that ``match``'s options ask for."""
    if quiet or as_json:
        return JsonOutput() if as_json else PlainOutput()
    return (TerminalOutput if sys.stdout.isatty() else VerboseOutput)(rating_interval)


class PlainOutput(MatchOutput):
    """A line a finished game, and the table at the end."""

    def note(self, line: str) -> None:
        print(line, flush=True)

    def game_ended(self, game: FinishedGame, played: PlayedGame, remaining: int) -> None:
        detail = f": {played.detail}" if played.detail else ""
        if any(played.lost_turns):
            white_late, black_late = played.lost_turns
            detail += f", turns lost on time {white_late}-{black_late}"
        plies = counted(len(played.moves), "ply", "plies")
        names = self.plan.names
        if len(names) == 2:
            points = self.scores.points
            standing = f"{names[0]}: +{points[1]} -{points[0]} ={points[0.5]}"
        else:
            standing = f"{game.white} - {game.black}"
        result = f"{game.result} ({game.reason}{detail})"
        self.note(f"Game {game.number}: {result}, {plies}; {standing}")

    def match_ended(self) -> None:
        plan, scores = self.plan, self.scores
        *lines, rule = summary_lines(scores.names, scores.games, plan.description, plan.test)
        self.note("\n".join([*lines, *scores.fault_lines(), rule]))


class VerboseOutput(PlainOutput):
    """The plain lines, reports, and every tenth move if one game is played at a time.

    A report has the results so far and the expected end.
    """

    def __init__(self, rating_interval: int) -> None:
        """Report every so many games; never for 0."""
        super().__init__()
        self._interval = rating_interval

    def match_started(self, plan: MatchPlan, scores: Scores, total: int) -> None:
        super().match_started(plan, scores, total)
        self._began, self._ended = time.monotonic(), 0

    def game_started(self, task: GameTask, total: int) -> None:
        if self.plan.concurrency == 1:
            names = self.plan.names
            of = "" if self.plan.until_decided else f" of {total}"
            self.note(f"Game {task.number}{of}: {names[task.white]} - {names[task.black]}")

    def moved(
        self, task: GameTask, position: Position, answer: Answer, clocks: tuple[float, float]
    ) -> None:
        if self.plan.concurrency == 1:
            thought = f"{answer.score}/{answer.depth}" if answer.score else "-"
            side = position.game.sides[1 - position.side]
            ply = len(position.moves)
            self._show_move(
                f"  ply {ply:3d}  {side} {answer.move:6s} {thought:>9s}  "
                f"clocks {clocks[0]:6.2f} {clocks[1]:6.2f}",
                ply,
            )

    def _show_move(self, line: str, ply: int) -> None:
        if ply % 10 == 0:
            self.note(line)

    def game_ended(self, game: FinishedGame, played: PlayedGame, remaining: int) -> None:
        super().game_ended(game, played, remaining)
        self._ended += 1
        # the last report is the table at the end
        if not remaining or not self._interval or self._ended % self._interval:
            return
        for line in result_lines(self.scores.names, self.scores.games, self.plan.test):
            self.note(f"  {line}")
        if not self.plan.until_decided:
            seconds = (time.monotonic() - self._began) / self._ended * remaining
            self.note(f"  {counted(remaining, 'game')} left, about {duration(seconds)}")


class TerminalOutput(VerboseOutput):
    """Verbose output in which each move replaces the line of the one before."""

    def note(self, line: str) -> None:
        print(f"\r\x1b[K{line}", flush=True)

    def _show_move(self, line: str, ply: int) -> None:
        print(f"\r{line}\x1b[K", end="", flush=True)


class JsonOutput(MatchOutput):
    """A JSON object a line and event: ``start``, ``begin``, ``game``, ``note``, ``end``."""

    def _write(self, event: str, **values: object) -> None:
        print(json.dumps({"event": event, **values}, ensure_ascii=False), flush=True)

    def match_started(self, plan: MatchPlan, scores: Scores, total: int) -> None:
        super().match_started(plan, scores, total)
        games = None if plan.until_decided else total
        self._write("start", names=list(plan.names), games=games)

    def game_started(self, task: GameTask, total: int) -> None:
        white, black = self.plan.names[task.white], self.plan.names[task.black]
        self._write(
            "begin", number=task.number, white=white, black=black, opening=task.opening.text
        )

    def game_ended(self, game: FinishedGame, played: PlayedGame, remaining: int) -> None:
        plain = {name: value for name, value in asdict(game).items() if name != "record"}
        self._write("game", **plain, detail=played.detail, faults=dict(self.scores.faults))

    def note(self, line: str) -> None:
        self._write("note", text=line.strip())

    def match_ended(self) -> None:
        scores = self.scores
        results = summary_data(scores.names, scores.games, self.plan.test)
        self._write("end", **results, faults=dict(scores.faults))
