"""Figures of a study against published and hand-computed numbers."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from ryugi_engine.study.estimates import Figure, difference, logistic, mean, score, share


@pytest.mark.parametrize(
    ("count", "games", "low", "high"),
    [  # R. G. Newcombe, 1998, "Two-sided confidence intervals for the single proportion", table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_shares_have_wilsons_interval(count: int, games: int, low: float, high: float) -> None:
    figure = share(count, games)
    assert figure.value == count / games
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=5e-5)


def test_differences_have_newcombes_interval() -> None:
    """R. G. Newcombe, 1998, "Interval estimation for the difference", table II, method 10."""
    figure = difference(share(56, 70), share(48, 80))
    assert figure[:3] == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)


def test_scores_by_hand() -> None:
    """Two more wins and losses: (3 + 0.5 + 2) / (5 + 4), and the deviation around that."""
    figure = score([1, 1, 1, 0.5, 0])
    middle = 5.5 / 9
    spread = 1.959964 * math.sqrt((5 + 0.25) / 9 - middle**2) / 3
    expected = (0.7, max(0, middle - spread), min(1, middle + spread), 5)
    assert figure == pytest.approx(expected, abs=1e-6)
    assert score([]).games == 0
    drawn = score([0.5] * 100)
    assert drawn.low < drawn.value == 0.5 < drawn.high
    assert drawn.high - drawn.low < 0.05


def test_intervals_hold_the_truth(source: random.Random) -> None:
    """Of 95 % intervals about one in twenty does not."""
    inside = 0
    for _ in range(400):
        points = source.choices((0.0, 0.5, 1.0), (0.3, 0.3, 0.4), k=60)
        inside += score(points).low <= 0.55 <= score(points).high
    assert 400 * 0.9 < inside < 400 * 0.99


def test_means_by_hand() -> None:
    figure = mean([1.0, 2.0, 3.0, 4.0])
    spread = 1.959964 * math.sqrt(5 / 3) / 2
    assert figure == pytest.approx((2.5, 2.5 - spread, 2.5 + spread, 4), abs=1e-6)
    assert mean([7.0]).high == math.inf


def test_a_logistic_fit_of_a_table() -> None:
    """Of two groups the coefficients are the logarithms of the odds, and of their ratio."""
    rows = [[1, 0]] * 40 + [[1, 1]] * 50
    points = [1] * 10 + [0] * 30 + [1] * 30 + [0] * 20
    fit = logistic(rows, points)
    assert fit.coefficients == pytest.approx([math.log(1 / 3), math.log(4.5)], abs=1e-6)
    # the variance of a logarithm of odds is the sum of the counts' reciprocals (Woolf, 1955)
    variances = [1 / 10 + 1 / 30, 1 / 10 + 1 / 30 + 1 / 30 + 1 / 20]
    assert np.diag(fit.covariance) == pytest.approx(variances, rel=1e-6)


def test_a_fit_of_one_sided_results_ends() -> None:
    """Without a loss the coefficient is infinite, and with a prior it is not."""
    assert logistic([[1.0]] * 20, [1.0] * 20).coefficients[0] > 5
    assert 0 < logistic([[1.0]] * 20, [1.0] * 20, [0.0], [1.0]).coefficients[0] < 3


def test_figures_as_plain_data() -> None:
    data = Figure(0.5, -math.inf, 1 / 3, 7).to_json()
    assert data == {"value": 0.5, "low": None, "high": 0.333333, "games": 7}
