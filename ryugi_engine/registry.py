"""Finding the games: every package below ``variants`` offers a function ``games()``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

import variants
from ryugi_engine.game import Game, Rules

#: The game that an engine plays until it is told otherwise.
DEFAULT = "ryugi"


class UnknownGame(ValueError):
    """No game of that name."""


class Registry:
    """The built-in games and those of a user's file."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._own: dict[str, Game] = {}
        for module in pkgutil.iter_modules(variants.__path__):
            package = importlib.import_module(f"variants.{module.name}")
            for game in package.games():
                self._games[game.name] = game

    def load_file(self, path: str) -> list[Game]:
        """Add the games of a definition file and return them.

        An earlier file's games are replaced. OSError, or a ValueError that names file, line and
        key, leaves everything as it was.
        """
        own: dict[str, Game] = {}
        if path:
            own = {game.name: game for game in read_definitions(path)}
            for game in own.values():
                for name in (game.name, *game.aliases):
                    taken = self._games.get(name) or self._alias(self._games, name)
                    if taken is not None and taken.start != game.start:
                        raise ValueError(f"{path}: '{name}' is the name of a built-in game")
        self._own = own
        return list(own.values())

    @staticmethod
    def _alias(games: dict[str, Game], name: str) -> Game | None:
        return next((game for game in games.values() if name in game.aliases), None)

    def names(self) -> list[str]:
        """All names and aliases, the default game first, then by alphabet."""
        names = set()
        for game in (*self._games.values(), *self._own.values()):
            names |= {game.name, *game.aliases}
        return [DEFAULT, *sorted(names - {DEFAULT})]

    def games(self) -> list[Game]:
        """Every game once, by name."""
        games = {**self._games, **self._own}
        return [games[name] for name in sorted(games)]

    def game(self, name: str) -> Game:
        """The game of a name or alias in any letter case; UnknownGame if there is none."""
        wanted = name.lower()
        for games in (self._own, self._games):
            found = games.get(wanted) or self._alias(games, wanted)
            if found is not None:
                return found
        raise UnknownGame(f"unknown variant '{name[:40]}' (known: {', '.join(self.names())})")


def read_definitions(path: str) -> list[Game]:
    """The games of a user's definition file; OSError, or a ValueError naming line and key."""
    package = importlib.import_module("variants.chess_family")
    games: list[Game] = package.games_from_file(Path(path))
    return games


@cache
def registry() -> Registry:
    """The process's registry of built-in games."""
    return Registry()


@cache
def _rules(game: Game) -> Rules:
    return game.load()


def rules_of(game: Game) -> Rules:
    """A game's rules, loaded once; the first call imports numba and compiles or loads kernels."""
    return _rules(game)
