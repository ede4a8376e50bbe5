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
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
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

    def leave_out(self, package: _Package, fault: str) -> None:
        """Note that a package is left out, and why."""
        self.faults.append(f"{fault} (this game is left out)")
        self.left_out.add(package.folder.name.replace("_", "-").lower())


def _paths() -> list[str]:
    """Return the folders that games are looked for in: the engine's own first."""
    return list(importlib.import_module(_VARIANTS).__path__)


def _place_of(error: BaseException) -> str:
    """Return the innermost line of a game's own code in an error's traceback; "" for none."""
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


#: Seconds that a package of RYUGI_GAMES may take to be imported.
IMPORT_SECONDS = 10.0
#: Exit code of a process that has imported a package to the end, even if that raised errors.
_CAME_THROUGH = 77
#: Set in that process and in those that it starts: they list no games, so start no trials.
_IN_TRIAL = "RYUGI_TRIAL"
_TRIAL = f"""
import importlib, os, signal, sys
if hasattr(signal, "alarm"):
    signal.alarm({2 * int(IMPORT_SECONDS)})  # if no one is left to end it
sys.path[:] = sys.argv[2:]
try:
    list(importlib.import_module(sys.argv[1]).games())
except KeyboardInterrupt:
    os._exit(130)
except BaseException:
    pass
os._exit({_CAME_THROUGH})
"""


def _trial(package: _Package) -> subprocess.Popen[bytes]:
    """Return a process that imports a package, which may loop for ever or end it."""
    name = f"{_VARIANTS}.{package.folder.name}"
    # -P: the working folder may hold a signal.py of its own
    command = [sys.executable, "-P", "-c", _TRIAL, name, *sys.path]
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        command,
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        env=os.environ | {_IN_TRIAL: "1"},
        start_new_session=True,
    )


def _end(trial: subprocess.Popen[bytes]) -> None:
    """End a trial that still runs, and what it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has just ended
            os.killpg(trial.pid, signal.SIGKILL)
    else:
        trial.kill()
    trial.wait()


def _import_fault(trial: subprocess.Popen[bytes], end: float) -> str:
    """Return how a package hinders its import but by an error; "" if it does not."""
    try:
        code = trial.wait(max(end - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        _end(trial)
        return f"its import does not end within {IMPORT_SECONDS:.0f} s"
    if code == _CAME_THROUGH:
        return ""
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"its import ends the process ({signal.Signals(-code).name})"
    return f"its import ends the process with the exit code {code}"


def _tried(packages: Iterable[_Package], discovery: Discovery) -> Iterator[_Package]:
    """Yield the packages that can be imported; note the others.

    Those of RYUGI_GAMES are imported by processes of their own first, all at once.
    """
    end = time.monotonic() + IMPORT_SECONDS
    trials = [(package, None if package.own else _trial(package)) for package in packages]
    try:
        for package, trial in trials:
            fault = "" if trial is None else _import_fault(trial, end)
            if fault:
                discovery.leave_out(package, f"{package.where}: {fault}")
            else:
                yield package
    finally:
        for _, trial in trials:
            if trial is not None and trial.poll() is None:
                _end(trial)


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


class _Discovering(threading.local):
    """Whether this thread imports games at the moment."""

    on = _IN_TRIAL in os.environ


_discovering = _Discovering()


@functools.cache
def discover() -> Discovery:
    """Import every package, once; GameError if one of the engine's own is faulty.

    Raises GameError for a game that itself asks for the list of games while it is imported.
    """
    if _discovering.on:
        raise GameError("games cannot be listed while a game is imported")
    _discovering.on = True
    try:
        return _discover()
    finally:
        _discovering.on = False


def _discover() -> Discovery:
    discovery = Discovery({}, [], [], set())
    for package in _tried(_packages(discovery.faults), discovery):
        taken = {name for game in discovery.games.values() for name in (game.name, *game.aliases)}
        try:
            with _without_the_user():
                module, games = _games_of(package, taken)
        except GameError as error:
            if package.own:
                raise
            discovery.leave_out(package, str(error))
            continue
        discovery.packages.append(module)
        discovery.games.update({game.name: game for game in games})
    return discovery
