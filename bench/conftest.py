"""Collects nodes a second, and times, of the engine and its peers; prints the ratios at the end.

RYUGI_BENCH=short runs every benchmark with small numbers, and expects no speed: whether they run at
all is a test, ``tests/repository/test_benchmarks.py``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest

_T = TypeVar("_T")
_SHORT = os.environ.get("RYUGI_BENCH") == "short"
#: Seconds that a benchmark may take.
_LIMIT = 600 if _SHORT else 7200
#: A bound that everything is below.
NEVER = float("inf")

#: What is measured -> who -> nodes a second.
FIGURES: dict[str, dict[str, float]] = {}
#: What is measured -> who -> how many a second.
RATES: dict[str, dict[str, float]] = {}
#: What is measured -> who -> seconds.
TIMES: dict[str, dict[str, float]] = {}
OURS = "ryugi-engine"


def size(full: _T, short: _T) -> _T:
    """Return a number of a benchmark for this run."""
    return short if _SHORT else full


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(_LIMIT))


def note(what: str, who: str, nodes_per_second: float) -> None:
    """Keep a figure for the summary."""
    FIGURES.setdefault(what, {})[who] = nodes_per_second


def note_rate(what: str, who: str, per_second: float) -> None:
    """Keep a rate for the summary."""
    RATES.setdefault(what, {})[who] = per_second


def note_time(what: str, who: str, seconds: float) -> None:
    """Keep a time for the summary."""
    TIMES.setdefault(what, {})[who] = seconds


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    speeds = table(f"{'Mnodes/s':>9s} {OURS + ' is':>20s}", 1e6, FIGURES)
    rates = table(f"{'a second':>9s} {OURS + ' is':>20s}", 1, RATES)
    for line in (*speeds, *rates, *table(f"{'ms':>9s} {OURS + ' takes':>20s}", 1e-3, TIMES)):
        terminalreporter.write_line(line)


def table(head: str, unit: float, figures: dict[str, dict[str, float]]) -> Iterator[str]:
    """One line for each figure, in a unit, with the ratio of the engine's to it."""
    if figures:
        yield ""
        yield f"{'measured':52s} {'who':18s} {head}"
    for what, by_whom in figures.items():
        own = by_whom.get(OURS)
        for who, figure in by_whom.items():
            ratio = f"{own / figure:.2f} times" if own is not None and who != OURS else ""
            yield f"{what:52s} {who:18s} {figure / unit:9.2f} {ratio:>20s}"
