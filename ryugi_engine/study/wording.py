"""Figures in words: percentages and numbers with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ryugi_engine.games.game import counted
from ryugi_engine.study.estimates import Figure

UNKNOWN = "unknown"
UNMEASURED = "not measured"


def percent(figure: Figure) -> str:
    """Return ``54.2 % (51.0 to 57.3)``; what may be anything was not measured."""
    if not math.isfinite(figure.value):
        return UNKNOWN
    if figure.low <= 0 and figure.high >= 1:
        return UNMEASURED
    value, low, high = (f"{100 * part:.1f}" for part in figure[:3])
    return f"{value}\N{NO-BREAK SPACE}% ({low} to {high})"


def round_percent(figure: Figure) -> str:
    """Return ``54 % (51 to 57)``, for sentences."""
    if not math.isfinite(figure.value):
        return UNKNOWN
    value, low, high = (f"{100 * part:.0f}" for part in figure[:3])
    return f"{value}\N{NO-BREAK SPACE}% ({low} to {high})"


def points(figure: Figure) -> str:
    """Return ``47 percentage points (35 to 58)``, of a difference of shares."""
    value, low, high = (f"{100 * part:.0f}" for part in figure[:3])
    return f"{value} percentage points ({low} to {high})"


def number(figure: Figure, digits: int = 1, factor: float = 1.0) -> str:
    """Return ``42.0 (40.1 to 43.9)``; ``factor`` changes the unit."""
    if not math.isfinite(figure.value):
        return UNKNOWN
    value, low, high = (factor * part for part in figure[:3])
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{value:.{digits}f} (too few games)"
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def games(count: int) -> str:
    """Return ``1 game`` or ``1,200 games``."""
    return counted(count, "game").replace(str(count), f"{count:,}", 1)


def listed(words: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
