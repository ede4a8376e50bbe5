"""A match's journal, from which ``match --resume`` continues.

Each line is a JSON object: a match's plan, then its games as they end. Both name the
match by its ``id``, so that a game counts for its own match only; a game's number counts once.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.files.line_log import LineLog
from ryugi_engine.files.output import CHANGED, JOURNAL
from ryugi_engine.games.game import Game
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.settings import typed

_FORMAT = 1
_HELD = "a match is being played with this journal: let it end, or take another file"


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
                raise UserError(f"game {one.number} is none of this match")
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

    def add(self, entry: Any) -> None:
        """Read the next line; UserError says what is wrong with it."""
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


class NoMatch(UserError):
    """Raised for a journal in which no match was begun, such as one of a killed process."""


class Journal:
    """A match's journal, locked by this process until :meth:`close`."""

    def __init__(self, path: Path, new: bool) -> None:
        """Open and lock a journal, for a ``new`` match or to go on with its last one.

        UserError if another process holds it, or it is no journal.
        """
        reader = _Reader()
        # what is resumed is read, and named with its line if it is no journal
        kind = JOURNAL if new else replace(CHANGED, name=JOURNAL.name)
        self._log = LineLog(path, kind, _HELD, reader.add, create=new)
        self.path, self.close = self._log.path, self._log.close
        #: The match that is played: None until a new one has begun.
        self.saved = None if new else reader.saved
        if not new and self.saved is None:
            self.close()
            raise NoMatch(f"{path}: no match in the journal")

    def begin(self, plan: Mapping[str, Any]) -> None:
        """Write a new match, which :attr:`saved` is from now on; UserError if that fails."""
        self.saved = Saved(dict(plan), secrets.token_hex(8))
        self._log.write({"match": dict(plan), "format": _FORMAT, "id": self.saved.id})

    def add(self, game: FinishedGame, at: int) -> None:
        """Write a game whose record begins at ``at`` in the PGN file; UserError as for begin."""
        assert self.saved is not None
        self._log.write({"game": asdict(game), "at": at, "id": self.saved.id})

    def read(self) -> Saved:
        """Return the match with all of its games so far."""
        reader = _Reader()
        self._log.read(reader.add)
        assert reader.saved is not None
        return reader.saved
