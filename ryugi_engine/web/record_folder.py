"""The folder of a table's records, and the file of the running game."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import reading
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry
from ryugi_engine.records.encoding import decoded
from ryugi_engine.records.pgn import Record, parse_records
from ryugi_engine.records.playback import Playback, game_name
from ryugi_engine.records.record_file import keep, keep_among, tell_of_faults

#: Files of a folder that a page is shown, the newest first.
MOST_FILES = 200
#: Tags that a list of records has, and the bytes of a file that are read for them.
_LISTED = ("White", "Black", "Variant", "Result", "Date")
_HEAD = 4096


def home() -> Path:
    """Return the default folder, for games begun without a record."""
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "ryugi-engine" / "games"


def check_game(record: Record, games: Registry) -> None:
    """Raise UserError if a record's game is unknown, such as one of a file not loaded now."""
    name = game_name(record, games)
    try:
        games.game(name)
    except UserError:
        raise UserError(
            f"the game '{name[:40]}' is not known here: define it again (Your own games),"
            " or start with --variants FILE, where FILE defines it"
        ) from None


@dataclass(frozen=True)
class GameFile:
    """A game's file with the content that was last read or written."""

    #: None before the game's first move.
    path: Path | None = None
    #: Number of the game in its file, from 1.
    number: int = 1
    #: The content that the game was read from, None for a new file, and the present one.
    read: bytes | None = None
    content: bytes | None = None


NO_FILE = GameFile()


class RecordFolder:
    """The folder of records; pages can only name files that it lists."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        """``tell`` gets a line where files cannot be locked, and about faults of games."""
        self.folder = folder
        self.tell = tell

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
            raise UserError(reading.fault(self.folder, error)) from None
        return [name for _at, name in sorted(entries, reverse=True)[:MOST_FILES]]

    def listed(self) -> list[dict[str, str]]:
        """Return the folder's records, the newest first, by the tags of their first games."""
        return [{"name": name, **_tags(self.folder / name)} for name in self.names()]

    def open_named(self, name: str, number: int, games: Registry) -> Opened:
        """Open a game of a file that :meth:`names` lists."""
        if name not in self.names():
            raise UserError(f"there is no record '{name[:40]}' in {self.folder}")
        return open_game(self.folder / name, number, games, self.tell)

    def keep(self, file: GameFile, record: Record) -> GameFile:
        """Write a game into its file, or a new one; return the updated GameFile.

        UserError if it cannot be written, or if another program has changed it meanwhile.
        """
        path = file.path or self._new_path(record)
        if file.read is None:
            content = keep(path, record, file.content, self.tell)
        else:
            assert file.content is not None
            content = keep_among(path, record, file.read, file.content, self.tell)
        return replace(file, path=path, content=content)

    def check(self) -> None:
        """Create the folder if it is missing; UserError if no file can be written in it."""
        self._make()
        with reading.naming(self.folder):
            tempfile.TemporaryFile(dir=self.folder).close()

    def _make(self) -> None:
        with reading.naming(self.folder):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except FileExistsError:
                raise UserError(f"{self.folder}: is not a folder") from None

    def _new_path(self, record: Record) -> Path:
        self._make()
        variant = re.sub("[^A-Za-z0-9-]", "", record.tags.get("Variant", "game"))
        name = f"{variant}-{time.strftime('%Y%m%d-%H%M%S')}"
        for number in range(1, 1000):
            path = self.folder / f"{name}{f'-{number}' if number > 1 else ''}.pgn"
            if not os.path.lexists(path):
                return path
        raise UserError(f"{self.folder}: there is no free name left for a record")


def _tags(path: Path) -> dict[str, str]:
    """Return what a list says of a file's first game; nothing of a file that cannot be read."""
    try:
        with path.open("rb") as stream:
            found = parse_records(decoded(path, stream.read(_HEAD)))
    except (OSError, UserError):
        return {}
    tags = found[0].tags if found else {}
    return {name: tags.get(name, "?") for name in _LISTED}


#: A record's game, and what plays the record through, which takes the game's kernels.
Opened = tuple[Game, Callable[[], tuple[Playback, GameFile]]]


def open_game(path: Path, number: int, games: Registry, tell: Callable[[str], None]) -> Opened:
    """Open game ``number`` of a file; it is kept in that file, or in a new one after faults."""
    with reading.naming(path):
        content = reading.read_bytes(path, reading.MAX_RECORDS)
    file = GameFile(path, number, content, content)
    return parse_game(decoded(path, content), number, games, str(path), tell, file)


def parse_game(
    text: str,
    number: int,
    games: Registry,
    where: str,
    tell: Callable[[str], None],
    file: GameFile = NO_FILE,
) -> Opened:
    """Open game ``number`` of a text; ``tell`` gets its faults."""
    try:
        records = parse_records(text)
        if not 1 <= number <= len(records):
            raise UserError(f"has no game {number}" if records else "there is no game in it")
        record = records[number - 1]
        check_game(record, games)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None

    def play_through() -> tuple[Playback, GameFile]:
        try:
            playback = Playback.of(record, games)
        except UserError as error:
            raise UserError(f"{where}: {error}") from None
        tell_of_faults(where, playback, tell)
        return playback, NO_FILE if record.faults else file

    return games.game(game_name(record, games)), play_through
