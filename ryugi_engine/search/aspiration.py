"""Aspiration windows: an iteration is searched with a window around the score of the one before.

The kernels are Python functions too: ``first_window.function`` is called without compiling.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P


class Window(NamedTuple):
    """Bounds of a root search; ``delta`` is the distance of the last widened bound."""

    delta: int
    alpha: int
    beta: int


@kernel
def first_window(depth, score):
    """Return the window of an iteration of ``depth`` plies, around the last iteration's score."""
    delta = P.ASPIRATION_DELTA if depth >= P.ASPIRATION_DEPTH else 2 * L.INFINITE
    return Window(delta, max(score - delta, -L.INFINITE), min(score + delta, L.INFINITE))


@kernel
def holds(window, value):
    """Return whether a value neither failed low nor high."""
    low = value <= window.alpha and window.alpha > -L.INFINITE
    high = value >= window.beta and window.beta < L.INFINITE
    return not low and not high


@kernel
def widened(window, value):
    """Return the window to search next, after a value that failed low or high."""
    delta = window.delta * P.ASPIRATION_GROWTH
    if delta > P.ASPIRATION_LIMIT:
        delta = 2 * L.INFINITE
    if value <= window.alpha:
        beta = (window.alpha + window.beta) // 2
        return Window(delta, max(value - delta, -L.INFINITE), beta)
    return Window(delta, window.alpha, min(value + delta, L.INFINITE))
