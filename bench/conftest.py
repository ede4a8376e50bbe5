"""Collects nodes a second of the engine and its peers and prints the ratios at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

#: What is measured -> who -> nodes a second.
FIGURES: dict[str, dict[str, float]] = {}
OURS = "ryugi-engine"


def note(what: str, who: str, nodes_per_second: float) -> None:
    """Keep a figure for the summary."""
    FIGURES.setdefault(what, {})[who] = nodes_per_second


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in ratios():
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
