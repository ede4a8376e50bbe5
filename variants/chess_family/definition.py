"""A chess-like game as data: reading and checking the definition files.

A file is TOML; every top-level table defines one game under the table's name. Errors carry
the line and the key they are about.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from variants.chess_family import betza

MAX_FILES = 10
MAX_RANKS = 8
#: Distinct leaper movements that the kernel's component sets have room for, the king's aside.
MAX_LEAPER_SETS = 5
MAX_PIECE_TYPES = 15
MAX_PROMOTIONS = 12
_NAME = re.compile(r"[a-z][a-z0-9-]*\Z")


@dataclass(frozen=True)
class Castle:
    """One way to castle: the king's and the rook's squares as (file, rank) from 0."""

    king_from: tuple[int, int]
    king_to: tuple[int, int]
    rook_from: tuple[int, int]
    rook_to: tuple[int, int]


@dataclass(frozen=True)
class Definition:
    """A checked game. Letters are upper case; squares are (file, rank) from 0."""

    name: str
    title: str
    aliases: tuple[str, ...]
    files: int
    ranks: int
    start: str
    pieces: Mapping[str, betza.Movement]
    betza: Mapping[str, str]
    royal: str
    pawn: str
    promotion: str
    double_step: tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
    castling: Mapping[str, tuple[Castle, ...]]
    claim_moves: int
    draw_moves: int
    claim_repetition: int
    draw_repetition: int
    lone_minors: str
    values: Mapping[str, int]

    @property
    def letters(self) -> str:
        """All piece letters: pawn, king, then the others in the order of the file."""
        others = "".join(p for p in self.pieces if p != self.royal)
        return self.pawn + self.royal + others


class DefinitionError(ValueError):
    """What is wrong in a definition file, and where."""

    def __init__(self, path: str, line: int, key: str, reason: str) -> None:
        self.path, self.line, self.key, self.reason = path, line, key, reason
        super().__init__(f"{path}:{line}: {key}: {reason}")


_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_\"'.-]+?)\s*=")


def _key_lines(text: str) -> dict[str, int]:
    """Line (from 1) of every table header and key, under its dotted name."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = header.group(1).replace('"', "").replace("'", "").replace(" ", "")
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            name = key.group(1).replace('"', "").replace("'", "")
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines


def square(text: str, files: int, ranks: int) -> tuple[int, int]:
    """(file, rank) from 0 of a square's name; ValueError if it is not on the board."""
    match = re.fullmatch(r"([a-z])([0-9]{1,2})", text)
    if match is None:
        raise ValueError(f"'{text}' is not a square")
    file, rank = ord(match.group(1)) - ord("a"), int(match.group(2)) - 1
    if not (0 <= file < files and 0 <= rank < ranks):
        raise ValueError(f"'{text}' is not on a board of {files}x{ranks}")
    return file, rank


def parse_board(text: str, files: int, ranks: int, letters: str) -> dict[tuple[int, int], str]:
    """Piece letters by (file, rank) of a FEN's first field; ValueError names the rank."""
    rows = text.split("/")
    if len(rows) != ranks:
        raise ValueError(f"{len(rows)} ranks instead of {ranks}")
    board: dict[tuple[int, int], str] = {}
    for number, row in zip(range(ranks, 0, -1), rows, strict=True):
        file = 0
        for token in re.findall(r"[0-9]+|.", row, flags=re.DOTALL):
            if token.isascii() and token.isdigit():
                if len(token) > 2 or token.startswith("0"):
                    raise ValueError(f"rank {number}: '{token[:8]}' is not a count of squares")
                file += int(token)
            elif token.upper() in letters and token.isascii():
                board[file, number - 1] = token
                file += 1
            else:
                raise ValueError(f"rank {number}: unknown letter {token!r}")
            if file > files:
                raise ValueError(f"rank {number}: more than {files} squares")
        if file != files:
            raise ValueError(f"rank {number}: {file} squares instead of {files}")
    return board


