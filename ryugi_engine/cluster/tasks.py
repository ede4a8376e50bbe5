"""What is sent to workers: plain data, from which they make the game and all else themselves."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine import __version__, files
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.registry import registry
from ryugi_engine.match.schedule import GameTask

if TYPE_CHECKING:
    from ryugi_engine.train.settings import SelfPlaySettings


@dataclass(frozen=True)
class Definitions:
    """A game's name, and for a user's game the text of its definition file."""

    game: str
    name: str = ""
    text: str = ""

    @classmethod
    def of(cls, game: str, path: str) -> Definitions:
        """Return a game's definitions, by its name and the file of ``--variants`` ("": none)."""
        if not path:
            return cls(game)
        with files.naming(Path(path)):
            return cls(game, Path(path).name, files.read_text(Path(path), files.MAX_DEFINITIONS))

    @contextlib.contextmanager
    def here(self) -> Iterator[tuple[Game, str]]:
        """Return the game and the path of a local file that defines it, "" if none is needed."""
        if not self.name:
            yield registry().game(self.game), ""
            return
        with tempfile.TemporaryDirectory(prefix="ryugi-") as folder:
            path = Path(folder) / self.name
            path.write_text(self.text, encoding="utf-8")
            games = registry()
            games.load_file(str(path))
            yield games.game(self.game), str(path)


@dataclass(frozen=True)
class MatchOrder:
    """A game of a match to be played, or an engine to be started."""

    #: The match, as this run of it is known to workers.
    run: str
    #: What is asked for, for people: it names the order in what they read.
    what: str
    definitions: Definitions
    #: Of ``MatchPlan.to_json``, as text.
    plan: str
    folder: str
    #: The game, or the engine's place in the plan and the openings that it may have to begin with.
    task: GameTask | None = None
    player: int = 0
    openings: tuple[str, ...] = ()
    version: str = __version__


@dataclass(frozen=True)
class CountOrder:
    """Lines of moves after which perft is counted, and the remaining depth."""

    definitions: Definitions
    #: The position: a text, and the moves played since.
    root: str
    moves: tuple[str, ...]
    line: tuple[int, ...]
    depth: int
    bulk: bool
    hash_megabytes: int
    version: str = __version__

    @property
    def what(self) -> str:
        """The order, for people."""
        return f"the count behind {counted(len(self.line), 'move')}"


@dataclass(frozen=True)
class GamesOrder:
    """Games of self-play, by their numbers."""

    #: The making of positions, as this run of it is known to workers.
    run: str
    definitions: Definitions
    settings: SelfPlaySettings
    seed: int
    #: Who plays: a net's file, None for none.
    net: bytes | None
    first: int = 0
    count: int = 0
    version: str = __version__

    @property
    def what(self) -> str:
        """The order, for people."""
        return f"games {self.first} to {self.first + self.count - 1}"

    def numbered(self, first: int, count: int) -> GamesOrder:
        """Return the same order for another range of game numbers."""
        return replace(self, first=first, count=count)


def check_version(version: str) -> None:
    """Raise UserError for a task of another version, whose games may differ."""
    if version != __version__:
        raise UserError(f"the worker has version {__version__}, this is {version}")
