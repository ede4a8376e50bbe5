"""What a match says: score, Elo difference and its error."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Half-width of a 95 % interval in standard deviations.
_SIGMAS = 1.959964


@dataclass
class Tally:
    """Results from the first engine's point of view."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> float:
        """Points a game, 0..1."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def add(self, points: float) -> None:
        """Count a game worth 1, 0.5 or 0 to the first engine."""
        if points == 1:
            self.wins += 1
        elif points == 0:
            self.losses += 1
        else:
            self.draws += 1

    def elo(self) -> tuple[float, float]:
        """(Elo difference, half-width of its 95 % interval); infinite where all games went one way.

        The logistic model: difference = -400 log10(1 / score - 1), with the error of the mean
        score carried through its slope.
        """
        score = self.score
        if not 0 < score < 1:
            return math.copysign(math.inf, score - 0.5), math.inf
        elo = -400 * math.log10(1 / score - 1)
        variance = (
            self.wins * (1 - score) ** 2 + self.draws * (0.5 - score) ** 2 + self.losses * score**2
        ) / self.games
        deviation = math.sqrt(variance / self.games)
        slope = 400 / (math.log(10) * score * (1 - score))
        return elo, _SIGMAS * deviation * slope
