"""Discovery of game packages: folders with an ``__init__.py`` in ``variants`` or RYUGI_GAMES.

A fault of a game is a GameError of one line, raised as early as it can be seen. A faulty package of
the engine's own is fatal; one of RYUGI_GAMES is left out, and the others are used.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeVar

from ryugi_engine.errors import GameError
from ryugi_engine.games import facts
from ryugi_engine.games.definitions import NAME
from ryugi_engine.games.game import Game

_Made = TypeVar("_Made")
_INIT = "__init__.py"
#: The package that games are packages of; nothing else of the engine names it.
_VARIANTS = "variants"


class _Package(NamedTuple):
    """The folder of a package; ``own`` if it lies in ``variants``, not in RYUGI_GAMES."""

    folder: Path
    own: bool

    @property
    def where(self) -> str:
        """Name of the package in messages."""
        return f"variants/{self.folder.name}" if self.own else str(self.folder)


class Discovery(NamedTuple):
    """Result of :func:`discover`: games by name, their packages, and the faults of others."""

    games: dict[str, Game]
    packages: list[ModuleType]
    faults: list[str]
    left_out: set[str]


def _paths() -> list[str]:
    """Return the folders that games are looked for in: the engine's own first."""
    return list(importlib.import_module(_VARIANTS).__path__)


def _place_of(error: BaseException) -> str:
    """Return the innermost line of a game's own code in an error's traceback; "" for none."""
    import traceback  # an error's only

    folders = tuple(_paths())
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(folders)
    ]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}: " if frames else ""


def describe_error(error: BaseException) -> str:
    """Describe an exception of a game's code in one line, with file and line if known."""
    return _place_of(error) + " ".join(f"{type(error).__name__}: {error}".split())[:300]


def call_game(where: str, make: Callable[[], _Made]) -> _Made:
    """Call a game's code and return its result; any error of it becomes a GameError."""
    try:
        return make()
    except GameError as error:
        raise GameError(f"{where}: {_place_of(error)}{error}") from None
    except (Exception, SystemExit) as error:
        raise GameError(f"{where}: {describe_error(error)}") from error


# ---- folders -------------------------------------------------------------------------------------


def _folders(folder: Path) -> list[Path]:
    """Return the packages in a folder, sorted by name."""
    return sorted(path for path in folder.iterdir() if (path / _INIT).is_file())


def _in(folder: Path) -> list[Path]:
    """Return the packages in a folder of RYUGI_GAMES; GameError if there are none."""
    where = f"RYUGI_GAMES: {folder}"
    if not folder.is_dir():
        raise GameError(f"{where}: there is no such folder")
    if (folder / _INIT).is_file():
        raise GameError(f"{where} is a game itself: name the folder that it lies in")
    try:
        packages = _folders(folder)
    except OSError as error:
        raise GameError(f"{where}: {error.strerror}") from None
    if not packages:
        raise GameError(f"{where} holds no game: no folder in it has an {_INIT}")
    return packages


def _packages(faults: list[str]) -> Iterator[_Package]:
    """Yield all packages; append to ``faults`` what is wrong with folders of RYUGI_GAMES."""
    own, *others = (Path(folder) for folder in _paths())
    known = {path.name: path for path in _folders(own)}
    yield from (_Package(path, own=True) for path in known.values())
    seen = {own.resolve()}
    for folder in others:
        if folder.resolve() in seen:
            continue
        seen.add(folder.resolve())
        try:
            packages = _in(folder)
        except GameError as error:
            faults.append(str(error))
            continue
        for path in packages:
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
    """Import a package and return it with its games; GameError if their names are ``taken``."""
    where = package.where
    module = call_game(where, lambda: importlib.import_module(f"{_VARIANTS}.{package.folder.name}"))
    make = getattr(module, "games", None)
    if not callable(make):
        raise GameError(f"{where}: the package has no function games()")
    games = call_game(where, lambda: list(make()))
    defines = hasattr(module, "FAMILY")  # which may leave all games to users' definitions
    if not (games or defines) or not all(isinstance(game, Game) for game in games):
        raise GameError(f"{where}: games() must give a list of at least one Game")
    taken = set(taken)
    for game in games:
        fault = call_game(where, functools.partial(facts.fault_of, game))
        if fault:
            raise GameError(f"{where}: {fault}")
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


@contextlib.contextmanager
def _without_the_user() -> Iterator[None]:
    """Let what a game reads and prints meanwhile be no part of a conversation with a GUI."""
    user = sys.stdin
    sys.stdin = io.StringIO()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stdin = user


@functools.cache
def discover() -> Discovery:
    """Import every package, once; GameError if one of the engine's own is faulty."""
    discovery = Discovery({}, [], [], set())
    for package in _packages(discovery.faults):
        taken = {name for game in discovery.games.values() for name in (game.name, *game.aliases)}
        try:
            with _without_the_user():
                module, games = _games_of(package, taken)
        except GameError as error:
            if package.own:
                raise
            discovery.faults.append(f"{error} (this game is left out)")
            discovery.left_out.add(package.folder.name.replace("_", "-").lower())
            continue
        discovery.packages.append(module)
        discovery.games.update({game.name: game for game in games})
    return discovery
