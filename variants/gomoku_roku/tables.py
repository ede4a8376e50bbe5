"""Building the table block of a rule set."""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.block import Block
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.board import CIRCLE_OF, CIRCLES, TRACK_OF, Square, cost, stretches
from variants.gomoku_roku.definition import Definition
from variants.gomoku_roku.evaluate import WINDOW_VALUES


def cell_number(at: Square) -> int:
    """Return a circle's number among all cells."""
    return CIRCLE_OF[at] if at in CIRCLE_OF else L.TRACK_CELL + TRACK_OF[at]


def circles_set(circles: set[Square]) -> int:
    """Return a set of cost circles as a word."""
    return sum(1 << CIRCLE_OF[at] for at in circles)


def windows() -> list[tuple[int, int]]:
    """Return (cost circles, track circle or -1) of every window, in the kernels' order."""
    numbered = []
    for five in stretches(5):
        ends = [TRACK_OF[at] for at in five if at in TRACK_OF]
        numbered.append((circles_set(set(five) & set(CIRCLES)), ends[0] if ends else -1))
    return sorted(numbered, key=lambda window: (window[1] >= 0, window[1], window[0]))


def pairs() -> list[tuple[int, int, int, tuple[Square, Square]]]:
    """Return (word of the pair, two flanking cells, the pair) of every stretch of four."""
    return [
        (circles_set({b, c}), cell_number(a), cell_number(d), (b, c)) for a, b, c, d in stretches(4)
    ]


def build(game: Definition) -> Block:
    """Return the table block."""
    block = Block(L.TABLES.words)
    table = L.TABLES.of(block)
    table["ninuki"] = game.ninuki
    table["removals_to_win"] = game.removals_to_win
    for stones, value in enumerate(WINDOW_VALUES):
        table["values"][stones] += value
        table["values"][stones << 4] -= value

    def append(which: Any, field: str, number: int) -> None:
        which[field][which["count"]] = number
        which["count"] += 1

    ending: dict[int, list[int]] = {}
    for number, (circles, end) in enumerate(windows()):
        table["masks"][number] = circles
        for circle in range(len(CIRCLES)):
            if circles >> circle & 1:
                append(table["windows_at"][circle], "window", number)
        if end >= 0:
            ending.setdefault(end, []).append(number)
    for end, numbers in ending.items():
        table["track_windows"][end] = numbers
    for circle, at in enumerate(CIRCLES):
        table["cost"][circle] = cost(at)
        table["rings"][cost(at)] |= 1 << circle
    flanks = []
    for number, (between, first, last, _circles) in enumerate(pairs()):
        table["between"][number] = between
        for cell in (first, last):
            table["ends"][number][cell // 64] |= 1 << cell % 64
        flanks += [(first, number, between, last), (last, number, between, first)]
    for place, (cell, number, between, other) in enumerate(sorted(flanks)):
        table["flank"][place] = (between, other, number)
        table["first_flank"][cell + 1 :] = place + 1
    return block
