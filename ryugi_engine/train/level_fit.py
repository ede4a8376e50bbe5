"""How strong players on a curve are, by the results of any of their games."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ryugi_engine.match.ratings import fit
from ryugi_engine.match.statistics import ELO_UNIT
from ryugi_engine.train.level_players import FULL, GREEDY, LAST, MATERIAL, RANDOM, Player

_Array = np.ndarray[Any, np.dtype[np.float64]]

#: Knots of the piecewise linear Elo along the curve, and the players off it.
_KNOTS = 19
_OTHERS = {RANDOM: _KNOTS, GREEDY: _KNOTS + 1, FULL: _KNOTS + 2, MATERIAL: _KNOTS + 3}
_SIZE = _KNOTS + len(_OTHERS)
#: Prior: Elo and its standard deviation. From one knot to the next, from the random mover to the
#: first knot, from there to the greedy mover. Then from the last knot to full strength, and from
#: the greedy mover to the material mover.
_STEP, _FROM_RANDOM, _TO_GREEDY, _TO_FULL = (160, 120), (100, 100), (200, 200), (50, 100)
_TO_MATERIAL = (100, 200)
#: By how much two steps one after the other differ.
_BEND = 50


def _row(player: Player) -> _Array:
    """Return a player's Elo as weights of the parameters."""
    row = np.zeros(_SIZE)
    if isinstance(player, str):
        row[_OTHERS[player]] = 1
        return row
    at = player / LAST * (_KNOTS - 1)
    low = min(int(at), _KNOTS - 2)
    row[low], row[low + 1] = 1 - (at - low), at - low
    return row


def _prior() -> tuple[_Array, _Array]:
    """Return precision matrix and its product with the mean."""
    beliefs = [(n + 1, n, _STEP) for n in range(_KNOTS - 1)]
    beliefs += [(0, _OTHERS[RANDOM], _FROM_RANDOM), (_OTHERS[GREEDY], 0, _TO_GREEDY)]
    beliefs += [(_OTHERS[FULL], _KNOTS - 1, _TO_FULL)]
    beliefs += [(_OTHERS[MATERIAL], _OTHERS[GREEDY], _TO_MATERIAL)]
    precision, product = np.zeros((_SIZE, _SIZE)), np.zeros(_SIZE)
    for high, low, (mean, error) in beliefs:
        row = np.zeros(_SIZE)
        row[high], row[low] = 1, -1
        weight = (ELO_UNIT / error) ** 2
        precision += np.outer(row, row) * weight
        product += row * weight * mean / ELO_UNIT
    for n in range(_KNOTS - 2):
        row = np.zeros(_SIZE)
        row[n : n + 3] = 1, -2, 1
        precision += np.outer(row, row) * (ELO_UNIT / _BEND) ** 2
    precision[_OTHERS[RANDOM], _OTHERS[RANDOM]] += (
        1e6  # everything is counted from the random mover
    )
    return precision, product


class Fit:
    """Elo of all players, counted from the random mover."""

    def __init__(self, results: Iterable[tuple[Player, Player, float]]) -> None:
        """``results``: two players and the first one's points, 0, 0.5 or 1."""
        pairs: dict[tuple[Player, Player], list[float]] = {}
        greedy = []
        for first, second, won in results:
            pairs.setdefault((first, second), []).append(won)
            if GREEDY in (first, second) and RANDOM not in (first, second):
                greedy.append(won)
        late = greedy[len(greedy) // 2 :]
        #: Share of draws in the later games of the greedy mover with level 1, as if five more were
        #: decided.
        self.greedy_draws = late.count(0.5) / (len(late) + 5)
        rows = np.array([_row(one) - _row(other) for one, other in pairs]).reshape(-1, _SIZE)
        games = np.array([len(all_won) for all_won in pairs.values()], dtype=float)
        points = np.array([sum(all_won) for all_won in pairs.values()])
        self._values, information = fit(rows, games, points, _prior())
        self._covariance = np.linalg.inv(information)

    def elo(self, player: Player) -> float:
        """Return the Elo of a player."""
        return ELO_UNIT * float(_row(player) @ self._values)

    def difference(self, one: Player, other: Player) -> tuple[float, float]:
        """Return by how much one is stronger than the other, and the standard deviation of that."""
        row = _row(one) - _row(other)
        return self.elo(one) - self.elo(other), ELO_UNIT * math.sqrt(row @ self._covariance @ row)

    def place(self, elo: float) -> float:
        """Return the place on the curve that has an Elo, the nearest end for any beyond it."""
        knots = np.maximum.accumulate(self._values[:_KNOTS] * ELO_UNIT)
        knots += 1e-6 * np.arange(_KNOTS)
        return round(float(np.interp(elo, knots, np.linspace(0, LAST, _KNOTS))), 4)
