"""Record files: a correspondence game is one file that two people mail to each other."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import locks, reading, writing
from ryugi_engine.files.output import CHANGED
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.registry import Registry
from ryugi_engine.records.editing import begin
from ryugi_engine.records.encoding import decoded, encoded
from ryugi_engine.records.pgn import (
    Record,
    RecordError,
    format_record,
    in_file,
    parse_records,
    read_records,
)
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.rewrite import appended, rewritten

#: One of these begins every file of games with tags.
_TAGS = {"Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "Variant"}
#: Faults of a game that are told.
_TOLD = 10


@dataclass
class RecordFile:
    """A file, and one of its games."""

    path: Path
    playback: Playback
    content: bytes
    #: How many games the file has.
    games: int


def composed(path: Path, text: str, old: bytes | None = None) -> bytes:
    """Return a file's new content, in the encoding of ``old``; UserError if it is too large."""
    raw = encoded(text, old)
    if len(raw) > reading.MAX_RECORDS:
        raise UserError(f"{path}: would be larger than a file of records may be")
    return raw


def _write(path: Path, raw: bytes) -> None:
    """Rewrite a file, whole or not at all. The caller holds its lock."""
    with reading.naming(path), writing.replacing(path, CHANGED) as handle:
        handle.write(raw)


def _say_aside(line: str) -> None:
    print(line, file=sys.stderr)


@contextlib.contextmanager
def _alone_with(path: Path, tell: Callable[[str], None] = _say_aside) -> Iterator[None]:
    """Lock the file; see :func:`ryugi_engine.files.locks.locked`."""
    with contextlib.ExitStack() as held:
        with reading.naming(path):
            held.enter_context(locks.locked(path, tell))
        yield


@contextlib.contextmanager
def about(path: Path) -> Iterator[None]:
    """Context: prefix UserErrors of the block with the file's name."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _content(path: Path, *, may_be_missing: bool = False) -> bytes | None:
    """Return a file's content; None for a missing one that may be missing."""
    with reading.naming(path):
        try:
            return reading.read_bytes(path, reading.MAX_RECORDS)
        except FileNotFoundError:
            if may_be_missing:
                return None
            raise


def open_record(path: Path, games: Registry, number: int | None) -> RecordFile:
    """Read game ``number`` (from 1) of a file; UserError if nothing of it can be read.

    Faults in the game are in its record's ``faults``.
    """
    content = _content(path)
    assert content is not None
    records = read_records(path, content)
    if number is None and len(records) > 1:
        raise UserError(f"{path} has {counted(len(records), 'game')}: choose one with --game N")
    if number is not None and number > len(records):
        raise UserError(f"{path} has {counted(len(records), 'game')}, no game {number}")
    with in_file(path):
        playback = Playback.of(records[(number or 1) - 1], games)
    return RecordFile(path, playback, content, len(records))


def open_records(
    path: Path, games: Registry, most: int, tell: Callable[[str], None]
) -> Iterator[Playback]:
    """Yield the games of a file one by one, since each board takes megabytes.

    Games of which nothing can be read are left out; ``tell`` gets a line about each fault.
    UserError if no game is left, and for a file of more than ``most`` games.
    """
    records = read_records(path, _content(path))
    if len(records) > most:
        result = counted(len(records), "game")
        raise UserError(f"{path} has {result}, more than {most}: choose one with --game N")
    left = 0
    for number, record in enumerate(records, start=1):
        try:
            with in_file(path):
                playback = Playback.of(record, games)
        except UserError as error:
            if len(records) == 1:
                raise
            tell(f"{error} (game {number} is left out)")
            continue
        left += 1
        tell_of_faults(path, playback, tell)
        yield playback
    if not left:
        raise UserError(f"{path}: no game can be read")


def tell_of_faults(path: Path | str, playback: Playback, tell: Callable[[str], None]) -> None:
    """Report the first faults of a game that is shown as far as it can be read."""
    faults = playback.record.faults
    for fault in faults[:_TOLD]:
        end = " (the game is read up to here)" if fault is playback.cut else ""
        tell(f"{path}:{fault}{end}")
    if len(faults) > _TOLD:
        tell(f"{path}: and {counted(len(faults) - _TOLD, 'more fault')}")


def check_changeable(path: Path, record: Record) -> None:
    """Raise UserError for a game with faults: only faultless games are changed."""
    if record.faults:
        raise UserError(f"{path}:{record.faults[0]} (a game with a fault is not changed)")


@contextlib.contextmanager
def changing(path: Path, games: Registry, number: int | None) -> Iterator[Playback]:
    """Lock a file and yield one of its games; rewrite the file when the block ends.

    Nothing is written if the block raises. Its UserErrors get the file's name.
    """
    # before the lock: this may load kernels, or even compile them, and others wait ten seconds
    file = open_record(path, games, number)
    check_changeable(path, file.playback.record)
    with _alone_with(path):
        if _content(path) != file.content:
            file = open_record(path, games, number)
            check_changeable(path, file.playback.record)
        with about(path):
            yield file.playback
        text = rewritten(decoded(path, file.content), [file.playback.record])
        _write(path, composed(path, text, file.content))


def new_record(path: Path, game: Game, tags: dict[str, str], fen: str | None) -> tuple[Record, int]:
    """Begin a game in a new file, or after the games of an existing one.

    Return the record and its number in the file, from 1.
    """
    record = begin(game, tags, fen)
    Playback(game, record)
    with _alone_with(path):
        content = _content(path, may_be_missing=True)
        text = "" if content is None else decoded(path, content)
        with in_file(path):
            number = len(_old_games(path, text, game)) + 1
        _write(path, composed(path, appended(text, record), content))
    return record, number


def _old_games(path: Path, text: str, game: Game) -> list[Record]:
    """Return the games of a text to which one is added; UserError if it is none of records."""
    records = parse_records(text)
    if records and not _TAGS.intersection(records[0].tags):
        Playback(game, records[0])  # only moves: they have to be some
    elif not records and text.strip():
        raise RecordError(1, 1, "there is no game in the file")
    return records


def keep(path: Path, record: Record, content: bytes | None, tell: Callable[[str], None]) -> bytes:
    """Write a file that only this process writes; return its new content.

    UserError if it exists with another content than ``content``, which was written last.
    """
    return _write_over(path, format_record(record), content, tell)


def keep_among(
    path: Path, record: Record, read: bytes, content: bytes, tell: Callable[[str], None]
) -> bytes:
    """Write one game of a file, as :func:`keep`; other games keep their text.

    ``read`` is the content that the record was read from.
    """
    return _write_over(path, rewritten(decoded(path, read), [record]), content, tell)


def _write_over(path: Path, text: str, content: bytes | None, tell: Callable[[str], None]) -> bytes:
    with _alone_with(path, tell):
        raw = composed(path, text, content)
        # the file may be written, and a fault have come after that
        if _content(path, may_be_missing=True) not in (None, content, raw):
            raise UserError(f"{path}: somebody else has written it: 'save' another file")
        _write(path, raw)
    return raw
