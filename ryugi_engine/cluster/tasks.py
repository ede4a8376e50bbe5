"""What is sent to workers: plain data, from which they make the game and all else themselves."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine import files
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.match.schedule import GameTask


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
    def file(self) -> Iterator[tuple[Game, str]]:
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
    definitions: Definitions
    #: Of ``MatchPlan.to_json``, as text.
    plan: str
    #: The runner's working directory, from which a worker that has it resolves relative paths.
    folder: str
    #: The game, or the engine's place in the plan and the openings that it may have to begin with.
    task: GameTask | None = None
    player: int = 0
    openings: tuple[str, ...] = ()
