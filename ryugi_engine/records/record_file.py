"""Record files: a correspondence game is one file that two people mail to each other."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine import files
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.registry import Registry
from ryugi_engine.records.course import begin
from ryugi_engine.records.pgn import Record, format_records, in_file, read_records
from ryugi_engine.records.playback import Playback


@dataclass
class RecordFile:
    """A file's games, one of them chosen."""

    path: Path
    records: list[Record]
    playback: Playback
    #: What the file holds; None: there is none yet.
    content: bytes | None = None

    def save(self) -> None:
        """Write the file anew, whole or not at all. Whoever calls this has it locked."""
        raw = format_records(self.records).encode("utf-8")
        if len(raw) > files.MAX_RECORDS:
            raise UserError(f"{self.path}: would be larger than a file of records may be")
        with files.naming(self.path), files.replacing(self.path) as handle:
            handle.write(raw)
        self.content = raw


def _say_aside(line: str) -> None:
    print(line, file=sys.stderr)


@contextlib.contextmanager
def _alone_with(path: Path, tell: Callable[[str], None] = _say_aside) -> Iterator[None]:
    """The file's lock; see :func:`ryugi_engine.files.locked`."""
    with contextlib.ExitStack() as held:
        with files.naming(path):
            held.enter_context(files.locked(path, tell))
        yield


@contextlib.contextmanager
def about(path: Path) -> Iterator[None]:
    """What is wrong in the block with a file's game is said of the file."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _content(path: Path, *, may_be_missing: bool = False) -> bytes | None:
    """What is in a file; None for a missing one that may be missing."""
    with files.naming(path):
        try:
            return files.read_bytes(path, files.MAX_RECORDS)
        except FileNotFoundError:
            if may_be_missing:
                return None
            raise


def _check(path: Path, records: Sequence[Record], games: Registry) -> None:
    """Ask the rules about games that will be written anew."""
    with in_file(path):
        for record in records:
            Playback.of(record, games)


def open_record(path: Path, games: Registry, number: int | None, *, to_change: bool) -> RecordFile:
    """Read a file and choose a game, from 1; UserError says what is wrong.

    It has to be sound, and if the file is to be changed, and so written anew, the others too.
    """
    content = _content(path)
    records = read_records(path, content)
    if number is None and len(records) > 1:
        raise UserError(f"{path} has {counted(len(records), 'game')}: choose one with --game N")
    if number is not None and number > len(records):
        raise UserError(f"{path} has {counted(len(records), 'game')}, no game {number}")
    chosen = (number or 1) - 1
    if to_change:
        _check(path, records[:chosen] + records[chosen + 1 :], games)
    with in_file(path):
        return RecordFile(path, records, Playback.of(records[chosen], games), content)


def open_records(path: Path, games: Registry, most: int) -> Iterator[Playback]:
    """All games of a file, one after the other, since each board takes megabytes.

    UserError says what is wrong, and refuses a file of more than ``most`` games.
    """
    records = read_records(path, _content(path))
    if len(records) > most:
        found = counted(len(records), "game")
        raise UserError(f"{path} has {found}, more than {most}: choose one with --game N")
    for record in records:
        with in_file(path):
            playback = Playback.of(record, games)
        yield playback


@contextlib.contextmanager
def changing(path: Path, games: Registry, number: int | None) -> Iterator[Playback]:
    """A file's game to be changed, nobody else writing the file; written anew behind the block.

    Nothing is written if the block raises; a UserError of it is said of the file.
    """
    # before the lock: this may load kernels, or even compile them, and others wait ten seconds
    file = open_record(path, games, number, to_change=True)
    with _alone_with(path):
        if _content(path) != file.content:
            file = open_record(path, games, number, to_change=True)
        with about(path):
            yield file.playback
        file.save()


def new_record(
    path: Path, game: Game, games: Registry, tags: dict[str, str], fen: str | None
) -> Record:
    """Begin a game: a new file, or one more game behind those of an old one."""

    def others(content: bytes | None) -> list[Record]:
        records = [] if content is None else read_records(path, content)
        _check(path, records, games)
        return records

    record = begin(game, tags, fen)
    content = _content(path, may_be_missing=True)
    records = others(content)  # before the lock, as in changing()
    with _alone_with(path):
        now = _content(path, may_be_missing=True)
        if now != content:
            records = others(now)
        RecordFile(path, [*records, record], Playback(game, record)).save()
    return record


def keep(file: RecordFile, tell: Callable[[str], None]) -> None:
    """Write a file whose games only this process writes; UserError if somebody else did."""
    with _alone_with(file.path, tell):
        if _content(file.path, may_be_missing=True) not in (None, file.content):
            raise UserError(f"{file.path}: somebody else has written it: 'save' another file")
        file.save()
