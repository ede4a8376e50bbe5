"""Lenient reading of positions from other programs' files: FEN with small faults, and EPD.

Protocols read positions strictly; this is for records and for files of positions. Sources:
S. J. Edwards, "Portable Game Notation Specification", 1994, sections 16.1 (FEN) and 16.2 (EPD).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import remark_on
from ryugi_engine.games.position import Position
from ryugi_engine.processes import process

#: Operations of EPD that may stand where a position could still go on; ``D1`` is perft's.
OPERATION = re.compile(
    r"(?:ac[dns]|am|bm|c[0-9]|ce|D[0-9]+|dm|draw_\w+|eco|fmvn|hmvc|id|nic|noop|p[mv]|rc|resign|sm"
    r"|tc\w+|v[0-9])"
)
#: A part of a line without the blanks around it, quotation marks closed.
_PART = re.compile(r'(?:[^;"]++|"[^"]*+(?:"|\Z))*+')
_NAME = re.compile(r"[A-Za-z]\w*")
#: Castling rights, or a square of en passant.
_RIGHTS = re.compile("[A-Ha-hKQkq]+|[a-z][0-9]+")
_COUNTERS = ("hmvc", "fmvn")
#: Fields of a position text, at most.
_MOST_FIELDS = 12


def start_of(game: Game, text: str | None) -> tuple[Game, Position]:
    """Return the position of a record's tag FEN (None: the start) and the game that it belongs to.

    That is Chess960 where only this has such castling rights. Castling rights without a rook, an en
    passant square or counters that say nothing are left out, and fields may be missing. Raises the
    UserError of the text as it stands if nothing helps.
    """
    remark = remark_on(game, text)
    if remark:
        _say_once(remark)
    try:
        return game, Position(game, text)
    except UserError as error:
        first = error
    twin = game.chess960() if game.chess960 is not None else game
    whole = _position(twin, text or "")
    if whole is not None:
        return twin, whole
    position = _loosely(game, text or "")
    if position is None:
        raise first
    return game, position


@cache
def _say_once(remark: str) -> None:
    """Write a remark, which is true of a whole file, to standard error."""
    process.complain(remark)


def _position(game: Game, text: str) -> Position | None:
    try:
        return Position(game, text)
    except UserError:
        return None


def _loosely(game: Game, text: str) -> Position | None:
    """Return the position of a text without what is wrong after its board; None if that is all."""
    fields = text.split()
    if not 1 <= len(fields) <= 8 or len(text) > 4000:
        return None
    board, side, castling, *rest = [*fields, *("w", "-")[len(fields) - 1 :]][:8]
    passing = rest.pop(0) if rest and not rest[0][:1].isdigit() else "-"
    checks = [field for field in rest if re.fullmatch(r"\+?[0-9]\+[0-9]", field)][:1]
    numbers = [field for field in rest if field.isdecimal() and len(field) < 6]
    clock, number = (*numbers, "1")[:2] if numbers else ("0", "1")

    def attempt(rights: str, square: str, clock: str) -> Position | None:
        return _position(game, " ".join([board, side, rights, square, *checks, clock, number]))

    bare = attempt("-", "-", "0")
    if bare is None:  # the board itself is wrong, or the side
        return None
    rights = "".join(letter for letter in castling[:4] if attempt(letter, "-", "0")) or "-"
    square = passing if attempt("-", passing, "0") else "-"
    return attempt(rights, square, clock) or attempt(rights, square, "0") or bare


def read_epd(line: str) -> tuple[str, dict[str, str]]:
    """Return the position of a line and its operations with what follows each.

    A line is a position and operations. The position is FEN, or EPD without counters. Operations
    end in semicolons: ``... w KQkq - hmvc 2; id "a;b";``. In perft suites they begin with them:
    ``... ;D1 20 ;D2 400``. The counters of ``hmvc`` and ``fmvn`` are put after a position without
    them.
    """
    parts = [part.strip() for part in _parts(line)]
    words = parts[0].split(None, _MOST_FIELDS)
    for at, word in enumerate(words[2:_MOST_FIELDS], start=2):
        if at > 3 and ";" in line:
            begins = _NAME.fullmatch(word) is not None
        else:  # a field may look like an operation: ``ce`` are castling rights, ``c3`` a square
            known = OPERATION.fullmatch(word) is not None and len(words) > at + 1
            begins = known and (at > 3 or _RIGHTS.fullmatch(word) is None)
        if begins:
            parts[0:1] = [" ".join(words[:at]), parts[0].split(None, at)[at]]
            break
    operations = {}
    for part in filter(None, parts[1:]):
        name, *operands = part.split(None, 1)
        operations[name] = "".join(operands).strip('"')
    text = parts[0]
    counters = [operations.get(name, "") for name in _COUNTERS]
    if text and any(counters) and not text.split()[-1].isdecimal():
        text += "".join(
            f" {value or default}" for value, default in zip(counters, "01", strict=True)
        )
    return text, operations


def _parts(line: str) -> Iterator[str]:
    """Yield what semicolons separate outside of quotation marks."""
    at = 0
    while at <= len(line):
        match = _PART.match(line, at)
        assert match is not None
        yield match.group()
        at = match.end() + 1
