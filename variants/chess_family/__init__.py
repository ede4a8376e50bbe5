"""The fast kernels of chess-like games, and the games that come with them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from ryugi_engine.games.definitions import read_file
from ryugi_engine.games.game import Game, Rules
from variants import fairy
from variants.chess_family.fast_game import FastGame

_FOLDER = Path(__file__).parent


def loader(game: Callable[[], Game], fast: FastGame) -> Callable[[], Rules]:
    """Return a function that loads a game's rules; ``game`` may be created after this call."""

    def load() -> Rules:
        from variants.chess_family.rules import ChessRules

        return ChessRules(game(), fast)

    return load


@cache
def games() -> list[Game]:
    """Return the built-in games."""
    files = sorted((_FOLDER / "definitions").glob("*.toml"))
    return [fairy.define(r, folder=_FOLDER) for path in files for r in read_file(path)]
