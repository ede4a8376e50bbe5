"""What rounds of training gain together: sums of Elo with their errors, and their chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from ryugi_engine.files.output import PICTURE
from ryugi_engine.files.reading import naming
from ryugi_engine.files.writing import write_whole
from ryugi_engine.match.statistics import Estimate
from ryugi_engine.text.chart import Line, chart

#: A value with its error, as a journal keeps it.
Gain = Sequence[float]
NO_GAIN: Gain = (0.0, 0.0)
#: Elo that a comparison without a lost pair counts as in a sum, and its error: nobody knows.
MOST_ELO = 800.0
_NAME = "Elo over the evaluation without a net"


def gain_of(elo: Estimate) -> Gain:
    """Return an estimate as a gain that can be summed up."""
    finite = math.isfinite(elo.value) and math.isfinite(elo.error)
    return (elo.value, elo.error) if finite else (MOST_ELO, MOST_ELO)


def both(one: Gain, other: Gain) -> Gain:
    """Return the sum of two gains whose errors have nothing to do with each other."""
    return one[0] + other[0], math.hypot(one[1], other[1])


def sums_of(gains: Sequence[Gain]) -> list[Estimate]:
    """Return the Elo after each of some gains, of all up to it."""
    return [Estimate(*total) for total in accumulate(gains, both)]


def draw(title: str, sums: Sequence[Estimate], path: Path) -> None:
    """Write a chart of the Elo by round, the first value before the first round."""
    points = [(float(number), elo.value) for number, elo in enumerate(sums)]
    line = Line(_NAME, points, [elo.error for elo in sums])
    with naming(path):
        write_whole(path, chart(f"{title}: {_NAME}", "round", [line]), PICTURE)
