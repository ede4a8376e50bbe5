"""Ratings of engines that have all met: the Bradley-Terry model, with errors, and a cross table.

A win is as likely as one rating's share of both; a draw is half a win and half a loss. Errors come
from how the results of pairs of games were really scattered, not from the model. Draws and openings
played with both colours make them smaller.

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
from ryugi_engine.match.statistics import ELO_UNIT, SIGMAS, Estimate, percent, rounded

_Matrix = np.ndarray[Any, np.dtype[np.float64]]
_Group = np.ndarray[Any, np.dtype[np.intp]]

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
    ratings, group, information = _rated(points)
    errors = np.full(len(names), math.nan)
    if len(group) > 1:
        errors[group] = _errors(ratings, information, group, numbers, games)
    places = [
        Standing(
            name,
            round((points[i] + points[:, i]).sum()),
            float(points[i].sum()),
            Estimate(ELO_UNIT * float(ratings[i]), ELO_UNIT * SIGMAS * float(errors[i])),
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


def _rated(points: _Matrix) -> tuple[_Matrix, _Group, _Matrix]:
    """Return ratings in natural units, the players with finite ones, and the information on those.

    The ratings are the likeliest, see :func:`fit`. They are finite within a group of engines each
    of which has scored against all the others, directly or through others. The largest such group
    is rated.
    """
    count = len(points)
    ratings = np.full(count, math.nan)
    if not count:
        return ratings, np.zeros(0, dtype=np.intp), points
    over = np.array([_reached(points, i) for i in range(count)])
    alike = over & over.T
    core = int(alike.sum(axis=1).argmax())
    for i in range(count):
        if over[i, core] != over[core, i]:
            ratings[i] = math.inf if over[i, core] else -math.inf
    group = np.flatnonzero(alike[core])
    points = points[np.ix_(group, group)]
    games = points + points.T
    pairs = np.argwhere(np.triu(games))
    one, other = pairs[:, 0], pairs[:, 1]
    rows = np.eye(len(group))[one] - np.eye(len(group))[other]
    values, information = fit(rows, games[one, other], points[one, other])
    ratings[group] = values - values.mean()
    return ratings, group, information


def fit(
    rows: _Matrix, games: _Matrix, points: _Matrix, prior: tuple[_Matrix, _Matrix] | None = None
) -> tuple[_Matrix, _Matrix]:
    """Return the likeliest parameters of ratings, and the information: minus the second derivative.

    By Newton's method, in natural units.

    Parameters
    ----------
    rows
        A row a pair of players: the parameters' weights in the difference of their ratings.
    games, points
        Of each pair the number of games, and the first one's points.
    prior
        Of a normal distribution of the parameters: its precision, and that times its mean.
    """
    size = rows.shape[1]
    precision, product = prior or (np.zeros((size, size)), np.zeros(size))
    values = np.zeros(size)
    for _ in range(_ROUNDS):
        expected = 1 / (1 + np.exp(-rows @ values))
        weights = games * expected * (1 - expected)
        information = rows.T @ (rows * weights[:, None]) + precision
        slope = rows.T @ (points - games * expected) - precision @ values + product
        step = np.linalg.pinv(information, hermitian=True) @ slope
        # a step of more than one unit may overshoot, to where nothing can be seen any more
        step /= max(1.0, float(np.abs(step).max()))
        values = values + step
        if np.abs(step).max() < _CLOSE:
            break
    return values, information


def _errors(
    ratings: _Matrix,
    information: _Matrix,
    group: _Group,
    numbers: dict[str, int],
    games: Sequence[FinishedGame],
) -> _Matrix:
    """Standard deviations of the group's ratings; nan where results all alike show none."""
    place = {int(number): at for at, number in enumerate(group)}
    surprises: dict[tuple[int, int, int], float] = defaultdict(float)
    for game in games:
        one, other = (numbers[name] for name in sorted((game.white, game.black)))
        if one in place and other in place:
            expected = 1 / (1 + math.exp(ratings[other] - ratings[one]))
            surprise = game.points(min(game.white, game.black)) - expected
            surprises[game.pair, place[one], place[other]] += surprise
    scatter = np.zeros_like(information)
    for (_pair, one, other), surprise in surprises.items():
        square = surprise * surprise
        scatter[one, one] += square
        scatter[other, other] += square
        scatter[one, other] -= square
        scatter[other, one] -= square
    inverse = np.linalg.pinv(information, hermitian=True)
    variances = np.diag(inverse @ scatter @ inverse)
    return np.sqrt(np.where(variances > 1e-12, variances, math.nan))


def place_cells(table: Standings) -> list[list[str]]:
    """Return a row an engine, best first: rank, name, Elo, its error, games, points, score."""
    return [
        [
            str(number),
            place.name,
            rounded(place.rating.value),
            rounded(place.rating.error),
            str(place.games),
            f"{place.points:.1f}",
            percent(place.points / place.games if place.games else math.nan),
        ]
        for number, place in enumerate(table.places, start=1)
    ]


def rating_lines(table: Standings) -> list[str]:
    """Return the table for a terminal: a line an engine, best first, a column an opponent."""
    names = [place.name for place in table.places]
    rows = [["Rank", "Name", "Elo", "+/-", "Games", "Points", "Score"]]
    rows[0] += [str(number) for number in range(1, len(names) + 1)]
    for row in place_cells(table):
        cells = (table.scores.get((row[1], other)) for other in names)
        rows.append([*row, *("-" if c is None else f"{c[0]:.1f}/{c[1]}" for c in cells)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
