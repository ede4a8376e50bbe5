"""A study's figures: what the page shows and the JSON file holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ryugi_engine import about
from ryugi_engine.games.game import Game
from ryugi_engine.study.balance import Balance, Games, balances, trend
from ryugi_engine.study.course import Course, course_of
from ryugi_engine.study.estimates import Figure
from ryugi_engine.study.journal import Journal
from ryugi_engine.study.plan import PLAY, Plan


@dataclass(frozen=True)
class Study:
    """All figures of a study, made from its games."""

    game: Game
    plan: Plan
    #: Games between equals at each strength.
    by_strength: tuple[Games, ...]
    #: Seconds of play, and the day of the last game.
    seconds: float
    date: str

    @classmethod
    def of(cls, game: Game, journal: Journal, date: str) -> Study:
        """Return the study of a log's games."""
        assert journal.plan is not None
        played = tuple(journal.of(PLAY, strength) for strength in range(len(journal.plan.nodes)))
        return cls(game, journal.plan, played, journal.spent, date)

    @property
    def games(self) -> int:
        """The number of games between equals."""
        return sum(map(len, self.by_strength))

    @property
    def first(self) -> str:
        """What the side is called that moves first."""
        fields = self.game.start.split()
        return self.game.sides[len(fields) > 1 and fields[1][:1] == "b"]

    @cached_property
    def balances(self) -> list[Balance]:
        """The balance at each strength, the weakest first."""
        return balances(self.plan, self.by_strength)

    def trend(self, of: str) -> Figure | None:
        """Return how a figure of the balance changes from the weakest to the strongest play."""
        return trend(self.balances, of)

    @cached_property
    def course(self) -> Course | None:
        """The course of the games of the two stronger kinds, or of all if there are none."""
        return course_of([*self.by_strength[1], *self.by_strength[2]] or self.by_strength[0])

    def to_json(self) -> dict[str, Any]:
        """Return all figures as plain data."""
        course = self.course
        return {
            "figures of": self.game.name,
            "title": self.game.title,
            "engine": about.engine(),
            "date": self.date,
            "seconds": round(self.seconds),
            "games": self.games,
            "first side": self.first,
            "interval": 0.95,
            "balance": [balance.to_json() for balance in self.balances],
            "trend": {
                name: figure.to_json()
                for name in ("first", "draws")
                if (figure := self.trend(name)) is not None
            },
            "course": None if course is None else course.to_json(),
        }