class _Reader:
    """Typed access to one table, with the place of every complaint."""

    def __init__(self, path: str, name: str, table: Mapping[str, Any], lines: dict[str, int]):
        self.path, self.name, self.table, self.lines = path, name, table, lines
        self.known: set[str] = set()

    def fail(self, key: str, reason: str) -> DefinitionError:
        full = f"{self.name}.{key}" if key else self.name
        line = self.lines.get(full) or self.lines.get(full.rsplit(".", 1)[0], 0)
        return DefinitionError(self.path, line or self.lines.get(self.name, 1), full, reason)

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        self.known.add(key)
        if key not in self.table:
            if default is None:
                raise self.fail(key, "is missing")
            return default
        value = self.table[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            wanted = {str: "a text", int: "a whole number", list: "a list", dict: "a table"}[kind]
            raise self.fail(key, f"must be {wanted}")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value: int = self.get(key, int, default)
        if not low <= value <= high:
            raise self.fail(key, f"{value} is not in {low}..{high}")
        return value

    def letters(self, key: str, allowed: str, default: str) -> str:
        value: str = self.get(key, str, default)
        for letter in value:
            if letter not in allowed:
                raise self.fail(key, f"'{letter}' is not one of the pieces {allowed}")
        if len(set(value)) != len(value):
            raise self.fail(key, f"a letter stands twice in '{value}'")
        return value


def _read_pieces(reader: _Reader) -> tuple[dict[str, betza.Movement], dict[str, str], str, str]:
    table: dict[str, Any] = reader.get("pieces", dict)
    royal: str = reader.get("royal", str, "K")
    pawn: str = reader.get("pawn", str, "P")
    movements: dict[str, betza.Movement] = {}
    texts: dict[str, str] = {}
    for letter, text in table.items():
        key = f"pieces.{letter}"
        if not re.fullmatch(r"[A-Z]", letter):
            raise reader.fail(key, "a piece is one letter A-Z")
        if not isinstance(text, str):
            raise reader.fail(key, "must be a text")
        try:
            movements[letter] = betza.parse(text)
        except ValueError as error:
            raise reader.fail(key, str(error)) from None
        texts[letter] = text
    if royal not in movements:
        raise reader.fail("royal", f"'{royal}' is not one of the pieces")
    king = movements[royal]
    if king.rook or king.bishop or king.nightrider:
        raise reader.fail(f"pieces.{royal}", "the royal piece must be a leaper")
    if not re.fullmatch(r"[A-Z]", pawn) or pawn in movements:
        raise reader.fail("pawn", f"'{pawn}' must be a letter that no other piece has")
    if len(movements) + 1 > MAX_PIECE_TYPES:
        raise reader.fail("pieces", f"more than {MAX_PIECE_TYPES} kinds of piece")
    leaper_sets = {m.leaps for p, m in movements.items() if m.leaps and p != royal}
    if len(leaper_sets) > MAX_LEAPER_SETS:
        raise reader.fail("pieces", f"more than {MAX_LEAPER_SETS} different leaper movements")
    return movements, texts, royal, pawn


def _read_castling(
    reader: _Reader, files: int, ranks: int, board: Mapping[tuple[int, int], str], royal: str
) -> dict[str, tuple[Castle, ...]]:
    table: dict[str, Any] = reader.get("castling", dict, {})
    ways: dict[str, tuple[Castle, ...]] = {}
    for letter, entries in table.items():
        key = f"castling.{letter}"
        if letter not in ("K", "Q"):
            raise reader.fail(key, "must be K or Q (Black's castling is the mirror image)")
        if not isinstance(entries, list) or not 1 <= len(entries) <= 4:
            raise reader.fail(key, "must be a list of one to four texts")
        own: list[Castle] = []
        for text in entries:
            words = text.split() if isinstance(text, str) else []
            if len(words) != 4:
                raise reader.fail(key, "each way is 'KING-FROM KING-TO ROOK-FROM ROOK-TO'")
            try:
                kf, kt, rf, rt = (square(word, files, ranks) for word in words)
            except ValueError as error:
                raise reader.fail(key, str(error)) from None
            if len({kf[1], kt[1], rf[1], rt[1]}) != 1:
                raise reader.fail(key, f"'{text}' leaves its rank")
            if kf in (kt, rf) or kt == rt:
                raise reader.fail(key, f"'{text}' puts two pieces on one square")
            if board.get(kf) != royal:
                raise reader.fail(key, f"no king on {words[0]} in the start position")
            if board.get(rf) is None or not board[rf].isupper():
                raise reader.fail(key, f"no piece of White on {words[2]} in the start position")
            own.append(Castle(kf, kt, rf, rt))
        if len({way.rook_from for way in own}) != 1 or len({w.king_to for w in own}) != len(own):
            raise reader.fail(key, "the ways must share the rook and differ in the king's square")
        ways[letter] = tuple(own)
        ways[letter.lower()] = tuple(
            Castle(
                *((f, ranks - 1 - r) for f, r in (w.king_from, w.king_to, w.rook_from, w.rook_to))
            )
            for w in own
        )
        for way in ways[letter.lower()]:
            if board.get(way.king_from) != royal.lower():
                raise reader.fail(key, "Black's start position is not the mirror image of White's")
            if board.get(way.rook_from) != board[own[0].rook_from].lower():
                raise reader.fail(key, "Black's start position is not the mirror image of White's")
    return ways


def _read_double_step(
    reader: _Reader, files: int, ranks: int, board: Mapping[tuple[int, int], str], pawn: str
) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
    starts = (
        frozenset(s for s, p in board.items() if p == pawn),
        frozenset(s for s, p in board.items() if p == pawn.lower()),
    )
    if "double_step" not in reader.table:
        return starts
    names: list[Any] = reader.get("double_step", list)
    white = set()
    for name in names:
        try:
            white.add(square(str(name), files, ranks))
        except ValueError as error:
            raise reader.fail("double_step", str(error)) from None
        if not 0 < int(str(name)[1:]) <= ranks - 2:
            raise reader.fail("double_step", f"no room for a double step from {name}")
    return frozenset(white), frozenset((f, ranks - 1 - r) for f, r in white)


def _read_game(path: str, name: str, table: Mapping[str, Any], lines: dict[str, int]) -> Definition:
    reader = _Reader(path, name, table, lines)
    if not _NAME.match(name):
        raise reader.fail("", "a game's name is lower-case letters, digits and hyphens")
    files = reader.number("files", 3, MAX_FILES)
    ranks = reader.number("ranks", 3, MAX_RANKS)
    pieces, texts, royal, pawn = _read_pieces(reader)
    letters = "".join(pieces) + pawn
    start: str = reader.get("start", str)
    fields = start.split()
    if len(fields) != 6:
        raise reader.fail("start", f"{len(fields)} fields instead of 6")
    try:
        board = parse_board(fields[0], files, ranks, letters)
    except ValueError as error:
        raise reader.fail("start", str(error)) from None
    others = "".join(p for p in pieces if p != royal)
    promotion = reader.letters("promotion", others, "")
    if not promotion and pawn in {p.upper() for p in board.values()}:
        raise reader.fail("promotion", "is missing")
    if len(promotion) > MAX_PROMOTIONS:
        raise reader.fail("promotion", f"more than {MAX_PROMOTIONS} pieces")
    rules = _Reader(path, f"{name}.rules", reader.get("rules", dict, {}), lines)
    claim_moves = rules.number("claim_moves", 1, 1000, 50)
    draw_moves = rules.number("draw_moves", claim_moves, 1000, max(claim_moves, 75))
    claim_repetition = rules.number("claim_repetition", 2, 100, 3)
    draw_repetition = rules.number(
        "draw_repetition", claim_repetition, 100, max(claim_repetition, 5)
    )
    lone_minors = rules.letters("lone_minors", others, "")
    for key in rules.table:
        if key not in rules.known:
            raise rules.fail(key, "is not a known key")
    values: dict[str, int] = {}
    for letter, value in reader.get("values", dict, {}).items():
        if letter not in letters or letter == royal:
            raise reader.fail(f"values.{letter}", "is not one of the pieces")
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 5000:
            raise reader.fail(f"values.{letter}", "must be a whole number in 1..5000")
        values[letter] = value
    aliases = reader.get("aliases", list, [])
    if not all(isinstance(alias, str) and _NAME.match(alias) for alias in aliases):
        raise reader.fail("aliases", "must be a list of names")
    definition = Definition(
        name=name,
        title=reader.get("title", str, name),
        aliases=tuple(aliases),
        files=files,
        ranks=ranks,
        start=start,
        pieces=pieces,
        betza=texts,
        royal=royal,
        pawn=pawn,
        promotion=promotion,
        double_step=_read_double_step(reader, files, ranks, board, pawn),
        castling=_read_castling(reader, files, ranks, board, royal),
        claim_moves=claim_moves,
        draw_moves=draw_moves,
        claim_repetition=claim_repetition,
        draw_repetition=draw_repetition,
        lone_minors=lone_minors,
        values=values,
    )
    for key in table:
        if key not in reader.known and key != "double_step":
            raise reader.fail(key, "is not a known key")
    from variants.chess_family import fen

    try:
        canonical = fen.format_fen(definition, fen.parse_fen(definition, start))
    except ValueError as error:
        raise reader.fail("start", str(error)) from None
    return replace(definition, start=canonical)


def load_text(text: str, path: str) -> list[Definition]:
    """All games that a definition file's text holds; DefinitionError for the first fault."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place.group(1)) if place else len(text.splitlines()) or 1
        reason = re.sub(r"\s*\(at .*\)", "", str(error))
        raise DefinitionError(path, line, "(syntax)", reason) from None
    lines = _key_lines(text)
    for key, value in document.items():
        if not isinstance(value, dict):
            raise DefinitionError(path, lines.get(key, 1), key, "must stand in a game's table")
    if not document:
        raise DefinitionError(path, 1, "(file)", "defines no game")
    return [_read_game(path, name, table, lines) for name, table in document.items()]


def load_file(path: Path) -> list[Definition]:
    """All games of a file; OSError if it cannot be read, DefinitionError if it is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DefinitionError(
            str(path), 1, "(file)", f"is not UTF-8 text ({error.reason})"
        ) from None
    return load_text(text, str(path))
