"""The general family: a game's rules and moves are numbers in its tables."""

from __future__ import annotations

from collections.abc import Callable

from ryugi_engine.games.game import Game, Rules
from variants.chess.definition.definition import Definition


def loader(game: Callable[[], Game], definition: Definition) -> Callable[[], Rules]:
    """Return a function that loads a game's rules; ``game`` may be created after this call."""

    def load() -> Rules:
        from variants.chess.general.rules import GeneralRules

        return GeneralRules(game(), definition)

    return load
