"""The sequential probability ratio test: which of two Elo differences a match speaks for.

The ratio is that of two maximum likelihoods, each under a hypothesis. It fixes the mean score
(``logistic``), or the mean score above one half in standard deviations (``normalized``). Source: M.
Van den Bergh, "Comments on Normalized Elo", 2020, for the generalized test and the fixed point that
maximizes under the second constraint.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from ryugi_engine.errors import UserError
from ryugi_engine.match.statistics import ELO_UNIT, Sample, rounded, score_of
from ryugi_engine.text.numbers import decimal

MODELS = ("normalized", "logistic")
#: How often a result that never came about is taken to have done so: its logarithm must exist.
_NEVER = 1e-3
_ROUNDS, _CLOSE = 500, 1e-9
#: The part of the other scores where nearly all results are of one.
_REST = 0.01
#: Largest Elo difference of a hypothesis; far beyond it the likelihood has many maxima.
_MOST_ELO = 200.0
_ERRORS = (1e-6, 0.999)
_NORMAL_UNIT = 2 * ELO_UNIT


@dataclass(frozen=True)
class Sprt:
    """A test of ``elo0`` against ``elo1``; errors of the first kind ``alpha``, second ``beta``."""

    elo0: Annotated[float, -_MOST_ELO, _MOST_ELO] = 0.0
    elo1: Annotated[float, -_MOST_ELO, _MOST_ELO] = 5.0
    alpha: Annotated[float, *_ERRORS] = 0.05
    beta: Annotated[float, *_ERRORS] = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        """UserError for a test that tests nothing."""
        if not self.elo0 < self.elo1:
            raise UserError(f"sprt: elo0={self.elo0:g} must be less than elo1={self.elo1:g}")
        if self.alpha + self.beta >= 1:
            raise UserError("sprt: alpha and beta must be less than 1 together")
        if self.model not in MODELS:
            raise UserError(f"sprt: model '{self.model[:40]}' is none of {', '.join(MODELS)}")

    @classmethod
    def read(cls, arguments: Sequence[str]) -> Sprt:
        """Parse ``elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized``; UserError if malformed."""
        given: dict[str, float] = {}
        model = cls.model
        seen = set()
        for word in arguments:
            name, equals, text = word.partition("=")
            if not equals or name not in ("elo0", "elo1", "alpha", "beta", "model"):
                raise UserError(f"sprt: '{word[:40]}' is not like elo0=0 elo1=5 alpha=0.05")
            if name in seen:
                raise UserError(f"sprt: {name} is given twice")
            seen.add(name)
            if name == "model":
                model = text
                continue
            low, high = (-_MOST_ELO, _MOST_ELO) if name.startswith("elo") else _ERRORS
            try:
                given[name] = decimal(text, low, high)
            except ValueError as error:
                raise UserError(f"sprt: {name}: {error}") from None
        return cls(**given, model=model)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which ``elo0`` and ``elo1`` are accepted."""
        return (math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))

    def llr(self, sample: Sample) -> float:
        """Return the log-likelihood ratio of some results."""
        if not sample.size:
            return 0.0
        total, scores, seen = _seen(sample)
        if self.model == "logistic":
            likely = [_with_mean(scores, seen, score_of(elo)) for elo in (self.elo0, self.elo1)]
        else:
            unit = math.sqrt(sample.games_each) / _NORMAL_UNIT
            likely = [_with_lead(scores, seen, elo * unit) for elo in (self.elo0, self.elo1)]
        steps = (math.log(one / null) for null, one in zip(*likely, strict=True))
        return total * math.fsum(p * step for p, step in zip(seen, steps, strict=True))

    def accepted(self, llr: float) -> str:
        """``H1`` (elo1) or ``H0`` when the test has come to its end, else ""."""
        low, high = self.bounds
        return "H1" if llr >= high else "H0" if llr <= low else ""

    def line(self, llr: float) -> str:
        """``LLR: 2.91 (98.9%) (-2.94, 2.94) [0.00, 3.00]``."""
        low, high = self.bounds
        part = abs(llr / (high if llr >= 0 else low))
        return (
            f"LLR: {rounded(llr)} ({100 * part:.1f}%) ({rounded(low)}, {rounded(high)}) "
            f"[{rounded(self.elo0)}, {rounded(self.elo1)}]"
        )


def _seen(sample: Sample) -> tuple[float, list[float], list[float]]:
    """Return (number of results, their scores, their frequencies); no frequency is zero."""
    counts = [count or _NEVER for count in sample.counts]
    total = math.fsum(counts)
    top = len(counts) - 1
    return total, [i / top for i in range(top + 1)], [count / total for count in counts]


def _crossing(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a function that decreases from plus to minus in an interval."""
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _tilted(seen: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """Return the maximum-likelihood distribution in which ``slopes`` have the mean 0.

    By Lagrange it is ``seen / (1 + x slope)``, for the one x that gives the mean.
    """

    def mean(x: float) -> float:
        return math.fsum(p * s / (1 + x * s) for p, s in zip(seen, slopes, strict=True))

    x = _crossing(mean, -1 / max(slopes), -1 / min(slopes))
    return [p / (1 + x * s) for p, s in zip(seen, slopes, strict=True)]


def _with_mean(scores: Sequence[float], seen: Sequence[float], mean: float) -> list[float]:
    """Return the maximum-likelihood distribution with a given mean score."""
    return _tilted(seen, [score - mean for score in scores])


def _moments(scores: Sequence[float], part: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a distribution."""
    mean = math.fsum(p * s for p, s in zip(part, scores, strict=True))
    return mean, math.fsum(p * (s - mean) ** 2 for p, s in zip(part, scores, strict=True))


def _with_lead(scores: Sequence[float], seen: Sequence[float], lead: float) -> list[float]:
    """Return the maximum-likelihood distribution with mean 1/2 + ``lead`` standard deviations.

    For a large lead there are several that are likelier than all near them. They are found from
    distributions with nearly all results of one score.
    """
    if lead < 0:
        return _with_lead(scores, seen[::-1], -lead)[::-1]
    starts = [_mostly(scores, number, lead) for number, s in enumerate(scores) if s > 0.5]
    found = [_likely_near(start, scores, seen, lead) for start in starts]

    def likelihood(part: Sequence[float]) -> float:
        return math.fsum(p * math.log(q) for p, q in zip(seen, part, strict=True))

    return max(found, key=likelihood)


def _mostly(scores: Sequence[float], number: int, lead: float) -> list[float]:
    """Return a distribution with at least that lead and nearly all results of one score."""
    rest = _REST
    while True:
        result = [rest / len(scores)] * len(scores)
        result[number] += 1 - rest
        mean, variance = _moments(scores, result)
        if mean - 0.5 >= lead * math.sqrt(variance):
            return result
        rest /= 2


def _likely_near(
    start: Sequence[float], scores: Sequence[float], seen: Sequence[float], lead: float
) -> list[float]:
    """Return a distribution with that lead that is likelier than those near it.

    The constraint is made straight where the distribution is, and that until it stays. Begun with
    at least that lead it keeps it, since a standard deviation bends downwards: the straight one
    can then always be met.
    """
    result = [*start]
    for _ in range(_ROUNDS):
        mean, variance = _moments(scores, result)
        bend = lead * math.sqrt(variance) / 2
        slopes = [s - 0.5 - bend * (1 + (s - mean) ** 2 / variance) for s in scores]
        before, result = result, _tilted(seen, slopes)
        if max(abs(p - q) for p, q in zip(before, result, strict=True)) < _CLOSE:
            break
    return result
