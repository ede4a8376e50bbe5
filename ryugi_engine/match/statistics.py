"""Statistics of a match between two engines: scores, Elo differences and their errors.

The two games of an opening with colours changed are counted as one result of five ("pentanomial").
Much of an opening's effect on a single game cancels out in the pair. So the errors are those of the
match as it was played. Games that stand alone are results of three.

Sources: M. Van den Bergh, "Comments on Normalized Elo", 2020; the block of text is the one that
users of fastchess know.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.results import FinishedGame, meetings

#: What stands for a figure that too few games leave unknown.
UNKNOWN = "-"
#: Half-width of a 95 % interval in standard deviations.
SIGMAS = 1.959963984540054
#: Points of logistic Elo in a unit of the natural logarithm of the odds.
ELO_UNIT = 400 / math.log(10)


def elo_of(score: float) -> float:
    """Return the logistic Elo difference of a mean score in 0..1; infinite at the ends."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO_UNIT * math.log(score / (1 - score))


def score_of(elo: float) -> float:
    """Return the mean score in 0..1 of a logistic Elo difference."""
    return 1 / (1 + math.exp(-elo / ELO_UNIT))


@dataclass(frozen=True)
class Estimate:
    """A value with the half-width of its 95 % interval; either may be infinite or nan."""

    value: float
    error: float

    def __str__(self) -> str:
        """Return ``12.34 +/- 5.67``; ``-`` for what too few games leave unknown."""
        if not math.isfinite(self.value):
            return UNKNOWN
        return f"{rounded(self.value)} +/- {rounded(self.error)}"


def rounded(number: float) -> str:
    """Return a number with two decimals, no minus before zero; ``-`` if it is not finite."""
    if not math.isfinite(number):
        return UNKNOWN
    text = f"{number:.2f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


@dataclass(frozen=True)
class Sample:
    """How often each result came about: from worst to best, scores evenly spaced in 0..1.

    Three counts are games, five are pairs of games. What cannot be estimated is nan: the error of
    results that were all the same, everything where there are none.
    """

    counts: tuple[int, ...]

    @property
    def games_each(self) -> int:
        """Games in a result: 1 of three counts, 2 of five."""
        return (len(self.counts) - 1) // 2

    @property
    def size(self) -> int:
        """The number of results."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """Points a game, 0..1."""
        if not self.size:
            return math.nan
        top = len(self.counts) - 1
        return sum(i * count for i, count in enumerate(self.counts)) / (top * self.size)

    @property
    def variance(self) -> float:
        """The variance of one result's score."""
        if not self.size:
            return math.nan
        top, mean = len(self.counts) - 1, self.score
        squares = (count * (i / top - mean) ** 2 for i, count in enumerate(self.counts))
        return sum(squares) / self.size

    @property
    def deviation(self) -> float:
        """The standard deviation of the mean score; nan where all results are alike."""
        return math.sqrt(self.variance / self.size) if self.size and self.variance else math.nan

    def elo(self) -> Estimate:
        """Return the logistic Elo difference with its 95 % interval."""
        score, margin = self.score, SIGMAS * self.deviation
        if math.isnan(score):
            return Estimate(math.nan, math.nan)
        if math.isnan(margin):
            return Estimate(elo_of(score), math.nan)
        if not 0 < score - margin < score + margin < 1:
            return Estimate(elo_of(score), math.inf)
        return Estimate(elo_of(score), (elo_of(score + margin) - elo_of(score - margin)) / 2)

    def normalized_elo(self) -> Estimate:
        """Return normalized Elo: the score above 1/2 in standard deviations of a game.

        It says how many games show the difference, for any openings and draws.
        """
        if not self.size:
            return Estimate(math.nan, math.nan)
        each_game = math.sqrt(self.games_each * self.variance)
        if not each_game:
            lead = self.score - 0.5
            return Estimate(math.copysign(math.inf, lead) if lead else math.nan, math.nan)
        unit = 2 * ELO_UNIT / each_game
        return Estimate(unit * (self.score - 0.5), unit * SIGMAS * self.deviation)

    def superiority(self) -> float:
        """Return the likelihood of superiority (LOS), 0..1; nan if all results are equal."""
        return (1 + math.erf((self.score - 0.5) / (self.deviation * math.sqrt(2)))) / 2


