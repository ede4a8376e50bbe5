"""Record files: a correspondence game is one file that two people mail to each other."""

from __future__ import annotations

import contextlib
import datetime
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine import files
from ryugi_engine.games.game import AGREED_DRAW, Game, Outcome, counted, resignation
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry
from ryugi_engine.records.pgn import UNFINISHED, Record, RecordError, format_records, read_records
from ryugi_engine.records.playback import Playback

RESIGN, DRAW = "resign", "draw"


class RecordingError(Exception):
    """Why a record file cannot be read, written or changed so, in one line."""


@dataclass
class RecordFile:
    """A file's games, one of them chosen."""

    path: Path
    records: list[Record]
    playback: Playback
    #: What the file holds; None: there is none yet.
    content: bytes | None = None

    @property
    def record(self) -> Record:
        """The chosen game."""
        return self.playback.record

    def save(self) -> None:
        """Write the file anew, whole or not at all. Whoever calls this has it locked."""
        raw = format_records(self.records).encode("utf-8")
        if len(raw) > files.MAX_RECORDS:
            raise RecordingError(f"{self.path}: would be larger than a file of records may be")
        try:
            with files.replacing(self.path) as handle:
                handle.write(raw)
        except OSError as error:
            raise RecordingError(files.fault(self.path, error)) from None
        self.content = raw


def check_words(what: str, text: str) -> None:
    """RecordingError for a text that no record can hold, or no line of it."""
    for letter in text:
        if not (letter.isprintable() or letter.isspace()):
            raise RecordingError(f"{what}: {letter!r} cannot stand in a record")


def say_aside(line: str) -> None:
    """A line on standard error."""
    print(line, file=sys.stderr)


