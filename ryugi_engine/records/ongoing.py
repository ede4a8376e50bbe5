"""A game that is kept in a file while it is played."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.records import course
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.record_file import RecordFile, keep


class OngoingGame:
    """The file of a game, if there is one: it holds all moves so far, and nothing else."""

    def __init__(self, path: Path | None, tags: Mapping[str, str]) -> None:
        """The file must not be there yet: UserError."""
        self.path: Path | None = None
        self._tags = dict(tags)
        self._content: bytes | None = None  # what was written there last
        if path is not None:
            self.choose(path)

    def choose(self, path: Path) -> None:
        """Keep the game in a file from now on; UserError if that is another game's."""
        if path == self.path:
            return
        if os.path.lexists(path):
            raise UserError(f"{path} is there already: choose another name")
        self.path, self._content = path, None

    def leave(self) -> None:
        """Another game begins, which is kept nowhere yet."""
        self.path = self._content = None

    def keep(
        self, position: Position, outcome: Outcome | None, tell: Callable[[str], None]
    ) -> None:
        """Write the game so far, and how it has ended; UserError if its file cannot be written."""
        if self.path is None:
            return
        record = course.begin(position.game, self._tags, position.root_text)
        playback = Playback(position.game, record)
        playback.branch(position.moves)
        if outcome is not None:
            course.end(record, outcome)
        file = RecordFile(self.path, [record], playback, self._content)
        keep(file, tell)
        self._content = file.content
