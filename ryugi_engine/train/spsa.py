"""Simultaneous perturbation stochastic approximation (SPSA) of integer parameters.

Each iteration plays both games of an opening between two settings: every parameter is moved by its
step, up in one setting and down in the other, or the other way round, at random. The score moves
each parameter towards its value in the winner. What an iteration adds depends on its number, the
seed and its score alone, so a log of scores is enough to resume.

Source: J. Spall, "An overview of the simultaneous perturbation method for efficient optimization",
1998; gains and their schedule as in fishtest.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

#: Exponents of the schedule, and its stability constant as a share of the iterations (Spall).
_ALPHA, _GAMMA, _STABILITY = 0.602, 0.101, 0.1
#: A step at the end, as a share of a parameter's initial value and of its range, at least.
_STEP_OF_VALUE, _STEP_OF_RANGE = 0.12, 0.002
#: Points of a drawn pair of games.
_EVEN = 2


class Tunable(NamedTuple):
    """A parameter with its initial value and its limits, which are allowed values."""

    name: str
    value: int
    low: int
    high: int

    @property
    def step(self) -> float:
        """The step of the last iteration."""
        of_value = _STEP_OF_VALUE * abs(self.value)
        return max(0.5, of_value, _STEP_OF_RANGE * (self.high - self.low))


class Trial(NamedTuple):
    """The two settings that an iteration compares: name to value."""

    plus: dict[str, int]
    minus: dict[str, int]


@dataclass
class Spsa:
    """The state of a tuning run."""

    tunables: Sequence[Tunable]
    #: Number of iterations for which the schedule is made.
    iterations: int
    seed: int
    #: Of the last iteration, in squared steps per half point.
    learning_rate: float

    def __post_init__(self) -> None:
        self.values = {tunable.name: float(tunable.value) for tunable in self.tunables}

    def _source(self, number: int) -> random.Random:
        return random.Random(f"{self.seed} {number}")

    def _step(self, tunable: Tunable, number: int) -> float:
        """Return a parameter's step in the iteration with this number, counted from 0."""
        return tunable.step * float(((number + 1) / self.iterations) ** -_GAMMA)

    def _rate(self, number: int) -> float:
        """Return the learning rate of an iteration, in squared steps of that iteration."""
        stability = _STABILITY * self.iterations
        shrinking = ((stability + self.iterations) / (stability + number + 1)) ** _ALPHA
        growing = ((number + 1) / self.iterations) ** (2 * _GAMMA)
        return self.learning_rate * float(shrinking * growing)

    def trial(self, number: int) -> Trial:
        """Return the settings that the iteration with this number compares, from 0.

        Values between two integers are rounded up or down at random.
        """
        source = self._source(number)
        trial = Trial({}, {})
        for tunable in self.tunables:
            sign = source.choice((1, -1))
            for setting, moved in zip(trial, (sign, -sign), strict=True):
                value = self.values[tunable.name] + moved * self._step(tunable, number)
                rounded = math.floor(value + source.random())
                setting[tunable.name] = max(tunable.low, min(rounded, tunable.high))
        return trial

    def learn(self, number: int, points: int) -> None:
        """Move the parameters by the score of an iteration.

        ``points`` are the half points of setting ``plus`` in the two games, 0 to 4.
        """
        source = self._source(number)
        rate = self._rate(number)
        for tunable in self.tunables:
            sign = source.choice((1, -1))
            source.random(), source.random()  # drawn for rounding
            moved = rate * self._step(tunable, number) * (points - _EVEN) * sign
            value = self.values[tunable.name] + moved
            self.values[tunable.name] = max(tunable.low, min(value, tunable.high))

    def rounded(self) -> Mapping[str, int]:
        """Return the present values, rounded to integers."""
        return {name: round(value) for name, value in self.values.items()}
