"""The losses of a training as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _LEFT, _EDGE = 720, 360, 70, 30
_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")


def curve(title: str, lines: Mapping[str, Sequence[float]], levels: Mapping[str, float]) -> str:
    """An SVG of named lines over the epochs from 1 on, and of levels that do not change."""
    values = [value for line in lines.values() for value in line] + list(levels.values())
    low, high = min(values, default=0.0), max(values, default=1.0)
    spread = (high - low) or 1.0
    low, high = low - 0.05 * spread, high + 0.05 * spread
    epochs = max((len(line) for line in lines.values()), default=1)

    def x(epoch: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _EDGE) * (epoch - 1) / max(1, epochs - 1)

    def y(value: float) -> float:
        return _EDGE + (_HEIGHT - 2 * _EDGE) * (high - value) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        ' font-family="sans-serif" font-size="12">\n<!-- ryugi-engine -->',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="18">{_escaped(title)}</text>',
    ]
    for number in range(5):
        value = low + (high - low) * number / 4
        parts.append(
            f'<path d="M{_LEFT} {y(value):.1f}H{_WIDTH - _EDGE}" stroke="#ddd"/>'
            f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.5f}</text>'
        )
    for epoch in sorted({1, (epochs + 1) // 2, epochs}):
        parts.append(
            f'<text x="{x(epoch):.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{epoch}</text>'
        )
    named = [*lines.items(), *((name, [level] * epochs) for name, level in levels.items())]
    for number, (name, line) in enumerate(named):
        colour = _COLOURS[number % len(_COLOURS)]
        points = " ".join(f"{x(i):.1f},{y(value):.1f}" for i, value in enumerate(line, start=1))
        dash = ' stroke-dasharray="5 4"' if name in levels else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"{dash}/>')
        if line:
            at = _EDGE + 12 + 16 * number
            parts.append(
                f'<text x="{_WIDTH - _EDGE}" y="{at}" text-anchor="end" fill="{colour}">'
                f"{_escaped(name)}: {line[-1]:.5f}</text>"
            )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
