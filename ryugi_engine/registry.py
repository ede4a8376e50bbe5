"""Finding the games: every package below ``variants`` offers a function ``games()``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from types import ModuleType

import variants
from ryugi_engine.definitions import read_file
from ryugi_engine.game import Game, Rules

#: The game of the command line, and the one that a GUI opens which leaves the choice to the engine.
DEFAULT = "ryugi"
#: What a user's definition belongs to if it does not say.
DEFAULT_FAMILY = "chess"


def _packages() -> list[pkgutil.ModuleInfo]:
    return list(pkgutil.iter_modules(variants.__path__))


class UnknownGame(ValueError):
    """No game of that name."""


class Registry:
    """The built-in games and those of a user's file."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._own: dict[str, Game] = {}
        for module in _packages():
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
        """All names and aliases, by alphabet."""
        games = (*self._games.values(), *self._own.values())
        return sorted({name for game in games for name in (game.name, *game.aliases)})

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


def _families() -> dict[str, ModuleType]:
    """The packages whose games a user can define, by the name of their family."""
    modules = [importlib.import_module(f"variants.{m.name}") for m in _packages()]
    return {module.FAMILY: module for module in modules if hasattr(module, "FAMILY")}


def read_definitions(path: str) -> list[Game]:
    """The games of a user's definition file; OSError, or a ValueError naming line and key."""
    families = _families()
    games: list[Game] = []
    for reader in read_file(Path(path)):
        family = reader.get("family", str, DEFAULT_FAMILY)
        if family not in families:
            raise reader.fail("family", f"'{family[:40]}' is none of {', '.join(sorted(families))}")
        games.append(families[family].define(reader))
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
