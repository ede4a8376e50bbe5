"""The folder that a table's records lie in, and the file of the game that is being played."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from ryugi_engine import files
from ryugi_engine.errors import UserError
from ryugi_engine.games.registry import Registry
from ryugi_engine.records.pgn import Record, parse_records
from ryugi_engine.records.playback import Playback, game_name
from ryugi_engine.records.record_file import keep, keep_among

#: Files of a folder that a page is shown, the newest first.
MOST_FILES = 200


def home() -> Path:
    """Return the folder of games that are begun without a record."""
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "ryugi-engine" / "games"


def check_game(record: Record, games: Registry) -> None:
    """Raise UserError if nobody has defined a record's game, as after a start without it."""
    name = game_name(record)
    try:
        games.game(name)
    except UserError:
        raise UserError(
            f"the game '{name[:40]}' is not known here: define it again (Set up a position,"
            " A game of your own), or start with --variants FILE, where FILE defines it"
        ) from None


class RecordFolder:
    """A folder; a page names files of its list and nothing else."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        """``tell`` gets a line where files cannot be locked."""
        self.folder = folder
        self._tell = tell
        #: The file of the present game; None before its first move.
        self.path: Path | None = None
        #: Number of the present game in its file, from 1, and how many are there.
        self.number, self.games = 1, 1
        self._read: bytes | None = None
        self._content: bytes | None = None

    def names(self) -> list[str]:
        """Return the folder's records, the newest first."""
        try:
            entries = [
                (entry.stat().st_mtime, entry.name)
                for entry in os.scandir(self.folder)
                if entry.name.lower().endswith(".pgn") and entry.is_file(follow_symlinks=False)
            ]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise UserError(files.fault(self.folder, error)) from None
        return [name for _at, name in sorted(entries, reverse=True)[:MOST_FILES]]

    def open_named(self, name: str, number: int, games: Registry) -> Playback:
        """Open a game of a file that :meth:`names` lists."""
        if name not in self.names():
            raise UserError(f"there is no record '{name[:40]}' in {self.folder}")
        return self.open(self.folder / name, number, games)

    def open(self, path: Path, number: int, games: Registry) -> Playback:
        """Open a game of a file, which is kept there from now on."""
        with files.naming(path):
            content = files.read_bytes(path, files.MAX_RECORDS)
        playback, count = _parsed(files.decoded(path, content), number, games, str(path))
        self.path, self.number, self.games = path, number, count
        self._read = self._content = content
        return playback

    def load(self, text: str, games: Registry) -> Playback:
        """Read a record that a page has sent; it is kept in a new file once it changes."""
        playback, _count = _parsed(text, 1, games, "the record")
        self.leave()
        return playback

    def leave(self) -> None:
        """Begin another game, which has no file yet."""
        self.path = self._read = self._content = None
        self.number = self.games = 1

    def reopen(self, games: Registry) -> Playback:
        """Read the present game again from its file."""
        assert self.path is not None
        return self.open(self.path, self.number, games)

    def keep(self, record: Record) -> None:
        """Write the present game. UserError if somebody else has written its file meanwhile."""
        if self.path is None:
            self.path = self._new_path(record)
        if self._read is None:
            self._content = keep(self.path, record, self._content, self._tell)
        else:
            assert self._content is not None
            self._content = keep_among(self.path, record, self._read, self._content, self._tell)

    def _new_path(self, record: Record) -> Path:
        with files.naming(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        variant = re.sub("[^A-Za-z0-9-]", "", record.tags.get("Variant", "game"))
        name = f"{variant}-{time.strftime('%Y%m%d-%H%M%S')}"
        for number in range(1, 1000):
            path = self.folder / f"{name}{f'-{number}' if number > 1 else ''}.pgn"
            if not os.path.lexists(path):
                return path
        raise UserError(f"{self.folder}: there is no free name left for a record")


def _parsed(text: str, number: int, games: Registry, where: str) -> tuple[Playback, int]:
    """Return a game of a text, and how many games the text has."""
    try:
        records = parse_records(text)
        if not 1 <= number <= len(records):
            raise UserError(f"has no game {number}")
        check_game(records[number - 1], games)
        return Playback.of(records[number - 1], games), len(records)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
