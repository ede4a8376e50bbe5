"""The interface of a match's output. Formats: ``output_writers`` and ``report``."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.statistics import Scores


class MatchOutput(ABC):
    """A format of a match's output. Until :meth:`match_started` only :meth:`note` is called."""

    def __init__(self) -> None:
        self.plan: MatchPlan
        #: Kept up to date by the match.
        self.scores: Scores

    def match_started(self, plan: MatchPlan, scores: Scores, total: int) -> None:
        """Begin the output: plan, scores so far, number of games; called in the event loop."""
        self.plan, self.scores = plan, scores

    def game_started(self, task: GameTask, total: int) -> None:  # noqa: B027 - optional
        """Report the beginning of a game."""

    def moved(  # noqa: B027 - optional
        self, task: GameTask, position: Position, answer: Answer, clocks: tuple[float, float]
    ) -> None:
        """Report a move; ``clocks`` are White's and Black's seconds."""

    @abstractmethod
    def game_ended(self, game: FinishedGame, played: PlayedGame, remaining: int) -> None:
        """Report the end of a game, which the scores already count; ``remaining`` games follow.

        Called in another thread than the rest; no game begins or ends meanwhile.
        """

    @abstractmethod
    def note(self, line: str) -> None:
        """Report another event, as the path of a transcript."""

    @abstractmethod
    def match_ended(self) -> None:
        """Report the results."""

    def files_written(self) -> None:  # noqa: B027 - optional
        """Called last, when every game is in the match's files."""


class OutputGroup(MatchOutput):
    """Several outputs of one match; notes go to the first one."""

    def __init__(self, *outputs: MatchOutput) -> None:
        super().__init__()
        self.outputs = outputs

    def match_started(self, plan: MatchPlan, scores: Scores, total: int) -> None:
        for output in self.outputs:
            output.match_started(plan, scores, total)

    def game_started(self, task: GameTask, total: int) -> None:
        for output in self.outputs:
            output.game_started(task, total)

    def moved(
        self, task: GameTask, position: Position, answer: Answer, clocks: tuple[float, float]
    ) -> None:
        for output in self.outputs:
            output.moved(task, position, answer, clocks)

    def game_ended(self, game: FinishedGame, played: PlayedGame, remaining: int) -> None:
        for output in self.outputs:
            output.game_ended(game, played, remaining)

    def note(self, line: str) -> None:
        self.outputs[0].note(line)

    def match_ended(self) -> None:
        for output in self.outputs:
            output.match_ended()

    def files_written(self) -> None:
        for output in self.outputs:
            output.files_written()