@dataclass(frozen=True)
class Score:
    """Score of two engines' games, from the first engine's point of view."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    #: Pairs worth 0, 0.5, 1, 1.5 and 2 points; a pair counts when both of its games are over.
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    #: Of the pairs worth one point those with two draws.
    drawn_pairs: int = 0

    @classmethod
    def of(cls, games: Sequence[FinishedGame], first: str, second: str) -> Score:
        """Return the score of two engines' games among ``games``."""
        points = [(game.pair, game.points(first)) for game in meetings(games, first, second)]
        by_pair: dict[int, list[float]] = defaultdict(list)
        for pair, point in points:
            by_pair[pair].append(point)
        pairs = [0] * 5
        drawn = 0
        for both in by_pair.values():
            if len(both) == 2:
                pairs[round(2 * sum(both))] += 1
                drawn += both == [0.5, 0.5]
        wins, losses, draws = (sum(p == worth for _, p in points) for worth in (1, 0, 0.5))
        worst, worse, even, better, best = pairs
        return cls(wins, losses, draws, (worst, worse, even, better, best), drawn)

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """Points of the first engine."""
        return self.wins + self.draws / 2

    @property
    def sample(self) -> Sample:
        """The sample for estimates: pairs of games, or single games if there are no pairs."""
        if any(self.pairs):
            return Sample(self.pairs)
        return Sample((self.losses, self.draws, self.wins))

    @property
    def draw_ratio(self) -> float:
        """The share of even pairs, or of drawn games if there are no pairs; nan if unknown."""
        sample = self.sample
        return sample.counts[len(sample.counts) // 2] / sample.size if sample.size else math.nan

    @property
    def pairs_ratio(self) -> float:
        """Pairs won to pairs lost."""
        return _ratio(sum(self.pairs[3:]), sum(self.pairs[:2]))

    @property
    def decided_ratio(self) -> float:
        """The ratio of even pairs with a win and a loss to those with two draws (WL/DD)."""
        return _ratio(self.pairs[2] - self.drawn_pairs, self.drawn_pairs)


def _ratio(part: int, other: int) -> float:
    if other:
        return part / other
    return math.inf if part else math.nan


def percent(part: float) -> str:
    """Return a share as ``50.00 %``; ``-`` if it is unknown."""
    return f"{rounded(100 * part)} %" if math.isfinite(part) else UNKNOWN


def score_lines(score: Score) -> list[str]:
    """Return the results of two engines as fastchess's block of lines."""
    sample = score.sample
    paired = any(score.pairs)
    los, draws = percent(sample.superiority()), percent(score.draw_ratio)
    ratio = f", PairsRatio: {rounded(score.pairs_ratio)}" if paired else ""
    share = percent(score.points / score.games if score.games else math.nan)
    lines = [
        f"Elo: {sample.elo()}, nElo: {sample.normalized_elo()}",
        f"LOS: {los}, DrawRatio: {draws}{ratio}",
        f"Games: {score.games}, Wins: {score.wins}, Losses: {score.losses}, "
        f"Draws: {score.draws}, Points: {score.points:.1f} ({share})",
    ]
    if paired:
        lines.append(
            f"Ptnml(0-2): {list(score.pairs)}, WL/DD Ratio: {rounded(score.decided_ratio)}"
        )
    return lines


class Scores:
    """The finished games, the first engine's points in them, and each engine's faults."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        #: Without their records, which would fill the memory.
        self.games: list[FinishedGame] = []
        #: Of two engines how many games were worth 1, 0.5 and 0 to the first one.
        self.points: Counter[float] = Counter()
        self.faults: Counter[str] = Counter()
        self.lost_turns = 0
        self._at_fault: dict[str, Counter[str]] = {name: Counter() for name in names}

    def add(self, game: FinishedGame, lost_turns: int = 0) -> None:
        """Count a finished game."""
        self.games.append(replace(game, record=""))
        self.lost_turns += lost_turns
        if len(self.names) == 2:
            self.points[game.points(self.names[0])] += 1
        if game.reason in FAULTS:
            self.faults[game.reason] += 1
            loser = game.black if game.result == "1-0" else game.white
            self._at_fault[loser][game.reason] += 1

    def fault_lines(self) -> list[str]:
        """Return lines of faults: each engine's if there are more than two, lost turns, the sum."""
        lines = []
        for name, faults in self._at_fault.items():
            if faults and len(self.names) > 2:
                message = ", ".join(f"{fault} {number}" for fault, number in faults.most_common())
                lines.append(f"Faults of {name}: {message}")
        if self.lost_turns:
            lines.append(f"Turns lost on time: {self.lost_turns}")
        return [*lines, "Faults: " + ", ".join(f"{f} {self.faults[f]}" for f in FAULTS)]
