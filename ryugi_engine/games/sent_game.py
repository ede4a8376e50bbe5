"""A game as it is sent to a process on another machine, which need not have its definition."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.files import reading
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry, registry


class NotHere(Exception):
    """What this process lacks for its work; another one may have it."""


class LocalGame(NamedTuple):
    """A sent game as it was received: the game and its definition file, "" for a built-in one."""

    game: Game
    file: str


@dataclass(frozen=True)
class SentGame:
    """A game's name, and for a user's game the text of its definition file."""

    game: str
    name: str = ""
    text: str = ""

    @classmethod
    def of(cls, game: str, path: str) -> SentGame:
        """Take a game by its name, with the file of ``--variants`` ("": none)."""
        if not path:
            return cls(game)
        with reading.naming(Path(path)):
            return cls(
                game, Path(path).name, reading.read_text(Path(path), reading.MAX_DEFINITIONS)
            )

    @functools.cache  # noqa: B019 - a process gets few games, and their rules are kept anyway
    def load(self, folder: str) -> LocalGame:
        """Return the game; a file that it needs is written to a new folder in ``folder``.

        NotHere if there is no such game.
        """
        if not self.name:
            try:
                return LocalGame(registry().game(self.game), "")
            except UserError as error:
                raise NotHere(*error.args) from None
        path = Path(tempfile.mkdtemp(prefix="ryugi-", dir=folder)) / self.name
        path.write_text(self.text, encoding="utf-8")
        games = Registry()
        games.load_file(str(path))
        return LocalGame(games.game(self.game), str(path))
