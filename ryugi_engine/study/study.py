"""A study's figures: what the page shows and the JSON file holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ryugi_engine import about
from ryugi_engine.games.game import Game
from ryugi_engine.study.balance import Balance, Games, balances, trend
from ryugi_engine.study.course import Course, course_of
from ryugi_engine.study.estimates import Figure
from ryugi_engine.study.journal import Journal
from ryugi_engine.study.mates import Mate, mates_of, sets_of
from ryugi_engine.study.odds import Army, army_of
from ryugi_engine.study.openings import Branch, First, first_moves, tree
from ryugi_engine.study.pieces import Choice, Piece, Rule, pieces_of, promotions_of, rules_of_games
from ryugi_engine.study.plan import MATE, ODDS, PLAY, Plan
from ryugi_engine.study.replays import chosen


def _distinct(games: Games) -> Games:
    """Return games without those that repeat another one move by move: they tell nothing new."""
    return list({game["moves"]: game for game in reversed(games)}.values())[::-1]


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
    #: Games between equals that repeat another one, and do not count.
    repeated: int = 0
    #: Games in which sides lack pieces, and games against a bare king.
    odds: Games = ()
    endings: Games = ()

    @classmethod
    def of(cls, game: Game, journal: Journal, date: str) -> Study:
        """Return the study of a log's games."""
        assert journal.plan is not None
        played = tuple(_distinct(journal.of(PLAY, n)) for n in range(len(journal.plan.nodes)))
        odds = [one for one in journal.of(ODDS) if any(one["lacking"])]
        repeated = sum(key.startswith(f"{PLAY} ") for key in journal.games) - sum(map(len, played))
        endings = journal.of(MATE, 1)
        return cls(game, journal.plan, played, journal.spent, date, repeated, odds, endings)

    @property
    def games(self) -> int:
        """The number of games between equals."""
        return sum(map(len, self.by_strength))

    @property
    def first_side(self) -> int:
        """The side that moves first: 0 White, 1 Black."""
        fields = self.game.start.split()
        return int(len(fields) > 1 and fields[1][:1] == "b")

    @property
    def first(self) -> str:
        """What the side is called that moves first."""
        return self.game.sides[self.first_side]

    @cached_property
    def strong(self) -> Games:
        """The games of the two stronger kinds, or all if there are none."""
        return [*self.by_strength[2], *self.by_strength[1]] or self.by_strength[0]

    @cached_property
    def every(self) -> Games:
        """The games of all strengths."""
        return [game for games in self.by_strength for game in games]

    @cached_property
    def balances(self) -> list[Balance]:
        """The balance at each strength, the weakest first."""
        return balances(self.plan, self.by_strength)

    def trend(self, of: str) -> Figure | None:
        """Return how a figure of the balance changes from the weakest to the strongest play."""
        return trend(self.balances, of)

    @cached_property
    def course(self) -> Course | None:
        """The course of the stronger games."""
        return course_of(self.strong)

    @cached_property
    def army(self) -> Army | None:
        """The pieces that a side can lack."""
        return army_of(self.game) if self.plan.odds_pairs else None

    @property
    def army_unit(self) -> str:
        """The letter of the piece that values are told in; "" without one."""
        return "" if self.army is None else self.army.unit

    @cached_property
    def pieces(self) -> list[Piece]:
        """The figures of the pieces."""
        return pieces_of(self.game, self.army, self.strong, self.odds)

    @cached_property
    def promotions(self) -> list[Choice]:
        """What pieces promote to."""
        return promotions_of(self.strong)

    @cached_property
    def rules(self) -> list[Rule]:
        """How often rules mattered, at any strength."""
        return rules_of_games(self.every)

    @cached_property
    def first_moves(self) -> list[First]:
        """The first moves by their scores."""
        return first_moves(self.strong)

    @cached_property
    def tree(self) -> tuple[Branch, ...]:
        """The lines that are played most."""
        return tree(self.strong)

    @cached_property
    def mates(self) -> list[Mate]:
        """Which few pieces mate a bare king."""
        return mates_of(sets_of(self.game), self.endings)

    @property
    def shown_strength(self) -> int:
        """The strength of the games to replay, by its index: the strongest with three games."""
        enough = (at for at in (2, 1, 0) if len(self.by_strength[at]) > 2)
        return next(enough, max(range(3), key=lambda at: len(self.by_strength[at])))

    @cached_property
    def shown(self) -> list[tuple[str, Mapping[str, Any]]]:
        """The games to replay, with what they are."""
        best = self.by_strength[self.shown_strength]
        return chosen(best, self.course.slope) if self.course is not None else []

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
            "repeated games": self.repeated,
            "first side": self.first,
            "interval": 0.95,
            "balance": [balance.to_json() for balance in self.balances],
            "trend": {
                name: figure.to_json()
                for name in ("first", "draws")
                if (figure := self.trend(name)) is not None
            },
            "course": None if course is None else course.to_json(),
            "pieces": [piece.to_json() for piece in self.pieces],
            "promotions": {one.sign: one.share.to_json() for one in self.promotions},
            "rules": {rule.name: rule.to_json() for rule in self.rules},
            "first moves": {one.move: one.score.to_json() for one in self.first_moves},
            "lines": [branch.to_json() for branch in self.tree],
            "mates": {mate.pieces: mate.mates.to_json() for mate in self.mates},
            "replays": {name: game["moves"] for name, game in self.shown},
        }
