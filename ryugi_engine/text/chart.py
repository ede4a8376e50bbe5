"""Line charts as SVG: values over games or epochs, error bands, horizontal levels.

Source: W3C, "Scalable Vector Graphics (SVG) 1.1".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

#: Colours that stay apart for people who see few of them (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_WIDTH, _HEIGHT = 760, 300
#: A sheet of styles may give lines of these classes other colours.
_AXIS = 'class="axis" stroke="#8a8072"'
#: Length of the line of its colour that stands before a name.
_SAMPLE = 14
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 110, 16, 44


@dataclass
class Line:
    """Points (x, y) of a line; ``errors`` are half-heights of a band around it, where finite."""

    name: str
    points: list[tuple[float, float]] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)


def _ticks(low: float, high: float) -> list[float]:
    """Return four to nine round numbers between two."""
    step: float = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 2.5, 5, 10) if (high - low) / (step * factor) <= 8)
    first = math.ceil(low / step)
    return [n * step for n in range(first, math.floor(high / step) + 1)]


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.06 or 1.0
    return low - room, high + room


def chart(
    title: str, across: str, lines: Sequence[Line], levels: Sequence[tuple[float, str]] = ()
) -> str:
    """Return a chart as SVG, "" without points.

    ``across`` labels the x-axis. ``levels`` are horizontal lines: (height, name).
    """
    lines = [line for line in map(_finite, lines) if line.points]
    if not lines:
        return ""
    heights = [y for line in lines for _, y in line.points] + [y for y, _ in levels]
    for line in lines:
        # the first errors are wider than anything that comes later: they may leave the picture
        later = list(zip(line.points, line.errors, strict=False))[len(line.points) // 4 :]
        heights += [y + s * e for (_, y), e in later if math.isfinite(e) for s in (-1, 1)]
    low, high = _range(heights)
    begin = min(x for line in lines for x, _ in line.points)
    end = max(*(x for line in lines for x, _ in line.points), begin + 1)

    names = [line.name for line in lines] + [name for _, name in levels]
    right = max(_RIGHT, 16 + _SAMPLE + 7 * max(map(len, names)))

    def at(x: float, y: float) -> str:
        across = _LEFT + (x - begin) / (end - begin) * (_WIDTH - _LEFT - right)
        up = _TOP + (high - min(max(y, low), high)) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)
        return f"{across:.1f} {up:.1f}"

    def text(place: str, content: str, more: str = "") -> str:
        x, y = place.split()
        return f'<text x="{x}" y="{y}" {more}>{escape(content)}</text>'

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' font-family="sans-serif" font-size="12" fill="#2b2620">\n<!-- ryugi-engine -->'
        f"<title>{escape(title)}</title>"
    ]
    for tick in _ticks(low, high):
        stroke = _AXIS if abs(tick) < 1e-9 else 'class="grid" stroke="#e4dac6"'
        parts.append(f'<path d="M{at(begin, tick)}L{at(end, tick)}" {stroke}/>')
        x, y = at(begin, tick).split()
        parts.append(text(f"{float(x) - 8} {float(y) + 4}", f"{tick:g}", 'text-anchor="end"'))
    for tick in _ticks(begin, end):
        x, _ = at(tick, low).split()
        parts.append(text(f"{x} {_HEIGHT - _BOTTOM + 18}", f"{tick:g}", 'text-anchor="middle"'))
    middle = (_LEFT + _WIDTH - right) / 2
    parts.append(text(f"{middle} {_HEIGHT - 8}", across, 'text-anchor="middle"'))
    for height, name in levels:
        parts.append(
            f'<path d="M{at(begin, height)}L{at(end, height)}" {_AXIS}'
            ' stroke-dasharray="6 4" fill="none"/>'
        )
        x, y = at(end, height).split()
        parts.append(text(f"{float(x) + 8} {float(y) + 4}", name))
    ends: list[tuple[float, str, str]] = []
    for number, line in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        band = [
            (x, y, e)
            for (x, y), e in zip(line.points, line.errors, strict=False)
            if math.isfinite(e)
        ]
        if band:
            way = [at(x, y + e) for x, y, e in band] + [at(x, y - e) for x, y, e in band[::-1]]
            parts.append(f'<path d="M{"L".join(way)}Z" fill="{colour}" opacity=".15"/>')
        way = [at(x, y) for x, y in line.points]
        parts.append(
            f'<path d="M{"L".join(way)}" stroke="{colour}" stroke-width="2" fill="none"'
            ' stroke-linejoin="round"/>'
        )
        if line.name:
            ends.append((float(way[-1].split()[1]) + 4, line.name, colour))
    below = -math.inf
    for height, name, colour in sorted(ends):
        below = max(height, below + 13)  # names must not stand on one another
        left = _WIDTH - right + 8
        sample = f'<path d="M{left} {below - 4:.1f}h{_SAMPLE}" stroke="{colour}" stroke-width="3"/>'
        parts += [sample, text(f"{left + _SAMPLE + 4} {below:.1f}", name)]
    return "\n".join([*parts, "</svg>"])


def _finite(line: Line) -> Line:
    """Return a line without the points that cannot be drawn."""
    errors = line.errors or [math.nan] * len(line.points)
    kept = [(p, e) for p, e in zip(line.points, errors, strict=True) if math.isfinite(p[1])]
    return Line(line.name, [p for p, _ in kept], [e for _, e in kept])
