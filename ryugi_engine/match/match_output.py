"""The interface of a match's output. Formats: ``output_writers``."""

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
        """Report another event, such as the path of a transcript."""

    @abstractmethod
    def match_ended(self) -> None:
        """Report the results."""
