"""Which folders are games: those with an ``__init__.py`` in ``variants``, or in RYUGI_GAMES.

What is wrong with a game is a GameError of one line, as early as it can be seen. One of the
engine's own games ends everything by it; one of RYUGI_GAMES is left out, and the others go on.
"""

from __future__ import annotations

import importlib
import importlib.util
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeVar

import variants
from ryugi_engine.games.definitions import NAME
from ryugi_engine.games.game import Game, GameError

_Made = TypeVar("_Made")
_INIT = "__init__.py"


class _Package(NamedTuple):
    """A folder of ``variants``, or one of RYUGI_GAMES."""

    folder: Path
    own: bool

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"variants/{self.folder.name}" if self.own else str(self.folder)


class Found(NamedTuple):
    """The games by name, the packages that they lie in, and what has been left out, a line each."""

    games: dict[str, Game]
    packages: list[ModuleType]
    faults: list[str]


def told(error: BaseException) -> str:
    """An error of a game's code in a line: where in its folder it came up, if anywhere there."""
    folders = tuple(variants.__path__)
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(folders)
    ]
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: " if frames else ""
    return where + " ".join(f"{type(error).__name__}: {error}".split())[:300]


def made(where: str, make: Callable[[], _Made]) -> _Made:
    """What a game's code makes; GameError for whatever goes wrong in it."""
    try:
        return make()
    except GameError as error:
        raise GameError(f"{where}: {error}") from None
    except (Exception, SystemExit) as error:
        raise GameError(f"{where}: {told(error)}") from error


# ---- folders -------------------------------------------------------------------------------------


def _folders(folder: Path) -> list[Path]:
    """The folders below one that are packages, by name."""
    return sorted(path for path in folder.iterdir() if (path / _INIT).is_file())


def _in(folder: Path) -> list[Path]:
    """The same of a folder that RYUGI_GAMES names; GameError if it holds no game."""
    where = f"RYUGI_GAMES: {folder}"
    if not folder.is_dir():
        raise GameError(f"{where}: there is no such folder")
    if (folder / _INIT).is_file():
        raise GameError(f"{where} is a game itself: name the folder that it lies in")
    try:
        found = _folders(folder)
    except OSError as error:
        raise GameError(f"{where}: {error.strerror}") from None
    if not found:
        raise GameError(f"{where} holds no game: no folder in it has an {_INIT}")
    return found


def _packages(faults: list[str]) -> Iterator[_Package]:
    """All packages; adds to ``faults`` what is wrong with the folders of RYUGI_GAMES."""
    own, *others = (Path(folder) for folder in variants.__path__)
    known = {path.name: path for path in _folders(own)}
    yield from (_Package(path, own=True) for path in known.values())
    seen = {own.resolve()}
    for folder in others:
        if folder.resolve() in seen:
            continue
        seen.add(folder.resolve())
        try:
            found = _in(folder)
        except GameError as error:
            faults.append(str(error))
            continue
        for path in found:
            if not path.name.isidentifier():
                faults.append(f"{path}: left out, a package's name is letters, digits and _")
            elif path.name in known:
                faults.append(f"{path}: left out, {known[path.name]} has that name already")
            else:
                known[path.name] = path
                yield _Package(path, own=False)


# ---- games ---------------------------------------------------------------------------------------


def _refuse_names(where: str, game: Game, taken: set[str]) -> None:
    for name in (game.name, *game.aliases):
        if not NAME.match(name):
            raise GameError(
                f"{where}: a game's name is lower-case letters, digits and hyphens, not {name!r}"
            )
        if name in taken:
            raise GameError(f"{where}: another game is called '{name}' already")
        taken.add(name)


def _games_of(package: _Package, taken: set[str]) -> tuple[ModuleType, list[Game]]:
    """A package and its games, whose names are not to be ``taken``; GameError if it is not one."""
    where = package.where
    module = made(where, lambda: importlib.import_module(f"variants.{package.folder.name}"))
    make = getattr(module, "games", None)
    if not callable(make):
        raise GameError(f"{where}: the package has no function games()")
    games = made(where, lambda: list(make()))
    if not games or not all(isinstance(game, Game) for game in games):
        raise GameError(f"{where}: games() must give a list of at least one Game")
    taken = set(taken)
    for game in games:
        _refuse_names(where, game, taken)
        try:
            rules = importlib.util.find_spec(game.rules_module)
        except ImportError:
            rules = None
        if rules is None:
            raise GameError(
                f"{where}: there is no module {game.rules_module}, which has to hold"
                f" the rules of {game.name}"
            )
    return module, games


@cache
def find() -> Found:
    """Import every package, once; GameError if one of the engine's own is broken."""
    found = Found({}, [], [])
    for package in _packages(found.faults):
        taken = {name for game in found.games.values() for name in (game.name, *game.aliases)}
        try:
            module, games = _games_of(package, taken)
        except GameError as error:
            if package.own:
                raise
            found.faults.append(f"{error} (this game is left out)")
            continue
        found.packages.append(module)
        found.games.update({game.name: game for game in games})
    return found
