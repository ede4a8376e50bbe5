"""What keeps a match's games: the PGN file, and beside it the journal that a match goes on from.

The journal is a file of lines, each a JSON object: the match's plan, then its games as they end.
A line is on the disk before the game's record is, and says where in the PGN file that begins: so
whenever the runner was killed, it is known what was begun and not finished.
"""

from __future__ import annotations

import collections
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ryugi_engine import files
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.match.results import FinishedGame

#: Bytes of a journal that is read: a few hundred thousand games.
_MAX_JOURNAL = 1 << 30
_FORMAT = 1


class JournalError(UserError):
    """Why a match cannot go on, in one line."""


def aside(line: str) -> None:
    """A line to standard error."""
    print(f"ryugi-engine: {line}", file=sys.stderr, flush=True)


@dataclass
class Saved:
    """What a journal says of its last match."""

    plan: dict[str, Any]
    games: list[FinishedGame] = field(default_factory=list)
    #: Where the last game's record begins in the PGN file.
    last_at: int = 0
    #: Bytes of the journal that are whole lines.
    size: int = 0


def read_journal(path: Path) -> Saved:
    """The last match of a journal; JournalError if there is none, or it cannot be read."""
    try:
        raw = files.read_bytes(path, _MAX_JOURNAL)
    except OSError as error:
        raise JournalError(files.fault(path, error)) from None
    saved: Saved | None = None
    at = 0
    for number, line in enumerate(raw.split(b"\n"), start=1):
        end = at + len(line) + 1
        if end > len(raw):
            break  # it was not written to its end: the game is played again
        try:
            entry = json.loads(line)
            if "match" in entry:
                if entry["format"] != _FORMAT:
                    raise ValueError(f"format {entry['format']} is not {_FORMAT}")
                saved = Saved(entry["match"])
            elif saved is None:
                raise ValueError("a game before its match")
            else:
                saved.games.append(FinishedGame(**entry["game"]))
                saved.last_at = entry["at"]
        except (KeyError, TypeError, ValueError) as error:
            raise JournalError(f"{path}:{number}: no journal of a match: {error}") from None
        at = end
        if saved is not None:
            saved.size = at
    if saved is None:
        raise JournalError(f"{path}: no match in the journal")
    return saved


class Books:
    """The files of a match; what cannot be written is told, and tried again with the next game."""

    def __init__(self, pgn: Path | None, journal: Path | None = None) -> None:
        self.pgn, self.journal = pgn, journal
        self._waiting: collections.deque[FinishedGame] = collections.deque()
        #: Whether the first of them stands in the journal already.
        self._noted = False

    def begin(self, plan: Mapping[str, Any]) -> None:
        """A new match; OSError if the journal cannot be written."""
        if self.journal is not None:
            files.append(self.journal, _line({"match": plan, "format": _FORMAT}))

    def go_on(self, saved: Saved) -> None:
        """Bring the files in order after the runner was killed; OSError if that does not work."""
        if self.journal is not None and self.journal.stat().st_size > saved.size:
            _cut(self.journal, saved.size)
        if self.pgn is None or not saved.games:
            return
        record = saved.games[-1].record.encode()
        with files.locked(self.pgn, aside):
            size = self.pgn.stat().st_size if self.pgn.exists() else 0
            if size < saved.last_at + len(record):
                written = _tail(self.pgn, saved.last_at) if size > saved.last_at else b""
                if record.startswith(written):
                    if written:
                        _cut(self.pgn, saved.last_at)
                    files.append(self.pgn, saved.games[-1].record)

    def add(self, game: FinishedGame) -> None:
        """Keep a game; a line on standard error where that does not work."""
        if self.pgn is not None or self.journal is not None:
            self._waiting.append(game)
            self._write()

    def _write(self) -> None:
        path = self.pgn or self.journal
        assert path is not None
        try:
            with files.locked(path, aside):
                while self._waiting:
                    game = self._waiting[0]
                    if self.journal is not None and not self._noted:
                        path = self.journal
                        files.append(path, _line({"game": asdict(game), "at": self._end()}))
                        self._noted = True
                    if self.pgn is not None:
                        path = self.pgn
                        files.append(path, game.record)
                    self._waiting.popleft()
                    self._noted = False
        except OSError as error:
            waiting = counted(len(self._waiting), "game is", "games are")
            aside(f"{files.fault(path, error)}: {waiting} not written yet")

    def _end(self) -> int:
        """Where the next record begins in the PGN file."""
        return self.pgn.stat().st_size if self.pgn is not None and self.pgn.exists() else 0

    def close(self, say: Callable[[str], None] = print) -> None:
        """Write what is left, and say where the games are."""
        if self._waiting:
            self._write()
        for game in self._waiting:
            say(game.record)  # better here than nowhere
        if self.pgn is not None:
            say(f"Games written to {self.pgn}")


def _line(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"


def _tail(path: Path, at: int) -> bytes:
    with open(path, "rb") as handle:
        handle.seek(at)
        return handle.read()


def _cut(path: Path, size: int) -> None:
    with open(path, "r+b") as handle:
        handle.truncate(size)
