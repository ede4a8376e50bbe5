"""The units of each round of a study, which follow from the results of the rounds before it."""

from __future__ import annotations

from itertools import islice

from ryugi_engine.games.game import Game
from ryugi_engine.study import mates, odds
from ryugi_engine.study.journal import Journal
from ryugi_engine.study.plan import MATE, ODDS, PLAY, Plan, Unit

#: Rounds in which all sets of pieces shall have been tried, and games of them in a round at least.
_MATE_ROUNDS, _MATES = 10, 4


class Rounds:
    """Makes the units of rounds."""

    def __init__(self, game: Game, plan: Plan, journal: Journal) -> None:
        self._plan, self._journal = plan, journal
        self._army = odds.army_of(game) if plan.odds_pairs else None
        self._sets = mates.sets_of(game)
        total = mates.GAMES * len(self._sets)
        self._mates = max(_MATES, -(-total // _MATE_ROUNDS)) if self._sets else 0

    def units(self, number: int) -> list[Unit]:
        """Return the units of a round, the longest games first; earlier rounds must be over."""
        plan = self._plan
        found: list[Unit] = []
        for strength in (2, 1):
            count = plan.games[strength]
            found += (Unit(PLAY, count * number + n, strength) for n in range(count))
        found += self._odds(number)
        first, total = self._mates * number, mates.GAMES * len(self._sets)
        for at in islice(range(first, total), self._mates):
            found.append(Unit(MATE, at, 1, (self._sets[at % len(self._sets)], "")))
        count = plan.games[0]
        found += (Unit(PLAY, count * number + n, 0) for n in range(count))
        return found

    def total(self, rounds: int) -> int:
        """Return how many units so many rounds have."""
        odds_games = 2 * self._plan.odds_pairs if self._army is not None else 0
        endings = min(rounds * self._mates, mates.GAMES * len(self._sets))
        return rounds * (sum(self._plan.games) + odds_games) + endings

    def _odds(self, number: int) -> list[Unit]:
        army, pairs = self._army, self._plan.odds_pairs
        if army is None:
            return []
        games = odds.sequence_of(self._journal.of(ODDS), pairs * number)
        believed = odds.believed(army, games)
        found = []
        for pair in range(pairs * number, pairs * (number + 1)):
            one, other = odds.design(army, believed, f"{self._plan.seed} odds {pair}")
            found += [
                Unit(ODDS, 2 * pair, 0, (one, other)),
                Unit(ODDS, 2 * pair + 1, 0, (other, one)),
            ]
        return found

    def left(self, number: int) -> list[Unit]:
        """Return the units of a round that the journal does not have."""
        return [unit for unit in self.units(number) if unit.key not in self._journal.games]
