"""Keep a game in a file while it is played."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import reading
from ryugi_engine.games.game import Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.records import editing
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.record_file import RecordFile, check_changeable, keep


class Autosave:
    """A game's file, if it has one: rewritten at each move, with this game alone."""

    def __init__(self, tags: Mapping[str, str]) -> None:
        self.path: Path | None = None
        #: Of the record; changes count from the next :meth:`keep` on.
        self.tags = dict(tags)
        self._content: bytes | None = None  # what was written there last

    @classmethod
    def resumed(cls, file: RecordFile, tags: Mapping[str, str]) -> Autosave:
        """Continue the unfinished game of a file; UserError if writing it would lose content.

        ``tags`` replace those of the record.
        """
        path, record = file.path, file.playback.record
        check_changeable(path, record)
        if file.playback.outcome() is not None:
            raise UserError(f"{path}: the game is over; 'record undo' takes its end back")
        comments = record.comment or any(step.comment or step.glyphs for step in record.steps)
        if comments or record.variations():
            message = "comments and variations, which would be lost; 'record add' keeps them"
            raise UserError(f"{path}: the game has {message}")
        if file.games > 1:
            raise UserError(f"{path}: has other games beside; save this one in a file of its own")
        self = cls({**record.tags, **tags})
        self.path, self._content = path, file.content
        return self

    def leave(self) -> None:
        """Forget the file: another game begins, which has none yet."""
        self.path = self._content = None

    def keep(
        self,
        position: Position,
        outcome: Outcome | None,
        tell: Callable[[str], None],
        path: Path | None = None,
        *,
        force: bool = False,
    ) -> None:
        """Write the game so far and its result; a ``path`` becomes the game's file.

        UserError if the file cannot be written, or if it has another game and ``force`` is not
        given; the file stays as it was then.
        """
        path = path or self.path
        if path is None:
            return
        content = self._content if path == self.path else None
        if path != self.path and os.path.lexists(path):
            if not force:
                raise UserError(f"{path}: is there already: choose another name")
            with reading.naming(path):
                content = reading.read_bytes(path, reading.MAX_RECORDS)
        record = editing.begin(position.game, self.tags, position.root_text)
        Playback(position.game, record).branch(position.moves, refereed=True)
        if outcome is not None:
            editing.end(record, outcome)
        self._content = keep(path, record, content, tell)
        self.path = path
