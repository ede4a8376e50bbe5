"""Openings of matches, for tests."""

from __future__ import annotations

from pathlib import Path

from ryugi_engine.errors import warn
from ryugi_engine.games.game import Game
from ryugi_engine.match.openings import Openings, read_openings


def texts_of(openings: Openings) -> list[str]:
    """The positions that all openings lead to, in order; what is left out is warned of."""
    while openings._look(warn):
        pass
    return [openings[number].text for number in range(len(openings._right))]


def texts_in(game: Game, book: Path | str | None, plies: int = 0) -> list[str]:
    """The positions of a set of openings, in its order."""
    return texts_of(read_openings(game, book, plies, order="sequential"))
