"""How games go: lengths, ends, choice of moves, captures, decided openings, comebacks, sharpness.

Scores are turned into expected scores by a logistic fit to the study's own results. So figures mean
the same in games whose evaluations have different units.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ryugi_engine.study.balance import Games
from ryugi_engine.study.estimates import Figure, logistic, mean, mean_share, share

#: An expected score from which on a game counts as decided: four games in five.
DECIDED = 0.8
#: Loss of expected score by which a move is the only one.
ONLY = 0.2
#: Plies from one score that is fitted to the next, and pawns of a usual prior: 1 / (1 + e^(-x/2)).
_STEP, _USUAL, _WEIGHT = 4, 0.5, 50.0


class Course(NamedTuple):
    """Figures of some games; lengths are in plies."""

    games: int
    length: Figure
    #: Lengths that 10, 50 and 90 % of the games do not exceed.
    quantiles: tuple[int, int, int]
    lengths: list[int]
    ends: list[tuple[str, Figure]]
    #: Legal moves of a position; captures, drops of a game.
    branching: Figure
    captures: Figure
    drops: Figure
    #: Share of games that are decided after the opening; in which a side comes back.
    decided: Figure
    comebacks: Figure
    #: Expected score that the second-best move loses; share of positions with an only move.
    sharpness: Figure
    only_moves: Figure
    #: Pawns that an expected score is a logistic function of.
    slope: float

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        data: dict[str, Any] = {"games": self.games}
        for name, part in zip(self._fields, self, strict=True):
            if isinstance(part, Figure):
                data[name] = part.to_json()
        low, middle, high = self.quantiles
        data["length_quantiles"] = {"10": low, "50": middle, "90": high}
        data["ends"] = {reason: figure.to_json() for reason, figure in self.ends}
        return data


def expected(slope: float, centipawns: float) -> float:
    """Return the expected score of a score in centipawns."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, slope * centipawns / 100))))


def slope_of(games: Games) -> float:
    """Return how steeply results follow the scores, in 1 / pawn."""
    rows, points = [], []
    for game in games:
        scores = game["scores"][::_STEP]
        rows += [[value / 100] for value in scores]
        points += [float(game["points"])] * len(scores)
    if not rows:
        return _USUAL
    fit = logistic(rows, points, [_USUAL], [_WEIGHT])
    return max(float(fit.coefficients[0]), 0.01)


def course_of(games: Games) -> Course | None:
    """Return the figures of some games; None without any."""
    if not games:
        return None
    slope, count = slope_of(games), len(games)
    lengths = [len(game["moves"].split()) for game in games]
    ends = Counter(end_of(game) for game in games)
    decided = comebacks = only = 0
    losses: list[float] = []
    plies = 0
    for game in games:
        hopes = [expected(slope, value) for value in game["scores"]]
        decided += bool(hopes) and not 1 - DECIDED < hopes[0] < DECIDED
        comebacks += _comes_back(hopes, float(game["points"]))
        here = [
            expected(slope, best) - expected(slope, second)
            for _ply, best, second in game["seconds"]
        ]
        only += sum(loss > ONLY for loss in here)
        plies += len(here)
        if here:
            losses.append(float(np.mean(here)))
    low, middle, high = (int(np.percentile(lengths, part)) for part in (10, 50, 90))
    return Course(
        games=count,
        length=mean(lengths),
        quantiles=(low, middle, high),
        lengths=lengths,
        ends=[(reason, share(number, count)) for reason, number in ends.most_common()],
        branching=mean([g["branching"] / max(1, n) for g, n in zip(games, lengths, strict=True)]),
        captures=mean([game["captures"] for game in games]),
        drops=mean([game["drops"] for game in games]),
        decided=share(decided, count),
        comebacks=share(comebacks, count),
        sharpness=mean_share(losses),
        only_moves=share(only, plies)._replace(games=len(losses)),
        slope=slope,
    )


def end_of(game: Any) -> str:
    """Return how a game has ended: a draw is one whatever the reason says."""
    reason = str(game["reason"])
    if float(game["points"]) != 0.5:
        return "a win" if reason == "normal" else reason
    return "a draw" if reason == "normal" else f"draw: {reason}"


def _comes_back(hopes: Sequence[float], points: float) -> bool:
    """Return whether a side without hope at some time did not lose."""
    if not hopes:
        return False
    return (points >= 0.5 and min(hopes) < 1 - DECIDED) or (points <= 0.5 and max(hopes) > DECIDED)
