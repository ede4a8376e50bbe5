"""The files of a match's games: the PGN file, and the journal that it can be restored from.

A game's line is in the journal before its record is in the PGN file. So if the runner is killed or
the PGN file damaged, the journal still has what belongs there.
"""

from __future__ import annotations

import collections
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError, warn
from ryugi_engine.files import locks, reading, writing
from ryugi_engine.files.output import GAMES, TRANSCRIPT
from ryugi_engine.games.game import counted
from ryugi_engine.match.journal import Journal, Saved
from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.results import FinishedGame


class GameFiles:
    """The files of a match."""

    def __init__(self, pgn: Path | None, journal: Journal | None = None) -> None:
        self.pgn, self.journal = pgn, journal
        self._waiting: collections.deque[FinishedGame] = collections.deque()
        #: Whether the first of them stands in the journal already.
        self._noted = False

    def begin(self, plan: Mapping[str, Any]) -> None:
        """Begin a new match; OSError if the journal cannot be written."""
        if self.journal is not None:
            self.journal.begin(plan)

    def resume(self, saved: Saved) -> None:
        """Repair the PGN file of a match that is resumed; OSError if that is impossible."""
        if self.pgn is not None and saved.games:
            with locks.locked(self.pgn, warn):
                self._restore(self.pgn, saved)

    def add(self, game: FinishedGame, transcripts: Sequence[str] = ("", "")) -> list[Path]:
        """Write a game; if that fails, warn and try again with the next game.

        ``transcripts`` are White's and Black's of a game that ended by a fault. Returns the files
        next to the PGN file that hold them.
        """
        if self.pgn is not None or self.journal is not None:
            self._waiting.append(game)
            self._write()
        if self.pgn is None or game.reason not in FAULTS:
            return []
        paths = []
        for name, text, letter in zip((game.white, game.black), transcripts, "ab", strict=True):
            path = self.pgn.with_suffix(f".game{game.number}{letter}.log")
            try:
                head = f"# ryugi-engine transcript: {name}\n"
                writing.write_whole(path, head + text, TRANSCRIPT)
            except OSError as error:
                warn(reading.fault(path, error))
            else:
                paths.append(path)
        return paths

    def _write(self) -> None:
        path = self.pgn or (self.journal.path if self.journal is not None else None)
        assert path is not None
        try:
            with locks.locked(path, warn):
                while self._waiting:
                    game = self._waiting[0]
                    if self.journal is not None and not self._noted:
                        path = self.journal.path
                        self.journal.add(game, _size(self.pgn))
                        self._noted = True
                    if self.pgn is not None:
                        path = self.pgn
                        writing.append(path, game.record, GAMES)
                    self._waiting.popleft()
                    self._noted = False
        except (OSError, UserError) as error:
            waiting = counted(len(self._waiting), "game is", "games are")
            message = reading.fault(path, error) if isinstance(error, OSError) else error
            warn(f"{message}: {waiting} not written yet")

    def _restore(self, pgn: Path, saved: Saved) -> None:
        """Append the games of the journal that are not in the PGN file as they were written."""
        last, record = saved.games[-1], saved.games[-1].record.encode()
        size = _size(pgn)
        if saved.last_at < size < saved.last_at + len(record):
            with open(pgn, "r+b") as handle:
                handle.seek(saved.last_at)
                if record.startswith(handle.read()):  # its writer was killed
                    handle.truncate(saved.last_at)
                    size = saved.last_at
        # with nothing after its place the last one is missing
        missing = [last] if size == saved.last_at else []
        missing = _missing(pgn, saved.games[: len(saved.games) - len(missing)]) + missing
        gone = [game for game in missing if game is not last]
        if gone:
            warn(f"{pgn}: {counted(len(gone), 'game')} had gone from it; written again")
        writing.append(pgn, _gap(pgn) + "".join(game.record for game in missing), GAMES)

    def close(self, note: Callable[[str], None] = print) -> int:
        """Write what is left, and note where the games are; return how many are in no file."""
        if self._waiting:
            self._write()
        for game in self._waiting:
            note(game.record)  # better here than nowhere
        if self.pgn is not None:
            note(f"Games written to {self.pgn}")
        return len(self._waiting)


def _size(path: Path | None) -> int:
    """Return a file's size; 0 if there is no file."""
    try:
        return 0 if path is None else os.stat(path).st_size
    except FileNotFoundError:
        return 0


def _gap(pgn: Path) -> str:
    """Return what ends a line of a PGN file that has been cut in it."""
    if not _size(pgn):
        return ""
    with open(pgn, "rb") as handle:
        handle.seek(-1, os.SEEK_END)
        return "" if handle.read() == b"\n" else "\n\n"


def _missing(pgn: Path, games: Sequence[FinishedGame]) -> list[FinishedGame]:
    """Return the games whose records are not in a PGN file."""
    texts = Counter(hash(record) for record in _records(pgn))
    missing = []
    for game in games:
        text = hash(game.record.encode())
        texts[text] -= 1
        if texts[text] < 0:
            missing.append(game)
    return missing


def _records(pgn: Path) -> Iterator[bytes]:
    """Yield the records of a PGN file; each begins with tags."""
    if not _size(pgn):
        return
    part: list[bytes] = []
    tags = False
    with reading.opened(pgn, 1 << 62) as raw, open(raw.fileno(), "rb", closefd=False) as lines:
        for line in lines:
            begins = line.startswith(b"[")
            if begins and not tags:
                yield b"".join(part)
                part.clear()
            tags = begins
            part.append(line)
    yield b"".join(part)
