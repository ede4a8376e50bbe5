"""The fast kernels: bitboards for games that have only what chess has."""

from __future__ import annotations

from collections.abc import Callable

from ryugi_engine.games.game import Game, Rules
from variants.chess.fast.game import FastGame


def loader(game: Callable[[], Game], fast: FastGame) -> Callable[[], Rules]:
    """Return a function that loads a game's rules; ``game`` may be created after this call."""

    def load() -> Rules:
        from variants.chess.fast.rules import FastRules

        return FastRules(game(), fast)

    return load
