"""Ratings of engines that have all met: the Bradley-Terry model, with errors, and a cross table.

A win is as likely as one rating's share of both; a draw is half a win and half a loss. Errors come
from how the results were really scattered, pair of games by pair of games, not from what the
model would have them be: draws and openings played with both colours make them smaller.

Sources: R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952, for the
model; P. J. Huber, "The behavior of maximum likelihood estimates under nonstandard conditions",
1967, for the errors.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.statistics import SIGMAS, Estimate, percent, rounded

_Matrix = np.ndarray[Any, np.dtype[np.float64]]

#: Points of Elo in a unit of the natural logarithm of the odds.
_SCALE = 400 / math.log(10)
_ROUNDS, _CLOSE = 200, 1e-12


@dataclass(frozen=True)
class Standing:
    """An engine's row in the rating table."""

    name: str
    games: int
    points: float
    #: In Elo, the mean of all that can be compared being 0. Infinite for an engine that has lost
    #: nothing to them, or won nothing; nan for one that has not met them.
    rating: Estimate


@dataclass(frozen=True)
class Standings:
    """The rating table: all engines, the best first, with a cross table."""

    places: tuple[Standing, ...]
    #: (points of the first, games) by the names of two that have met.
    scores: dict[tuple[str, str], tuple[float, int]]


def standings(names: Sequence[str], games: Sequence[FinishedGame]) -> Standings:
    """Rate engines by their games; engines without games are included."""
    numbers = {name: number for number, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for game in games:
        white, black = numbers[game.white], numbers[game.black]
        points[white, black] += game.points(game.white)
        points[black, white] += game.points(game.black)
    ratings = _rated(points)
    known = np.isfinite(ratings)
    errors = np.full(len(names), math.nan)
    if known.sum() > 1:
        errors[known] = _errors(ratings, known, numbers, games)
    places = [
        Standing(
            name,
            round((points[i] + points[:, i]).sum()),
            float(points[i].sum()),
            Estimate(_SCALE * float(ratings[i]), _SCALE * SIGMAS * float(errors[i])),
        )
        for name, i in numbers.items()
    ]
    places.sort(key=lambda p: (math.isnan(p.rating.value), -p.rating.value, -p.points))
    scores = {
        (one, other): (float(points[i, j]), round(points[i, j] + points[j, i]))
        for one, i in numbers.items()
        for other, j in numbers.items()
        if points[i, j] + points[j, i]
    }
    return Standings(tuple(places), scores)


def _reached(points: _Matrix, begin: int) -> _Matrix:
    """Whom an engine has scored against, or somebody whom it has so reached."""
    reached = np.zeros(len(points), dtype=bool)
    reached[begin] = True
    while True:
        more = reached | (points[reached] > 0).any(axis=0)
        if (more == reached).all():
            return reached
        reached = more


def _rated(points: _Matrix) -> _Matrix:
    """Return the maximum-likelihood ratings in natural units.

    Those are finite among engines each of whom has taken something from all the others, directly
    or through others: of such groups the largest is rated.
    """
    count = len(points)
    ratings = np.full(count, math.nan)
    if not count:
        return ratings
    over = np.array([_reached(points, i) for i in range(count)])
    alike = over & over.T
    core = int(alike.sum(axis=1).argmax())
    for i in range(count):
        if over[i, core] != over[core, i]:
            ratings[i] = math.inf if over[i, core] else -math.inf
    group = np.flatnonzero(alike[core])
    ratings[group] = _likeliest(points[np.ix_(group, group)])
    return ratings


def _information(games: _Matrix, ratings: _Matrix) -> tuple[_Matrix, _Matrix]:
    """Each one's expected score against each, and minus the second derivative."""
    expected = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
    weights = games * expected * expected.T
    return expected, np.diag(weights.sum(axis=1)) - weights


def _likeliest(points: _Matrix) -> _Matrix:
    """Return the maximum-likelihood ratings with mean 0, by Newton's method."""
    games = points + points.T
    ratings = np.zeros(len(points))
    for _ in range(_ROUNDS):
        expected, information = _information(games, ratings)
        step = np.linalg.pinv(information) @ (points - games * expected).sum(axis=1)
        # a step of more than one unit may overshoot, to where nothing can be seen any more
        step /= max(1.0, float(np.abs(step).max()))
        ratings = ratings + step
        if np.abs(step).max() < _CLOSE:
            break
    return np.asarray(ratings - ratings.mean())


def _errors(
    ratings: _Matrix, known: _Matrix, numbers: dict[str, int], games: Sequence[FinishedGame]
) -> _Matrix:
    """Standard deviations of finite ratings; nan where results that were all alike show none."""
    place = {int(number): at for at, number in enumerate(np.flatnonzero(known))}
    rated = ratings[known]
    met = np.zeros((len(rated), len(rated)))
    surprises: dict[tuple[int, int, int], float] = defaultdict(float)
    for game in games:
        one, other = (place.get(numbers[name]) for name in sorted((game.white, game.black)))
        if one is None or other is None:
            continue
        met[one, other] += 1
        met[other, one] += 1
        expected = 1 / (1 + math.exp(rated[other] - rated[one]))
        surprises[game.pair, one, other] += game.points(min(game.white, game.black)) - expected
    scatter = np.zeros_like(met)
    for (_pair, one, other), surprise in surprises.items():
        square = surprise * surprise
        scatter[one, one] += square
        scatter[other, other] += square
        scatter[one, other] -= square
        scatter[other, one] -= square
    inverse = np.linalg.pinv(_information(met, rated)[1])
    variances = np.diag(inverse @ scatter @ inverse)
    return np.sqrt(np.where(variances > 1e-12, variances, math.nan))


def rating_lines(table: Standings) -> list[str]:
    """Return the table for a terminal: a line an engine, best first, a column an opponent."""
    names = [place.name for place in table.places]
    rows = [["Rank", "Name", "Elo", "+/-", "Games", "Points", "Score"]]
    rows[0] += [str(number) for number in range(1, len(names) + 1)]
    for number, place in enumerate(table.places, start=1):
        cells = (table.scores.get((place.name, other)) for other in names)
        rows.append(
            [
                str(number),
                place.name,
                rounded(place.rating.value),
                rounded(place.rating.error),
                str(place.games),
                f"{place.points:.1f}",
                percent(place.points / place.games if place.games else math.nan),
                *("-" if cell is None else f"{cell[0]:.1f}/{cell[1]}" for cell in cells),
            ]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
