"""Figures with their 95 % intervals.

Sources: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
1927; A. Agresti and B. A. Coull, "Approximate Is Better than 'Exact' for Interval Estimation of
Binomial Proportions", 1998; P. J. Huber, "The behavior of maximum likelihood estimates under
nonstandard conditions", 1967 (the robust covariance of a fit).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ryugi_engine.match.statistics import SIGMAS

#: Steps of Newton's method at most.
_STEPS = 100


class Figure(NamedTuple):
    """A value with its 95 % interval, and the number of games that it comes from."""

    value: float
    low: float
    high: float
    games: int

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data, rounded to six decimals; null for what is not known."""
        names = ("value", "low", "high")
        parts = {name: _plain(part) for name, part in zip(names, self[:3], strict=True)}
        return {**parts, "games": self.games}

    def scaled(self, by: float) -> Figure:
        """Return the figure in another unit, times a positive number."""
        return Figure(by * self.value, by * self.low, by * self.high, self.games)


def _plain(number: float) -> float | None:
    return round(number, 6) if math.isfinite(number) else None


def share(count: int, games: int) -> Figure:
    """Return a share of games with Wilson's interval; unknown without games."""
    if not games:
        return Figure(math.nan, 0.0, 1.0, 0)
    part, square = count / games, SIGMAS**2
    middle = (part + square / (2 * games)) / (1 + square / games)
    spread = SIGMAS / (1 + square / games)
    spread *= math.sqrt(part * (1 - part) / games + square / (4 * games**2))
    # at the ends rounding would leave a share out of its own interval
    low = 0.0 if not count else middle - spread
    high = 1.0 if count == games else middle + spread
    return Figure(part, low, high, games)


def score(points: Sequence[float]) -> Figure:
    """Return the mean of results 0, 1/2 and 1.

    The interval is the normal one after two more wins and losses (Agresti and Coull): so results
    that are all alike have one, too.
    """
    if not points:
        return Figure(math.nan, 0.0, 1.0, 0)
    more = [*points, 0.0, 0.0, 1.0, 1.0]
    middle, spread = float(np.mean(more)), SIGMAS * float(np.std(more)) / math.sqrt(len(more))
    mean = float(np.mean(points))
    low, high = max(0.0, middle - spread), min(1.0, middle + spread)
    return Figure(mean, min(low, mean), max(high, mean), len(points))


def mean(values: Sequence[float], games: int | None = None) -> Figure:
    """Return a mean with its normal interval; ``games`` if several values come from each game."""
    count = len(values)
    games = count if games is None else games
    if not count:
        return Figure(math.nan, -math.inf, math.inf, 0)
    middle = float(np.mean(values))
    if games < 2:
        return Figure(middle, -math.inf, math.inf, games)
    spread = SIGMAS * float(np.std(values, ddof=1 if count > 1 else 0)) / math.sqrt(games)
    return Figure(middle, middle - spread, middle + spread, games)


def mean_share(values: Sequence[float]) -> Figure:
    """Return the mean of shares, one of each game, with its interval within 0..1."""
    figure = mean(values)
    return figure._replace(low=max(0.0, figure.low), high=min(1.0, figure.high))


def difference(one: Figure, other: Figure) -> Figure:
    """Return one minus the other, of different games (R. G. Newcombe, 1998, method 10)."""
    value = one.value - other.value
    below = math.hypot(one.value - one.low, other.high - other.value)
    above = math.hypot(one.high - one.value, other.value - other.low)
    return Figure(value, value - below, value + above, min(one.games, other.games))


class Fit(NamedTuple):
    """Coefficients of a logistic fit with their covariance."""

    coefficients: Any
    covariance: Any


def logistic(
    rows: Any, points: Any, prior: Any = None, weight: Any = None, groups: Any = None
) -> Fit:
    """Fit the score 1 / (1 + exp(-rows @ c)) to results in 0..1.

    Parameters
    ----------
    rows, points
        A row of numbers, and the result, of each game.
    prior, weight
        A prior of the coefficients: mean, and 1 / variance; flat without one.
    groups
        Games of one number are not independent: the covariance counts them together.

    The covariance is Huber's robust one: results of 1/2 vary less than the model says.
    """
    rows, points = np.asarray(rows, float), np.asarray(points, float)
    size = rows.shape[1]
    weight = np.zeros(size) if weight is None else np.asarray(weight, float)
    prior = np.zeros(size) if prior is None else np.asarray(prior, float)
    coefficients = prior.copy()
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-np.clip(rows @ coefficients, -30, 30)))
        slope = rows.T @ (points - expected) - weight * (coefficients - prior)
        bend = (rows.T * (expected * (1 - expected))) @ rows + np.diag(weight)
        step = np.linalg.pinv(bend) @ slope
        # far from the solution a whole step leads further away
        step *= min(1.0, 2.0 / max(float(np.abs(step).max(initial=0.0)), 1e-9))
        coefficients = coefficients + step
        if float(np.abs(step).max(initial=0.0)) < 1e-9:
            break
    expected = 1 / (1 + np.exp(-np.clip(rows @ coefficients, -30, 30)))
    parts = rows * (points - expected)[:, None]
    if groups is not None:
        _, at = np.unique(np.asarray(groups), return_inverse=True)
        sums = np.zeros((int(at.max(initial=-1)) + 1, size))
        np.add.at(sums, at, parts)
        parts = sums
    bend = (rows.T * (expected * (1 - expected))) @ rows + np.diag(weight)
    inverse = np.linalg.pinv(bend)
    return Fit(coefficients, inverse @ (parts.T @ parts + np.diag(weight)) @ inverse)
