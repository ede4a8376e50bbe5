"""A match's journal, from which ``match --resume`` continues.

Each line is a JSON object: a match's plan, then its games as they end. Both name the
match by its ``id``, so that a game counts for its own match only; a game's number counts once.
"""

from __future__ import annotations

import functools
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from ryugi_engine import files
from ryugi_engine.errors import UserError, warn
from ryugi_engine.games.game import Game
from ryugi_engine.match import typed
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.output import CHANGED

#: Bytes of a journal that is read: a few hundred thousand games.
_MAX_JOURNAL = 1 << 30
#: Bytes of a line: a plan has an opening for every pair of games, a record some for each move.
_MAX_LINE = 64 << 20
_FORMAT = 1
#: Each journal begins like this.
_BEGINNING = b'{"match":'
_HELD = "a match is being played with this journal: let it end, or take another file"


class JournalError(UserError):
    """Why a match cannot go on, in one line."""


@dataclass(frozen=True)
class Where:
    """A match's working folder and game."""

    folder: Path
    game: str
    variants_file: str


@dataclass
class Saved:
    """The last match of a journal: its plan and finished games."""

    plan: dict[str, Any]
    #: The match's name; None in journals of versions that gave none.
    id: str | None = None
    games: list[FinishedGame] = field(default_factory=list)
    #: Where the last game's record begins in the PGN file.
    last_at: int = 0

    def where(self) -> Where:
        """Return the match's folder and game; UserError if the plan lacks them."""
        return typed.read(Where, {name: self.plan.get(name) for name in Where.__annotations__})

    def match(self, game: Game) -> MatchPlan:
        """Return the plan; UserError says what is wrong with it, or which game is not of it."""
        plan = MatchPlan.from_json(self.plan, game)
        last = plan.schedule().last
        for one in self.games:
            if len({one.white, one.black} & set(plan.names)) < 2 or one.number > last:
                raise JournalError(f"game {one.number} is none of this match")
        return plan


@dataclass(frozen=True)
class _Game:
    """A game's line."""

    game: FinishedGame
    at: int
    id: str | None = None


class _Reader:
    """Reads a journal's lines."""

    def __init__(self) -> None:
        self.saved: Saved | None = None
        self._ids: set[str | None] = set()
        self._numbers: set[int] = set()

    def add(self, line: bytes) -> None:
        """Parse the next line; UserError says what is wrong with it."""
        entry = typed.parse(line)
        if not isinstance(entry, dict):
            raise UserError("the line is no JSON object")
        if "match" in entry:
            plan, number, name = entry["match"], entry.get("format"), entry.get("id")
            if number != _FORMAT:
                raise UserError(f"format {str(number)[:20]} is not {_FORMAT}")
            if not isinstance(plan, dict) or not isinstance(name, str | None):
                raise UserError("the line is no match")
            self.saved = Saved(plan, name)
            self._ids.add(name)
            self._numbers.clear()
            return
        if self.saved is None:
            raise UserError("a game before its match")
        result = typed.read(_Game, entry)
        if result.id not in self._ids:
            raise UserError("a game of no match in this journal")
        if result.id == self.saved.id and result.game.number not in self._numbers:
            self._numbers.add(result.game.number)
            self.saved.games.append(result.game)
            self.saved.last_at = result.at


def _read(path: Path, descriptor: int) -> tuple[Saved | None, int]:
    """Return the last match of an open journal, and how many bytes of it are whole lines."""
    reader = _Reader()
    size = 0
    lines = functools.partial(_bytes(descriptor).readline, _MAX_LINE)
    for number, line in enumerate(iter(lines, b""), start=1):
        if not line.endswith(b"\n"):
            if len(line) == _MAX_LINE:
                raise JournalError(f"{path}:{number}: no journal of a match: the line is too long")
            break  # it was not written to its end: the game is played again
        try:
            reader.add(line)
        except UserError as error:
            raise JournalError(f"{path}:{number}: no journal of a match: {error}") from None
        size += len(line)
        if size > _MAX_JOURNAL:
            raise JournalError(f"{path}: is larger than {_MAX_JOURNAL >> 20} MB")
    return reader.saved, size


def _bytes(descriptor: int, at: int = 0) -> BinaryIO:
    """Return a reader of an open file from a place in it on."""
    handle = open(descriptor, "rb", closefd=False)  # noqa: SIM115 - who opened it closes it
    handle.seek(at)
    return handle


def read_journal(path: Path) -> Saved:
    """Return the last match of a journal; JournalError if there is none, or it cannot be read."""
    with files.naming(path), files.opened(path, _MAX_JOURNAL) as handle:
        saved, _size = _read(path, handle.fileno())
    if saved is None:
        raise JournalError(f"{path}: no match in the journal")
    return saved


class Journal:
    """A journal that this process has locked: no other process uses it until :meth:`close`.

    The lock is one of the open file: it holds under any name of the file, and it ends
    with the process.
    """

    def __init__(self, path: Path, new: bool) -> None:
        """Open and lock a journal, for a ``new`` match or to go on with its last one.

        UserError if another process holds it, or it is no journal.
        """
        self.path = path.absolute()
        self._descriptor = -1
        try:
            with files.naming(path):
                self._descriptor = self._open(os.O_CREAT if new else 0)
                saved, size = _read(path, self._descriptor)
                rest = _bytes(self._descriptor, size).read(_MAX_LINE)
                if saved is None and not rest.startswith(_BEGINNING[: len(rest)]):
                    raise JournalError(f"{path}: no journal of a match: choose another file")
                if saved is None and not new:
                    raise JournalError(f"{path}: no match in the journal")
                if rest:
                    os.ftruncate(self._descriptor, size)
        except BaseException:
            self.close()
            raise
        #: The match that is played: None until a new one has begun.
        self.saved = None if new else saved

    def _open(self, flags: int) -> int:
        # what is there is read, and named with its line if it is no journal
        descriptor = files.opened_to_append(self.path, CHANGED, os.O_RDWR | flags)
        try:
            files.hold(descriptor, self.path, _HELD, warn)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def begin(self, plan: Mapping[str, Any]) -> None:
        """Write a new match, which :attr:`saved` is from now on; OSError if that does not work."""
        self.saved = Saved(dict(plan), secrets.token_hex(8))
        head = {"match": dict(plan), "format": _FORMAT, "id": self.saved.id}
        files.append_to(self._descriptor, _line(head))

    def add(self, game: FinishedGame, at: int) -> None:
        """Write a game whose record begins at ``at`` in the PGN file; OSError as for begin."""
        assert self.saved is not None
        line = _line({"game": asdict(game), "at": at, "id": self.saved.id})
        files.append_to(self._descriptor, line)

    def read(self) -> Saved:
        """Return the match with all of its games so far."""
        saved, _size = _read(self.path, self._descriptor)
        assert saved is not None
        return saved

    def close(self) -> None:
        """Release the journal's lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _line(entry: Mapping[str, Any]) -> bytes:
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
    try:
        line = text.encode()
    except UnicodeEncodeError as error:
        message = ascii(text[max(0, error.start - 20) : error.end])
        raise JournalError(
            f"a journal is UTF-8 text, in which {message} cannot be written"
        ) from None
    if len(line) > _MAX_LINE:
        raise JournalError(f"the openings or a game are more than {_MAX_LINE >> 20} MB of text")
    return line