@contextlib.contextmanager
def alone_with(path: Path, tell: Callable[[str], None] = say_aside) -> Iterator[None]:
    """The file's lock; see :func:`ryugi_engine.files.locked`."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(files.locked(path, tell))
        except OSError as error:
            raise RecordingError(files.fault(path, error)) from None
        yield


def _content(path: Path, *, may_be_missing: bool = False) -> bytes | None:
    """What is in a file; None for a missing one that may be missing."""
    try:
        return files.read_bytes(path, files.MAX_RECORDS)
    except OSError as error:
        if may_be_missing and isinstance(error, FileNotFoundError):
            return None
        raise RecordingError(files.fault(path, error)) from None


def _read(path: Path, content: bytes | None) -> list[Record]:
    try:
        return read_records(path, content)
    except RecordError as error:
        raise RecordingError(f"{path}:{error}") from None


def _check(path: Path, records: Sequence[Record], games: Registry) -> None:
    """Ask the rules about games that will be written anew."""
    try:
        for record in records:
            Playback.of(record, games)
    except RecordError as error:
        raise RecordingError(f"{path}:{error}") from None


def open_record(path: Path, games: Registry, number: int | None, *, to_change: bool) -> RecordFile:
    """Read a file and choose a game, from 1.

    It has to be sound, and if the file is to be changed, and so written anew, the others too.
    """
    content = _content(path)
    records = _read(path, content)
    if number is None and len(records) > 1:
        raise RecordingError(
            f"{path} has {counted(len(records), 'game')}: choose one with --game N"
        )
    if number is not None and number > len(records):
        raise RecordingError(f"{path} has {counted(len(records), 'game')}, no game {number}")
    chosen = (number or 1) - 1
    if to_change:
        _check(path, records[:chosen] + records[chosen + 1 :], games)
    try:
        return RecordFile(path, records, Playback.of(records[chosen], games), content)
    except RecordError as error:
        raise RecordingError(f"{path}:{error}") from None


@contextlib.contextmanager
def changing(path: Path, games: Registry, number: int | None) -> Iterator[RecordFile]:
    """A file's game to be changed, nobody else writing the file; written anew behind the block.

    Nothing is written if the block raises.
    """
    # before the lock: this may load kernels, or even compile them, and others wait ten seconds
    file = open_record(path, games, number, to_change=True)
    with alone_with(path):
        if _content(path) != file.content:
            file = open_record(path, games, number, to_change=True)
        yield file
        file.save()


def fresh(game: Game, tags: dict[str, str], fen: str | None) -> Record:
    """The record of a game that begins; RecordingError for a position that none can begin with."""
    given = {
        "Event": "?",
        "Site": "?",
        "Date": datetime.datetime.now().strftime("%Y.%m.%d"),
        "Round": "-",
        "White": "?",
        "Black": "?",
        "Result": UNFINISHED,
        "Variant": game.name,
    }
    record = Record(given | tags)
    try:
        position = Position(game, fen)
    except ValueError as error:
        raise RecordingError(str(error)) from None
    if position.outcome() is not None:
        raise RecordingError("the game is over in this position")
    if position.text() != game.start:
        record.tags |= {"SetUp": "1", "FEN": position.text()}
    record.tags.setdefault("TimeControl", "-")
    record.tags["Termination"] = "unterminated"
    return record


def new_record(
    path: Path, game: Game, games: Registry, tags: dict[str, str], fen: str | None
) -> Record:
    """Begin a game: a new file, or one more game behind those of an old one."""

    def others(content: bytes | None) -> list[Record]:
        records = [] if content is None else _read(path, content)
        _check(path, records, games)
        return records

    record = fresh(game, tags, fen)
    content = _content(path, may_be_missing=True)
    records = others(content)  # before the lock, as in changing()
    with alone_with(path):
        now = _content(path, may_be_missing=True)
        if now != content:
            records = others(now)
        RecordFile(path, [*records, record], Playback(game, record)).save()
    return record


def keep(file: RecordFile, tell: Callable[[str], None]) -> None:
    """Write a file whose games only this process writes; RecordingError if somebody else did."""
    with alone_with(file.path, tell):
        if _content(file.path, may_be_missing=True) not in (None, file.content):
            raise RecordingError(f"{file.path}: somebody else has written it: 'save' another file")
        file.save()


def end(record: Record, outcome: Outcome) -> None:
    """Write into a record how its game has ended."""
    record.result = outcome.result
    record.tags["Termination"] = "normal"
    words = f"{outcome.result} by {outcome.reason}"
    if record.steps:
        step = record.steps[-1]
        step.comment = f"{step.comment} {words}".strip()
    else:
        record.comment = f"{record.comment} {words}".strip()


def add_moves(file: RecordFile, words: Sequence[str], comment: str = "") -> None:
    """Play moves; the last word may be ``resign`` or ``draw``.

    RecordingError for a finished game or a move that is not legal.
    """
    record, playback = file.record, file.playback
    position = playback.position
    for word in words:
        outcome = playback.outcome()
        if outcome is not None:
            raise RecordingError(f"{file.path}: the game is over: {playback.status()}")
        if word.lower() == RESIGN:
            end(record, resignation(position.side))
        elif word.lower() == DRAW:
            claim = position.claim()
            if claim is None and not playback.game.draws:
                raise RecordingError(f"{playback.game.title} has no draws")
            end(record, claim or AGREED_DRAW)
        else:
            try:
                playback.branch([word])
            except ValueError:
                reason = position.objection(word)
                label = f"{('White', 'Black')[position.side]} cannot play '{word[:40]}'"
                raise RecordingError(f"{file.path}: {label}: {reason}") from None
            outcome = position.outcome()
            if outcome is not None:
                end(record, outcome)
    if comment and record.steps:
        step = record.steps[-1]
        step.comment = f"{comment} {step.comment}".strip()


def undo(file: RecordFile) -> str:
    """Take back how the game was ended if somebody ended it, else the last move; what it was."""
    record, playback = file.record, file.playback
    by_rules = playback.position.outcome() is not None
    if record.result != UNFINISHED and not by_rules:
        taken = record.result
    elif not record.steps:
        raise RecordingError(f"{file.path}: there is no move to take back")
    elif record.steps[-1].variations:
        raise RecordingError(f"{file.path}: the last move has variations, which would be lost")
    else:
        taken = record.steps.pop().move
        playback.to(len(record.steps))
    if record.steps and record.result != UNFINISHED and not by_rules:
        step = record.steps[-1]
        step.comment = step.comment.rpartition(f"{record.result} by ")[0].strip()
    record.result = UNFINISHED
    record.tags["Termination"] = "unterminated"
    return taken


def add_variation(file: RecordFile, moves: Sequence[str]) -> None:
    """A line from where the board stands, beside what the record has; see Playback.branch."""
    playback = file.playback
    if playback.at_end:
        raise RecordingError(
            f"{file.path}: the board stands at the end: 'record add' goes on there"
        )
    try:
        playback.branch(moves)
    except ValueError as error:
        raise RecordingError(f"{file.path}: {error}") from None
