"""Plots of a study as SVG, in the colours of the page that they stand in.

Source: W3C, "Scalable Vector Graphics (SVG) 1.1".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from ryugi_engine.study.estimates import Figure

_WIDTH, _ROW, _LABEL, _RIGHT = 720, 34, 150, 36
_BINS = 24


def _svg(title: str, height: float, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" class="plot">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'
    )


def stacked(
    title: str, unit: str, rows: Sequence[tuple[str, Sequence[tuple[str, float]], Figure]]
) -> str:
    """Return bars of shares that sum up to 1; rows are (label, [(class, share)], figure).

    The figure is marked on its bar, with its interval.
    """
    wide, parts = _WIDTH - _LABEL - _RIGHT, []
    for number, (label, shares, figure) in enumerate(rows):
        top, x = 8 + number * _ROW, float(_LABEL)
        parts.append(_text(_LABEL - 16, top + 17, label, "end"))
        for kind, part in shares:
            if part > 0:
                parts.append(
                    f'<rect x="{x:.1f}" y="{top}" width="{wide * part:.1f}" height="24"'
                    f' class="{kind}"/>'
                )
            x += wide * part
        at, low, high = (_LABEL + wide * part for part in figure[:3])
        parts.append(f'<path class="whisker" d="M{low:.1f} {top + 12}H{high:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{at:.1f}" cy="{top + 12}" r="4"/>')
    below = 8 + len(rows) * _ROW
    parts.append(_text(_LABEL - 16, below + 14, unit, "end", "small"))
    for tick in range(0, 101, 25):
        x = _LABEL + wide * tick / 100
        parts.append(_text(x, below + 14, f"{tick} %", "middle", "small"))
    return _svg(title, below + 20, parts)


def histogram(title: str, values: Sequence[int], unit: str) -> str:
    """Return how often lengths occur; "" without any."""
    if not values:
        return ""
    low, high = min(values), max(values) + 1
    width = max(1, math.ceil((high - low) / _BINS))
    edges = np.arange(low, high + width, width)
    counts, _ = np.histogram(values, edges)
    wide, tall, parts = _WIDTH - 2 * _RIGHT, 150, []
    each = wide / len(counts)
    for number, count in enumerate(counts.tolist()):
        height = tall * count / max(counts.tolist())
        parts.append(
            f'<rect class="bar" x="{_RIGHT + number * each + 1:.1f}" y="{10 + tall - height:.1f}"'
            f' width="{max(1.0, each - 2):.1f}" height="{height:.1f}">'
            f"<title>{edges[number]} to {edges[number + 1] - 1} {escape(unit)}: {count}</title>"
            "</rect>"
        )
    every = max(1, len(counts) // 8)
    for number in range(0, len(counts), every):
        x = _RIGHT + (number + 0.5) * each
        parts.append(_text(x, tall + 28, str(edges[number]), "middle", "small"))
    parts.append(_text(_WIDTH / 2, tall + 46, unit, "middle", "small"))
    parts.append(_text(_RIGHT, 14, f"{max(counts.tolist())} games", "start", "small"))
    return _svg(title, tall + 52, parts)


def whiskers(title: str, rows: Sequence[tuple[str, Figure]], unit: str) -> str:
    """Return values with their intervals, a row each; "" without any that is known."""
    rows = [row for row in rows if math.isfinite(row[1].value)]
    if not rows:
        return ""
    values = [part for _, figure in rows for part in figure[:3] if math.isfinite(part)]
    low, high = min(0.0, *values), max(1.0, *values)
    # one value that nobody knows must not flatten the others
    high = min(high, 2.0 * max(1.0, *(figure.value for _, figure in rows)))
    low = max(low, -0.5 * high)
    wide, parts = _WIDTH - _LABEL - _RIGHT, []

    def at(value: float) -> float:
        return _LABEL + wide * (min(max(value, low), high) - low) / (high - low)

    below = 8 + len(rows) * _ROW
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100, 1000, 1e9) if (high - low) / s <= 10)
    for tick in range(math.ceil(low / step), math.floor(high / step) + 1):
        x = at(tick * step)
        parts.append(f'<path class="grid" d="M{x:.1f} 4V{below}"/>')
        parts.append(_text(x, below + 14, f"{tick * step:g}", "middle", "small"))
    for number, (label, figure) in enumerate(rows):
        y = 8 + number * _ROW + 12
        parts.append(_text(_LABEL - 10, y + 5, label, "end"))
        parts.append(f'<path class="line" d="M{at(figure.low):.1f} {y}H{at(figure.high):.1f}"/>')
        parts.append(f'<circle class="point" cx="{at(figure.value):.1f}" cy="{y}" r="5"/>')
    parts.append(_text(_LABEL + wide / 2, below + 32, unit, "middle", "small"))
    return _svg(title, below + 38, parts)
