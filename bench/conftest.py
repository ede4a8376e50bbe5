"""Collects nodes a second, and times, of the engine and its peers; prints the ratios at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

#: What is measured -> who -> nodes a second.
FIGURES: dict[str, dict[str, float]] = {}
#: What is measured -> who -> seconds.
TIMES: dict[str, dict[str, float]] = {}
OURS = "ryugi-engine"


def note(what: str, who: str, nodes_per_second: float) -> None:
    """Keep a figure for the summary."""
    FIGURES.setdefault(what, {})[who] = nodes_per_second


def note_time(what: str, who: str, seconds: float) -> None:
    """Keep a time for the summary."""
    TIMES.setdefault(what, {})[who] = seconds


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in (*ratios(), *times()):
        terminalreporter.write_line(line)


def ratios() -> Iterator[str]:
    """One line for each figure, with the ratio of the engine's to it."""
    if FIGURES:
        yield ""
        yield f"{'measured':42s} {'who':18s} {'Mnodes/s':>9s} {OURS + ' is':>18s}"
    for what, figures in FIGURES.items():
        own = figures.get(OURS)
        for who, figure in figures.items():
            ratio = f"{own / figure:.2f} times" if own is not None and who != OURS else ""
            yield f"{what:42s} {who:18s} {figure / 1e6:9.2f} {ratio:>18s}"


def times() -> Iterator[str]:
    """One line for each time, in milliseconds, with the ratio of the engine's to it."""
    if TIMES:
        yield ""
        yield f"{'measured':52s} {'who':14s} {'ms':>9s} {OURS + ' takes':>20s}"
    for what, figures in TIMES.items():
        own = figures.get(OURS)
        for who, figure in figures.items():
            ratio = f"{own / figure:.2f} times" if own is not None and who != OURS else ""
            yield f"{what:52s} {who:14s} {1000 * figure:9.2f} {ratio:>20s}"
